"""rednova-report on damaged files, on what is no run, and where it cannot write."""

import pytest
from rednova import report


def spoil(name, content):
    def change(run):
        (run / name).write_bytes(content)
        return [run / name]

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (spoil("history.csv", b"a,b\n1,2\n"), ["history.csv", "is no history", "restart"]),
        (spoil("history.csv", b"\xff\xfe"), ["history.csv", "restart"]),
        (spoil("ledger.json", b"{"), ["ledger.json", "restart"]),
        (spoil("ledger.json", b'{"mass": {}}'), ["ledger.json", "flow", "restart"]),
        (spoil("ledger.json", b"[]"), ["ledger.json", "restart"]),
        (spoil("input.toml", b"a = ["), ["input.toml", "restart"]),
        (spoil("profile.json", b"{"), ["profile.json", "remove it"]),
        (spoil("snapshot_00000.phdf", b"damaged"), ["snapshot_00000.phdf", "remove the file"]),
        (spoil("slices_000000.h5", b"damaged"), ["slices_000000.h5", "remove the file"]),
    ],
)
def test_damaged_files_are_named_in_one_line(tube_report, copy_of, capsys, change, words):
    run = copy_of(tube_report.run)
    change(run)
    assert report.main([str(run)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("rednova-report: ")
    assert said.count("\n") == 1
    for word in words:
        assert word in said
    assert not list(run.glob("report.*"))


def test_what_is_no_run_or_cannot_be_written_is_said(tube_report, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    for arguments, words in (
        ([tmp_path / "none"], ["none", "no such directory", "`rednova run`"]),
        ([tmp_path / "empty"], ["empty", "holds no run", "`rednova run`"]),
        ([tube_report.run, "--out", tmp_path / "none" / "x.html"], ["x.html", "cannot be written", "--out"]),
        ([tube_report.run, "--out", tmp_path], [str(tmp_path), "is a directory", "--out"]),
    ):
        assert report.main([str(a) for a in arguments]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        for word in words:
            assert word in said
