"""What profile and trace cost: runs with and without them in turns, on several numbers of ranks; compares medians."""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORMS = {"without": ["--no-profile"], "profile": [], "trace": ["--trace"]}
LAUNCHER = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def run(program: Path, steps: int, threads: int, ranks: int, more: list[str]) -> dict[str, float]:
    """Wall time, processor time and bytes of the trace of a run of so many steps, its start and end included."""
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
        launch = [*LAUNCHER, ranks] if ranks > 1 else []
        used, begin = os.times(), time.perf_counter()
        subprocess.run([str(c) for c in [*launch, *command]], check=True, stdout=subprocess.DEVNULL)
        wall, now = time.perf_counter() - begin, os.times()
        files = list((Path(out) / "run" / "trace").rglob("*"))
        records = sum(f.stat().st_size for f in files if f.suffix == ".records")
        archive = sum(f.stat().st_size for f in files if f.is_file()) - records
    processor = now.children_user + now.children_system - used.children_user - used.children_system
    return {"wall": wall, "processor": processor, "records": records, "archive": archive}


def compare(chosen: argparse.Namespace, ranks: int) -> dict:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in FORMS}
    for n in range(chosen.rounds):
        # Who comes first finds the machine as the last one left it: they take turns.
        for name in sorted(FORMS, reverse=n % 2 == 1):
            found[name].append(
                run(chosen.build / "rednova", chosen.steps, chosen.threads, ranks, FORMS[name])
            )
    result: dict = {"ranks": ranks}
    for what in ("wall", "processor"):
        median = {name: statistics.median(r[what] for r in runs) for name, runs in found.items()}
        spread = max(max(r[what] for r in runs) / min(r[what] for r in runs) - 1 for runs in found.values())
        cost = {name: median[name] / median["without"] - 1 for name in FORMS if name != "without"}
        result[what] = {"seconds": median, "spread": spread, "cost": cost}
        print(
            f"{ranks} rank{'s' if ranks > 1 else ' '} {what + ' time':<15} without {median['without']:7.3f} s, "
            f"profile {100 * cost['profile']:+.2f} %, trace {100 * cost['trace']:+.2f} % "
            f"(runs spread by {100 * spread:.1f} %)",
            flush=True,
        )
    for what in ("records", "archive"):
        each = found["trace"][0][what] / chosen.steps / ranks
        result[f"{what}_bytes_per_step_and_rank"] = each
        print(
            f"{ranks} rank{'s' if ranks > 1 else ' '} {what}: {1e-6 * each:.3f} MB a step and rank",
            flush=True,
        )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1, help="of each rank")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    chosen = parser.parse_args()
    result = {"steps": chosen.steps, "threads": chosen.threads, "rounds": chosen.rounds}
    result["by_ranks"] = [compare(chosen, ranks) for ranks in chosen.ranks]
    (chosen.build / "profile_cost.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
