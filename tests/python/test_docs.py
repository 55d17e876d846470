"""What the documentation names is there."""

import re

import pytest
from program_under_test import ROOT

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
#: `src/a/b.hpp`, `tests/a`, `b.hpp: what`, but not placeholders (x.hpp, test_*.cpp, tests/<folder>).
PATH = re.compile(
    r"`((?:src|tests|bench|tools|problems|python|docs)/[\w./-]+|[\w./-]+\.(?:hpp|cpp|cu))(?:[:`]|$)"
)
PLACEHOLDERS = re.compile(r"(^|[/_])x\.|/$|NNNN")


def named(page):
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for match in PATH.finditer(line):
            path = match[1].rstrip(".")
            if not PLACEHOLDERS.search(path):
                yield number, path


def exists(path):
    if "/" in path and (ROOT / path).exists():
        return True
    files = [p.relative_to(ROOT).as_posix() for p in SOURCES]
    return any(f == path or f.endswith("/" + path) for f in files)


SOURCES = [p for folder in ("src", "tests", "bench") for p in (ROOT / folder).rglob("*") if p.is_file()]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_that_a_page_names_exist(page):
    missing = [f"{page.name}:{number}: {path}" for number, path in named(page) if not exists(path)]
    assert not missing, "\n".join(missing)


def test_enough_is_looked_at():
    assert sum(1 for page in PAGES for _ in named(page)) > 100
    assert not exists("src/hydro/no_such_file.hpp")
    assert exists("riemann_hllc.hpp")
