"""docs/tutorials/own_problem.md: its class is compiled into a program of its own, which runs its input."""

import itertools
import json
import shlex
import shutil
import subprocess

import pytest
import tutorial
from program_under_test import PROGRAM, ROOT

BUILD = PROGRAM.parent
PAGE = ROOT / "docs" / "tutorials" / "own_problem.md"


def command_of(source):
    """How the build compiles a source of the program: the words before its output."""
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    (line,) = (e["command"] for e in entries if e["file"].endswith(source))
    words = shlex.split(line)
    return words[: words.index("-o")]


def compiled(folder, source):
    """The object file of a source in a copy of src/."""
    words = command_of("src/problem/registry.cpp")
    original = next(w[2:] for w in words if w.startswith("-I") and w.endswith("/src"))
    words = [f"-I{folder / 'src'}" if w == f"-I{original}" else w for w in words]
    done = folder / f"{source.replace('/', '_')}.o"
    subprocess.run([*words, "-o", done, "-c", folder / source], cwd=BUILD, check=True)
    return done


def linked(folder, objects):
    """The program with other objects for its problems."""
    lines = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", "rednova"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    words = shlex.split(lines[-1].split("&&")[1])
    where = words.index("-o")
    program = folder / "rednova"
    # Before the libraries, from which only what is still missing is taken.
    words[where : where + 2] = [*map(str, objects), "-o", str(program)]
    subprocess.run(words, cwd=BUILD, check=True)
    return program


@pytest.fixture
def sources(tmp_path):
    """A folder with what the page changes, and the headers."""
    if not (BUILD / "compile_commands.json").exists() or shutil.which("ninja") is None:
        pytest.skip("the program was not built here")
    shutil.copytree(ROOT / "src", tmp_path / "src")
    return tmp_path


def test_the_page_makes_a_problem(sources):
    shell = tutorial.Shell(sources)
    changes = list(itertools.takewhile(lambda block: block.what != "run", tutorial.blocks(PAGE)))
    for block in changes:
        shell.do(PAGE, block)
    objects = [compiled(sources, f"src/problem/{name}.cpp") for name in ("registry", "shear_layer")]
    shell.use(linked(sources, objects))
    shell.follow(PAGE, start=changes[-1].line + 1)
