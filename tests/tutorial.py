"""Reads the pages of docs/tutorials/ and does what they say.

Above each block of code stands a comment that the page does not show:

    <!-- run -->                 a shell runs it; what follows a colon is added to each `rednova run` and `restart`,
    <!-- run: ARGUMENTS -->      so that a test takes few steps
    <!-- write: FILE -->         it is written to this file
    <!-- insert: FILE before TEXT -->   its lines are put before the line of the file that has this text
    <!-- printed -->             the last commands printed these lines, but for numbers; "…" stands for anything
    <!-- left: REASON -->        not done here
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from program_under_test import PROGRAM, ROOT

BLOCK = re.compile(
    r"(?:^<!-- (?P<what>\w+)(?:: (?P<argument>[^\n]*))? -->\n)?^```(?P<language>[\w{}-]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
KINDS = ("run", "write", "insert", "printed", "left")
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """A block of code: its line in the page, what to do with it, with what argument."""

    line: int
    what: str | None
    argument: str
    text: str


def blocks(page: Path) -> list[Block]:
    """All blocks of code of a page."""
    text = page.read_text()
    return [
        Block(text[: m.start()].count("\n") + 1, m["what"], m["argument"] or "", m["text"])
        for m in BLOCK.finditer(text)
    ]


def plain(text: str) -> list[str]:
    """Lines without their numbers and with single blanks."""
    return [" ".join(NUMBER.sub("#", line).split()) for line in text.splitlines() if line.strip()]


class Shell:
    """A folder in which the commands of a page are run, with the program and the tools on PATH.

    Attributes: `folder`; `printed`, what the last commands printed.
    """

    def __init__(self, folder: Path, program: Path = PROGRAM) -> None:
        self.folder, self.printed = folder, ""
        self._tools = folder / ".tools"
        self._tools.mkdir()
        self.command("python3", f'exec "{sys.executable}" "$@"')
        for tool in ("plot", "profile"):
            self.command(f"rednova-{tool}", f'exec "{sys.executable}" -m rednova.{tool} "$@"')
        self.use(program)

    def use(self, program: Path) -> None:
        """Takes another program for `rednova`."""
        added = 'case "$1" in run|restart) set -- "$@" $REDNOVA_ADDED ;; esac\n'
        self.command("rednova", f'{added}exec "{program}" "$@"')

    def command(self, name: str, script: str) -> None:
        """Puts a command on PATH."""
        path = self._tools / name
        path.write_text(f"#!/usr/bin/env bash\n{script}\n")
        path.chmod(0o755)

    def run(self, script: str, added: str = "", **variables: str) -> None:
        """Runs a script, which must succeed."""
        environment = os.environ | {
            "PATH": f"{self._tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "python"),
            "MPLBACKEND": "Agg",
            "REDNOVA_ADDED": added,
        }
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        self.printed = done.stdout
        assert done.returncode == 0, f"{script}\n{done.stdout}"

    def follow(self, page: Path, start: int = 0) -> None:
        """Does what the page says from a line on, in its order."""
        for block in blocks(page):
            if block.line >= start:
                self.do(page, block)

    def do(self, page: Path, block: Block) -> None:
        """Does what one block says."""
        if block.what == "run":
            self.run(block.text, block.argument)
        elif block.what == "write":
            path = self.folder / block.argument
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif block.what == "insert":
            self.insert(block)
        elif block.what == "printed":
            self.compare(page, block)

    def insert(self, block: Block) -> None:
        """Puts lines into a file before the one line that has a text."""
        name, text = block.argument.split(" before ")
        path = self.folder / name
        lines = path.read_text().splitlines(keepends=True)
        (place,) = (i for i, line in enumerate(lines) if text in line)
        path.write_text("".join([*lines[:place], *block.text.splitlines(keepends=True), *lines[place:]]))

    def compare(self, page: Path, block: Block) -> None:
        """The lines of a block were printed, in its order."""
        rest = iter(plain(self.printed))
        for line in plain(block.text):
            pattern = ".*".join(map(re.escape, line.split("…")))
            assert any(re.fullmatch(pattern, other) for other in rest), (
                f"{page.name}:{block.line}: not printed: {line}\n{self.printed}"
            )
