"""What the documentation names is there: files, tests, figures, API."""

import ast
import re
import subprocess
import tomllib

import pytest
from program_under_test import ROOT

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
PAGES = [*sorted(DOCS.glob("*.md")), *TUTORIALS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
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


#: What the reader of a tutorial writes.
WRITTEN = {"src/problem/shear_layer.cpp", "problems/shear_layer.toml"}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_files_that_a_page_names_exist(page):
    missing = [
        f"{page.name}:{number}: {path}"
        for number, path in named(page)
        if not exists(path) and path not in WRITTEN
    ]
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


QUESTIONS = (DOCS / "questions.md").read_text()


def test_exists(name):
    """Whether `file::test` is there: in Python, GoogleTest, or among the runs of several ranks."""
    path, test = name.split("::")
    if not (ROOT / path).is_file():
        return False
    text = (ROOT / path).read_text()
    if path.endswith(".py"):
        return re.search(rf"^def {re.escape(test)}\(", text, re.MULTILINE) is not None
    if path.endswith(".cpp"):
        return re.search(rf"TEST\w*\({test.replace('.', ', ')}\)", text) is not None
    return re.search(rf"same_bits\({re.escape(test)} ", text) is not None


test_exists.__test__ = False


def answers():
    """Each question with its answer."""
    parts = re.split(r"^### (.*)$", QUESTIONS, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_each_answer_names_a_test_that_exists():
    assert len(answers()) > 20
    for question, answer in answers():
        found = re.findall(r"`(tests/[^`]+::[^`]+)`", answer.partition("*Tests:*")[2])
        assert found, question
        missing = [name for name in found if not test_exists(name)]
        assert not missing, f"{question}\n" + "\n".join(missing)


def test_what_does_not_exist_is_noticed():
    for name in (
        "tests/cli/test_commands.py::test_of_nothing",
        "tests/cli/test_nothing.py::test_a",
        "tests/step/test_floors.cpp::floors.of_nothing",
        "tests/ranks/CMakeLists.txt::star",
    ):
        assert not test_exists(name)


#: A number of its own, not part of a name (gcc 12 and x86-64 are).
FIGURE = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w-])")


#: Words that say nothing of the figure beside them.
LITTLE = "a|an|and|at|by|for|from|in|is|of|on|or|than|that|the|to|which|with"
RANGE = re.compile(r"\s+(?:and|to)\s+(?=\d)")
AFTER = re.compile(rf"\s?(?:(?:{LITTLE})\s+)*(%|°|[A-Za-z]+)")
BEFORE = re.compile(rf"(?!\b(?:{LITTLE})\b)\b([A-Za-z]+)(?:\s+(?:{LITTLE}))*[\s(=:]*$")


def figures(text):
    """Of each figure: how it is written, what it counts or is in, and the word before it; "" where there is none. What
    the last figure of a range is in, its first is in, too."""
    text = re.sub(r"(?<![\w.])[-+−](?=\d)", "", text)
    found, unit = [], ""
    for figure in reversed(list(FIGURE.finditer(text))):
        if not RANGE.match(text, figure.end()):
            after = AFTER.match(text, figure.end())
            unit = singular(after[1]) if after else ""
        before = BEFORE.search(text[max(0, figure.start() - 40) : figure.start()])
        found.append((figure[0], unit, singular(before[1]) if before else ""))
    return found


def singular(word):
    return word.casefold().removesuffix("s")


def is_there(figure, unit, before, known):
    """Whether a page, of whose figures `known` is made, has this one. Two significant digits or a power of ten speak
    for themselves; a small number needs its unit or the word before it, and a percentage is one."""
    speaks = "e" in figure or len(figure.replace(".", "").lstrip("0")) > 1
    for other, other_unit, other_before in known:
        if float(other) == float(figure):
            same_unit, same_before = unit and unit == other_unit, before and before == other_before
            if same_unit or (unit != "%" and (speaks or same_before)):
                return True
    return False


def limitations():
    """Each item of the page, with the text of the pages that it links."""
    for item in re.split(r"^- ", (DOCS / "limitations.md").read_text(), flags=re.MULTILINE)[1:]:
        words = item.split("\n\n")[0]
        linked = re.findall(r"\]\(([\w/-]+\.md)", words)
        yield words, "".join((DOCS / page).read_text() for page in linked)


def test_each_limitation_has_its_figures_on_the_page_that_it_links():
    assert len(list(limitations())) > 20
    missing = []
    for words, text in limitations():
        assert text, words
        known = figures(text)
        for figure in figures(re.sub(r"`[^`]*`|\([\w/-]+\.md(?:#[\w-]+)?\)", "", words)):
            if not is_there(*figure, known):
                missing.append(f"{' '.join(figure)}: {words}")
    assert not missing, "\n".join(missing)


def test_figures_that_a_page_does_not_have_are_noticed():
    known = figures(
        "A star of index 3 with 13 cells to its radius rings between 2 and 12 %; 5e-4 of 8 steps, 4.4 times."
    )
    for said in ("between 2 and 12 %", "13 cells", "index 3", "5e-4", "4.4", "8 steps"):
        assert all(is_there(*figure, known) for figure in figures(said)), said
    for said in (
        "3 %",
        "2 cells",
        "13 %",
        "12 and 13 %",
        "8 %",
        "3 levels",
        "6e-4",
        "4.5 times",
        "order 8",
        "of 8",
    ):
        assert not all(is_there(*figure, known) for figure in figures(said)), said


def public(path):
    """Functions, classes and methods of a file whose names do not begin with an underscore."""
    tree = ast.parse(path.read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef))
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node


@pytest.mark.parametrize(
    "name",
    [
        "run",
        "history",
        "snapshot",
        "profile",
        "profile_page",
        "trace",
        "roche",
        "view",
        "movie",
        "lightcurve/curve",
        "lightcurve/sky",
        "exact/riemann",
        "exact/sedov",
    ],
)
def test_the_api_has_docstrings(name):
    path = ROOT / "python" / "rednova" / f"{name}.py"
    bare = [n.name for n in public(path) if not n.name.startswith("_") and ast.get_docstring(n) is None]
    assert not bare


def test_the_example_of_tracers_is_taken_by_a_binary(program):
    lines = (DOCS / "tracers.md").read_text().partition("\n    ")[2].partition("\nParticles")[0]
    settings = [
        f"{section}.{key}={value!r}".replace("'", '"')
        for section, keys in tomllib.loads(lines).items()
        for key, value in keys.items()
    ]
    assert len(settings) == 4
    command = [program, "check", ROOT / "problems/contact_binary_quick.toml", "--quick"]
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
