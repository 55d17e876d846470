"""What profile and trace cost: in a step, on several numbers of ranks (build/bench/profile_cost), and on disk."""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUT = HERE / "rotating_star.toml"
LAUNCHER = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def output_of(ranks: int, *command: object) -> str:
    launch = [*LAUNCHER, ranks] if ranks > 1 else []
    return subprocess.run(
        [str(c) for c in [*launch, *command]], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


# Blocks of one size are enough to see what a scope costs beside a block's work. Of few of them a step is short, and
# many steps tell what the machine's noise hides of few.
LEVEL = 1
TURNS = 1500


def cost_in_a_step(build: Path, ranks: int, turns: int, threads: int, level: int) -> dict:
    mesh = [f"mesh.{which}_level={level}" for which in ("min", "max")]
    with tempfile.TemporaryDirectory() as out:
        told = output_of(ranks, build / "bench" / "profile_cost", INPUT, out, turns, threads, *mesh)
    return json.loads(told)


def table_of(result: dict) -> str:
    """Costs with their standard errors: of the wall time, and of the main thread's processor time."""
    text = f"{'':>10}{'wall time':>20}{'processor time':>20}\n"
    for form in ("control", "profile", "trace"):
        text += f"{form:>10}"
        for clock in ("wall", "processor"):
            cost, error = (100 * result[form][clock][key] for key in ("cost", "standard_error"))
            text += f"{f'{cost:+.2f} ± {error:.2f} %':>20}"
        text += "\n"
    return text


def bytes_of_a_trace(build: Path, ranks: int, steps: int, threads: int) -> dict:
    """Bytes a step and rank of a run's records and archive, and how long the archive takes to be made."""
    with tempfile.TemporaryDirectory() as out:
        run = Path(out) / "run"
        more = ["--trace", "--set", f"run.max_steps={steps}", "--set", "output.snapshot_time=0"]
        output_of(ranks, build / "rednova", "run", INPUT, "--out", run, "--threads", threads, *more)
        sizes = [(f.suffix, f.stat().st_size) for f in (run / "trace").rglob("*") if f.is_file()]
        begin = time.perf_counter()
        output_of(1, build / "rednova", "trace", run)
        seconds = time.perf_counter() - begin
    records = sum(size for suffix, size in sizes if suffix == ".records")
    archive = sum(size for _, size in sizes) - records
    return {
        "records_bytes_per_step_and_rank": records / steps / ranks,
        "archive_bytes_per_step_and_rank": archive / steps / ranks,
        "seconds_to_make_it_again_per_step": seconds / steps,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--steps", type=int, default=30, help="of the run whose trace is weighed")
    parser.add_argument("--turns", type=int, default=TURNS, help="of twelve steps each")
    parser.add_argument("--level", type=int, default=LEVEL, help="of all blocks in the steps that are timed")
    parser.add_argument("--threads", type=int, default=1, help="of each rank")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    chosen = parser.parse_args()
    results = []
    for ranks in chosen.ranks:
        result = cost_in_a_step(chosen.build, ranks, chosen.turns, chosen.threads, chosen.level)
        print(
            f"{ranks} ranks: a step of {1e3 * result['seconds_of_step']:.1f} ms\n{table_of(result)}",
            flush=True,
        )
        result |= bytes_of_a_trace(chosen.build, ranks, chosen.steps, chosen.threads)
        for what in ("records", "archive"):
            size = 1e-6 * result[f"{what}_bytes_per_step_and_rank"]
            print(f"{ranks} ranks: {what} {size:.3f} MB a step and rank", flush=True)
        results.append(result)
    (chosen.build / "profile_cost.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
