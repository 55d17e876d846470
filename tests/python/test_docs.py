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


#: A file that a comment names: `exec/space.hpp`, but neither an include nor a placeholder.
NAMED_IN_COMMENT = re.compile(r"(?<![\w/.<\"-])((?:[\w-]+/)*[\w-]+\.(?:hpp|cpp|cu|md|py))\b")


def named_in_comments(source):
    for number, line in enumerate(source.read_text().splitlines(), 1):
        _, slashes, comment = line.partition("//")
        for match in NAMED_IN_COMMENT.finditer(comment if slashes else ""):
            if not PLACEHOLDERS.search(match[1]):
                yield number, match[1]


def is_in_repository(path):
    return exists(path) or any((ROOT / folder / path).exists() for folder in (".", "docs", "python/rednova"))


CODE = [p for p in SOURCES if p.suffix in (".hpp", ".cpp", ".cu")]


def test_files_that_comments_name_exist():
    missing = [
        f"{source.relative_to(ROOT)}:{number}: {path}"
        for source in CODE
        for number, path in named_in_comments(source)
        if not is_in_repository(path)
    ]
    assert not missing, "\n".join(missing)
    assert sum(1 for source in CODE for _ in named_in_comments(source)) > 50


def test_enough_is_looked_at():
    assert sum(1 for page in PAGES for _ in named(page)) > 100
    assert not exists("src/hydro/no_such_file.hpp")
    assert exists("riemann_hllc.hpp")
