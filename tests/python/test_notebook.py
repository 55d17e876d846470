"""The notebook of the tutorials, executed on a small run of the star that it is about."""

import shutil

import nbclient
import nbformat
import pytest
import tutorial
from program_under_test import ROOT

FOLDER = ROOT / "docs" / "tutorials"
NOTEBOOK = FOLDER / "analysis.ipynb"


@pytest.fixture(scope="module")
def star(make_run):
    """The run of the first tutorial, on fewer cells and with few steps."""
    (text,) = (b.text for b in tutorial.blocks(FOLDER / "first_run.md") if b.argument == "my_star.toml")
    small = text.replace("max_level = 3", "max_level = 2").replace("end_time = 5.0", "max_steps = 3")
    return make_run("my_star", small)


def test_it_is_kept_without_results():
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            assert not cell.outputs, cell.source
            assert cell.execution_count is None, cell.source


def test_it_runs_from_top_to_bottom(star, tmp_path):
    shutil.copytree(star, tmp_path / "runs" / "my_star")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    printed = "".join(output.text for output in outputs if output.get("name") == "stdout")
    assert len(pictures) == 3
    assert "4 rows, 2 snapshots" in printed
    assert "mass by yt" in printed
