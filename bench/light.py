"""What light costs: processor time of a step with it beside one without, on the same mesh, by the number of substeps.

With --check it ends with exit code 1 if light costs more than AT_MOST.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rednova import History

HERE = Path(__file__).resolve().parent
#: Settings, by problem, that make the mesh the same with light and without, and leave output out. Without light there
#: is no photosphere to refine: a box asks for the blocks that shining_contact's asks for.
SETTINGS = {
    "shining_contact": (
        "refine.photosphere_level=0",
        "refine.region_level=4",
        "refine.region_lower=[-9,-4,-4]",
        "refine.region_upper=[9,4,4]",
        "output.snapshot_orbits=0",
        "output.history_steps=1000",
    ),
    "shining_star": ("output.snapshot_time=0", "output.history_steps=1000"),
}
#: What `--check` asks for, by problem and substeps: light over the step without it.
AT_MOST = {("shining_contact", 16): 1.0}
#: Steps before those that are timed: the first are repeated, with light and without not in the same way.
FIRST = 2


def execute(program: Path, *words: object) -> None:
    command = [program, *words, "--threads", "1"]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def begin(program: Path, problem: str, substeps: int, run: Path) -> int:
    """Takes the first steps of a run, without light where substeps are 0; gives the number of its blocks."""
    light = [f"radiation.substeps={substeps}"] if substeps else ["radiation.enabled=false"]
    words = [
        word for key in [*SETTINGS[problem], *light, f"run.max_steps={FIRST}"] for word in ("--set", key)
    ]
    execute(program, "run", HERE.parent / "problems" / f"{problem}.toml", "--out", run, *words)
    return blocks_of(run)


def blocks_of(run: Path) -> int:
    """At the run's end."""
    return int(History(run / "history.csv")["leaf_blocks"][-1])


def expect_same(problem: str, blocks: dict[int, int]) -> None:
    """blocks: by substeps, 0 without light. Exits where they are not all the same."""
    if len(set(blocks.values())) > 1:
        sys.exit(
            f"{problem}: blocks differ by substeps (0: no light): {blocks}; SETTINGS should keep them the same"
        )


def seconds(program: Path, run: Path, steps: int) -> tuple[float, int]:
    """Processor time of a step on one thread: what a restart from a run's end takes for these steps and one more, less
    what it takes for one, with files and all; and the number of blocks after these steps.
    """

    def until(last: int) -> tuple[float, int]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        with tempfile.TemporaryDirectory() as where:
            out = Path(where) / "run"
            execute(program, "restart", run, "--out", out, "--set", f"run.max_steps={last}")
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, blocks_of(out)

    more, blocks = until(FIRST + 1 + steps)
    return (more - until(FIRST + 1)[0]) / steps, blocks


def cost(program: Path, problem: str, substeps: list[int], turns: int, steps: int) -> dict[int, float]:
    """Light over the step without it, by the substeps, of median times; a line of what was measured is printed.

    Exits where the meshes are not the same.
    """
    with tempfile.TemporaryDirectory() as where:
        runs = {n: Path(where) / str(n) for n in [0, *substeps]}
        blocks = {n: begin(program, problem, n, run) for n, run in runs.items()}
        expect_same(problem, blocks)
        times: dict[int, list[float]] = {n: [] for n in runs}
        for _ in range(turns):
            for n, run in runs.items():
                time, blocks[n] = seconds(program, run, steps)
                times[n].append(time)
        expect_same(problem, blocks)  # adaptations may have parted them
    step = {n: statistics.median(of) for n, of in times.items()}
    more = {n: step[n] / step[0] - 1 for n in substeps}
    table = ", ".join(f"{n}: {ratio:.2f}" for n, ratio in more.items())
    print(
        f"{problem}, {blocks[0]} blocks, {step[0]:.2f} s a step without light: light over that with substeps {table}"
    )
    return more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--substeps", type=int, nargs="+", default=[4, 8, 16, 32])
    parser.add_argument("--problems", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--check", action="store_true", help="fail where light costs too much")
    given = parser.parse_args()
    asked = {(problem, n) for problem in given.problems for n in given.substeps}
    if given.check and not asked & AT_MOST.keys():
        parser.error(f"there is something to check of {', '.join(map(str, AT_MOST))} alone")
    too_much = []
    for problem in given.problems:
        found = cost(given.build / "rednova", problem, given.substeps, given.turns, given.steps)
        for n, ratio in found.items():
            most = AT_MOST.get((problem, n), ratio)
            if ratio > most:
                too_much.append(
                    f"{problem}, {n} substeps: light over the step without it {ratio:.2f}, above {most}"
                )
    if given.check:
        sys.exit("\n".join(too_much) or 0)


if __name__ == "__main__":
    main()
