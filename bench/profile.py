"""What profile and trace cost: in a step, on several numbers of ranks (build/bench/profile_cost), and on disk."""

import argparse
import json
import subprocess
import sys
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


def seconds_of_a_scope(build: Path) -> dict:
    """By bench/profile.cpp: of the processor, one scope after another; and after other work has used the caches."""
    more = ["--benchmark_filter=scope_", "--benchmark_format=json"]
    told = json.loads(output_of(1, build / "bench" / "bench_profile", *more))["benchmarks"]
    kept = [b for b in told if not b.get("error_occurred")]  # no counter on this machine
    found = {b["name"].split("/iterations")[0]: b for b in kept}
    clock = 1 if "scope_of_the_profile/counter:1" in found else 0
    after, nothing = (found[f"scope_after_other_work/counter:{c}"]["median"] for c in (clock, 2))
    in_a_row = 1e-9 * found[f"scope_of_the_profile/counter:{clock}"]["cpu_time"]
    return {"in_a_row": in_a_row, "after_other_work": after - nothing}


def processor_seconds(result: dict) -> float:
    """A step's on all threads of a rank: other programs lengthen the wall time."""
    return result["processor_seconds_of_step"] * result["threads"]


def bound_of(result: dict, scope: dict) -> str:
    """What a step's scopes take by their number: noise does not touch it."""
    number, step = result["scopes_of_a_step"], processor_seconds(result)
    low, high = (number * scope[key] for key in ("in_a_row", "after_other_work"))
    return (
        f"{number:.0f} scopes a step of {1e9 * scope['in_a_row']:.0f} ns, "
        f"{1e9 * scope['after_other_work']:.0f} ns after other work: "
        f"{1e6 * low:.0f} to {1e6 * high:.0f} us, "
        f"{100 * low / step:.2f} to {100 * high / step:.2f} % of the processor's {1e3 * step:.1f} ms\n"
    )


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


#: Of a step's wall time, on cores.
LIMITS = {"profile": 0.005, "trace": 0.01}
#: Of each of a trace's records and archive a step and rank, in bytes: of 512 blocks on all ranks.
MOST_BYTES = 2e5


def beyond_limits(result: dict) -> list[str]:
    """What costs more than its limit, or is not shown to cost less: what the control, which has nothing, costs is taken
    off, and the difference is known to two of its standard errors. Of the profile the number of scopes, which has no
    noise, is to stay below the limit, too."""
    found = []
    if scope := result.get("seconds_of_a_scope"):
        share = result["scopes_of_a_step"] * scope["after_other_work"] / processor_seconds(result)
        if share > LIMITS["profile"]:
            found.append(f"{result['ranks']} ranks: scopes: {100 * share:.2f} % of the processor's time")
    none = result["control"]["wall"]
    for form, limit in LIMITS.items():
        of_form = result[form]["wall"]
        cost = of_form["cost"] - none["cost"]
        error = (of_form["standard_error"] ** 2 + none["standard_error"] ** 2) ** 0.5
        if cost + 2 * error > limit:
            beyond = cost - 2 * error > limit
            found.append(
                f"{result['ranks']} ranks: {form}: {100 * cost:+.2f} ± {100 * error:.2f} % more than the control: "
                + (
                    f"beyond {100 * limit:.1f} %"
                    if beyond
                    else f"not known to be within {100 * limit:.1f} %: take more --turns, or a quieter machine"
                )
            )
    for what in ("records", "archive"):
        size = result.get(f"{what}_bytes_per_step_and_rank", 0)
        if size > MOST_BYTES:
            found.append(
                f"{result['ranks']} ranks: {what}: {1e-6 * size:.3f} MB a step: beyond {1e-6 * MOST_BYTES:.1f} MB"
            )
    return found


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
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument(
        "--check", action="store_true", help="exit code 1 where a cost may be beyond its limit"
    )
    chosen = parser.parse_args()
    results = []
    scope = seconds_of_a_scope(chosen.build)
    for ranks in chosen.ranks:
        result = cost_in_a_step(chosen.build, ranks, chosen.turns, chosen.threads, chosen.level)
        print(
            f"{ranks} ranks: a step of {1e3 * result['seconds_of_step']:.1f} ms\n"
            f"{bound_of(result, scope)}{table_of(result)}",
            flush=True,
        )
        result |= bytes_of_a_trace(chosen.build, ranks, chosen.steps, chosen.threads)
        for what in ("records", "archive"):
            size = 1e-6 * result[f"{what}_bytes_per_step_and_rank"]
            print(f"{ranks} ranks: {what} {size:.3f} MB a step and rank", flush=True)
        again = 1e3 * result["seconds_to_make_it_again_per_step"]
        print(
            f"{ranks} ranks: the archive, and trace.json, of a step of 512 blocks take {again:.1f} ms when the run has "
            "ended",
            flush=True,
        )
        results.append(result | {"seconds_of_a_scope": scope})
        (chosen.build / "profile_cost.json").write_text(json.dumps(results, indent=1) + "\n")
    beyond = [line for result in results for line in beyond_limits(result)]
    print("\n".join(beyond) if beyond else "all costs are within their limits")
    if beyond and chosen.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
