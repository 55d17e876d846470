"""What light costs: its time over that of the rest of the steps, by the number of substeps.

With --check it ends with exit code 1 if light takes longer than AT_MOST.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROBLEMS = ("shining_contact", "shining_star")
#: What `--check` asks for, by problem and substeps.
AT_MOST = {("shining_contact", 16): 1.0}


def seconds(program: Path, problem: str, substeps: int, steps: int) -> tuple[float, float]:
    """Time of light and of the rest of the steps of a run on one thread, from its profile, without output. Restriction
    of light counts with that of the gas, which is a fiftieth of all.
    """
    with tempfile.TemporaryDirectory() as where:
        out = Path(where) / "run"
        keys = {"radiation.substeps": substeps, "run.max_steps": steps, "output.snapshot_time": 0}
        words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
        source = HERE.parent / "problems" / f"{problem}.toml"
        command = [program, "run", source, "--out", out, "--threads", "1", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        profile = json.loads((out / "profile.json").read_text())
    phases = {phase["name"]: phase["seconds"] for phase in profile["ranks"][0]["phases"]}
    steps_alone = sum(t for name, t in phases.items() if name not in ("snapshot", "checkpoint"))
    light = sum(t for name, t in phases.items() if name.startswith("radiation"))
    return light, steps_alone - light


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--substeps", type=int, nargs="+", default=[4, 8, 16, 32])
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=PROBLEMS)
    parser.add_argument("--check", action="store_true", help="fail where light takes too long")
    given = parser.parse_args()
    asked = {(problem, n) for problem in given.problems for n in given.substeps}
    if given.check and not asked & AT_MOST.keys():
        parser.error(f"there is something to check of {', '.join(map(str, AT_MOST))} alone")
    too_long = []
    for problem in given.problems:
        ratios: dict[int, list[float]] = {n: [] for n in given.substeps}
        for _ in range(given.turns):
            for n in given.substeps:
                light, rest = seconds(given.build / "rednova", problem, n, given.steps)
                ratios[n].append(light / rest)
        medians = {n: statistics.median(of) for n, of in ratios.items()}
        table = ", ".join(f"{n}: {median:.2f}" for n, median in medians.items())
        print(f"{problem}: light over the rest with substeps {table}")
        for n, median in medians.items():
            most = AT_MOST.get((problem, n), median)
            if median > most:
                too_long.append(f"{problem}, {n} substeps: light over the rest {median:.2f}, above {most}")
    if given.check:
        sys.exit("\n".join(too_long) or 0)


if __name__ == "__main__":
    main()
