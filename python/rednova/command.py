"""What the commands of the package share: what they print, and how they say what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

READ = (".csv", ".json", ".toml", ".phdf")  # files of a run, which are never written here


def tell(command: str, make: Callable[[], Iterable[object]], place: str = "--out") -> int:
    """Calls make and prints what it gives, a line each: paths that were written, or text.

    place: options that say where files go.

    Returns:
        The exit code: 2, after one line on standard error, where a file cannot be read or written, or what was asked
        makes no sense.
    """
    try:
        lines = list(make())
    except (OSError, ValueError, KeyError) as error:
        print(f"{command}: {complaint(error, place)}", file=sys.stderr)
        return 2
    for line in lines:
        print(line)
    return 0


def complaint(error: Exception, place: str) -> str:
    """What is wrong, in one line: the file, and what to do about one that cannot be written."""
    if isinstance(error, OSError) and error.filename is not None:
        if Path(error.filename).suffix in READ:
            return f"{error.filename}: cannot be read: {error.strerror}"
        return f"{error.filename}: cannot be written: {error.strerror}: choose another place with {place}"
    return " ".join(str(error.args[0] if error.args else error).split())
