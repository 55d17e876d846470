"""What the profile costs: runs with it and without it in turns, and compares medians."""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def seconds_of(program: Path, steps: int, threads: int, more: list[str]) -> tuple[float, float]:
    """Wall time and processor time of a run of so many steps, its start included."""
    with tempfile.TemporaryDirectory() as out:
        command = [
            program,
            "run",
            HERE / "rotating_star.toml",
            "--out",
            Path(out) / "run",
            "--threads",
            threads,
        ]
        command += ["--set", f"run.max_steps={steps}", "--set", "output.snapshot_time=0", *more]
        used, begin = os.times(), time.perf_counter()
        subprocess.run([str(c) for c in command], check=True, stdout=subprocess.DEVNULL)
        wall, now = time.perf_counter() - begin, os.times()
    processor = now.children_user + now.children_system - used.children_user - used.children_system
    return wall, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    forms = {"without": ["--no-profile"], "with": []}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in forms}
    for n in range(chosen.rounds):
        # Who comes first finds the machine as the last one left it: they take turns.
        for name in sorted(forms, reverse=n % 2 == 1):
            found[name].append(
                seconds_of(chosen.build / "rednova", chosen.steps, chosen.threads, forms[name])
            )
    result = {"steps": chosen.steps, "threads": chosen.threads, "rounds": chosen.rounds}
    for i, what in enumerate(("wall", "processor")):
        median = {name: statistics.median(run[i] for run in runs) for name, runs in found.items()}
        spread = {
            name: max(run[i] for run in runs) / min(run[i] for run in runs) - 1
            for name, runs in found.items()
        }
        cost = median["with"] / median["without"] - 1
        result[what] = {"seconds": median, "spread": spread, "cost": cost}
        print(
            f"{what + ' time':<16} with {median['with']:.3f} s, without {median['without']:.3f} s: "
            f"{100 * cost:+.2f} % (runs spread by {100 * max(spread.values()):.1f} %)"
        )
    (chosen.build / "profile_cost.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
