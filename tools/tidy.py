"""clang-tidy on the sources of src/, many at a time.

Nine tenths of the time that clang-tidy takes for a file go into the headers of libraries, so the sources of several
folders are read together, as one that includes them all. Where they cannot be (two of them use one name for different
things), the halves are read apart, down to single files.

Usage: tidy.py COMPILE_COMMANDS, with the JSON file that CMake writes. Exit status 1 where there is a finding.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Options that clang does not know, or that say nothing of what it looks for.
LEFT_OUT = re.compile(r"-fno-ipa-\w+|-m(move|store)-max=\d+|-fpch-preprocess|-Winvalid-pch|-ffp-contract=\w+")
#: Units for each core: several, so that cores that are done first go on; few, for each reads the headers again.
UNITS = 2


def commands_of(compile_commands: Path) -> dict[Path, list[str]]:
    """The compiler's arguments of each C++ source in src/, without input and output.

    Those for GPUs are left out, whether there is a toolkit or not: clang would need its headers.
    """
    commands = {}
    for entry in json.loads(compile_commands.read_text()):
        source = Path(entry["file"])
        if source.suffix == ".cpp" and source.is_relative_to(ROOT / "src") and "cuda" not in source.parts:
            arguments = shlex.split(entry["command"])
            end = arguments.index("-o")
            begin = next(i for i, a in enumerate(arguments) if a.startswith("-"))
            arguments = [a for a in arguments[begin:end] if not LEFT_OUT.fullmatch(a)]
            if "-include" in arguments:  # of precompiled headers: a source is to include what it uses
                at = arguments.index("-include")
                del arguments[at : at + 2]
            commands[source] = arguments
    return commands


def units_of(commands: dict[Path, list[str]], number: int) -> list[list[Path]]:
    """The sources in so many units of whole folders, about equal in size."""
    folders = defaultdict(list)
    for source in sorted(commands):
        folders[source.parent].append(source)
    units = [[] for _ in range(number)]
    for sources in sorted(folders.values(), key=len, reverse=True):
        min(units, key=len).extend(sources)
    return [unit for unit in units if unit]


def findings(sources: list[Path], commands: dict[Path, list[str]]) -> str:
    """What clang-tidy says of the sources, nothing where all is well."""
    arguments = []
    for source in sources:
        given = iter(commands[source])
        for a in given:
            words = [a, next(given)] if a == "-isystem" else [a]
            if not any(arguments[i : i + len(words)] == words for i in range(len(arguments))):
                arguments += words
    with tempfile.TemporaryDirectory() as folder:
        if len(sources) == 1:
            unit = sources[0]
        else:
            unit = Path(folder) / "sources.cpp"
            unit.write_text(
                "".join(f'#include "{s}"  // NOLINT(bugprone-suspicious-include)\n' for s in sources)
            )
        run = subprocess.run(
            [
                "clang-tidy-19",
                "--quiet",
                f"--config-file={ROOT / '.clang-tidy'}",
                f"--header-filter={re.escape(str(ROOT))}/src/.*",
                unit,
                "--",
                *arguments,
                "-Wno-unknown-warning-option",
                "-Wno-shadow",  # of names in other sources
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    if run.returncode == 0:
        return ""
    if len(sources) > 1 and "[clang-diagnostic-error]" in run.stdout:
        half = len(sources) // 2
        return findings(sources[:half], commands) + findings(sources[half:], commands)
    return run.stdout or run.stderr


def main() -> int:
    commands = commands_of(Path(sys.argv[1]))
    if not commands:
        sys.exit(f"tidy: {sys.argv[1]} names no source of {ROOT / 'src'}; configure a build of this tree")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = "".join(
            pool.map(lambda sources: findings(sources, commands), units_of(commands, UNITS * os.cpu_count()))
        )
    print(found, end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
