"""One version everywhere: what the program prints, what is cited, and what recipes build."""

import datetime
import re
import subprocess
import tomllib

import pytest
import yaml
from program_under_test import ROOT

VERSION = tomllib.loads((ROOT / "python" / "pyproject.toml").read_text())["project"]["version"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
PACKAGING = ROOT / "packaging"

#: File → what stands before and after the version there.
PLACES = {
    "CMakeLists.txt": r"^project\(rednova VERSION (\S+) ",
    "packaging/Dockerfile": r'image\.version="([^"]+)"',
    "packaging/rednova.def": r"^    Version (\S+)$",
    "packaging/conda/meta.yaml": r'set version = "([^"]+)"',
    "packaging/spack/packages/rednova/package.py": r'^    version\("([^"]+)"\)',
}


@pytest.mark.parametrize("path", PLACES)
def test_the_version_is_the_same_everywhere(path):
    assert re.findall(PLACES[path], (ROOT / path).read_text(), re.MULTILINE) == [VERSION]


def test_the_program_says_it(program):
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[0] == f"rednova {VERSION}"


def sections():
    """Version (or Unreleased), date and text of each section of the release notes, newest first."""
    text = (ROOT / "CHANGELOG.md").read_text()
    parts = re.split(r"^## \[([^\]]+)\](?: - (\S+))?$", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def test_the_newest_release_has_notes_and_its_citation():
    names = [name for name, _, _ in sections()]
    assert names[0] == "Unreleased"
    assert names[1] == VERSION
    date, text = sections()[1][1:]
    assert len(text.splitlines()) > 10
    assert CITATION["version"] == VERSION
    assert CITATION["date-released"] == datetime.date.fromisoformat(date)


def test_the_citation_has_what_the_format_demands():
    """Of the Citation File Format 1.2: the keys that must be there."""
    for key in ("cff-version", "message", "title", "authors"):
        assert CITATION[key], key
