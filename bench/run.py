"""Runs the benchmarks, prints medians and writes them to build/bench.json.

Usage: python bench/run.py [--build DIR] [--repeat 5] [--steps 2] [--threads 1] [--input FILE]
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
RATES = {
    "full_step": "full step    cell-steps/s/core",
    "hydro": "hydro alone  cell-steps/s/core",
    "gravity": "gravity      cells/s/core and solve",
    "bytes_per_cell": "memory       bytes/cell",
}


def run_step(program, source, steps, threads):
    """One run of bench_step: its JSON as a dict."""
    done = subprocess.run(
        [program, source, str(steps), str(threads)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{program} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def shares(runs):
    """Median share of each phase in the step; what is under 0.1 % is left to `other`."""
    names = {name for run in runs for name in run["phase_seconds"]}
    share = {}
    for name in names:
        parts = [r["phase_seconds"].get(name, 0) / sum(r["phase_seconds"].values()) for r in runs]
        share[name] = statistics.median(parts)
    return dict(sorted(share.items(), key=lambda item: -item[1]))


def kernel_rates(program, repeat):
    """Median items per second of each case of a Google Benchmark program."""
    done = subprocess.run(
        [
            program,
            "--benchmark_format=json",
            f"--benchmark_repetitions={repeat}",
            "--benchmark_report_aggregates_only=true",
            "--benchmark_min_time=0.2",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    cases = json.loads(done.stdout)["benchmarks"]
    return {
        case["run_name"]: case["items_per_second"]
        for case in cases
        if case.get("aggregate_name") == "median" and "items_per_second" in case
    }


def processor():
    """The processor's name as the kernel gives it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def version(build):
    """The lines of `rednova --version`: commit, compiler, features."""
    done = subprocess.run([build / "rednova", "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines()


def main():
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=HERE.parent / "build")
    parser.add_argument("--repeat", type=int, default=5, help="runs of which the median is taken")
    parser.add_argument("--steps", type=int, default=2, help="steps a run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--input", default=str(HERE / "rotating_star.toml"))
    args = parser.parse_args()
    build = args.build.resolve()

    load = os.getloadavg()[0]
    runs = []
    for n in range(args.repeat):
        print(f"bench: run {n + 1} of {args.repeat}", flush=True)
        runs.append(run_step(build / "bench" / "bench_step", args.input, args.steps, args.threads))

    result = {key: statistics.median(run[key] for run in runs) for key in RATES}
    result["core_share"] = {
        key: statistics.median(run["core_share"][key] for run in runs) for key in runs[0]["core_share"]
    }
    result["phases"] = shares(runs)
    result["kernels"] = {}
    for program in sorted((build / "bench").glob("bench_*")):
        if program.name != "bench_step" and os.access(program, os.X_OK) and program.is_file():
            print(f"bench: {program.name}", flush=True)
            result["kernels"][program.name.removeprefix("bench_")] = kernel_rates(program, args.repeat)
    result |= {
        "input": Path(args.input).name,
        "cells": runs[0]["cells"],
        "blocks_by_level": runs[0]["blocks_by_level"],
        "threads": args.threads,
        "runs": runs,
        "load_before": load,
        "processor": processor(),
        "version": version(build),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    (build / "bench.json").write_text(json.dumps(result, indent=2) + "\n")
    report(result)
    print(f"written to {build / 'bench.json'}")


def report(result):
    """Prints the medians, the phases and the kernels."""
    print(
        f"\n{result['cells']:.0f} cells, blocks by level {result['blocks_by_level']}, {result['processor']}"
    )
    for key, label in RATES.items():
        values = [run[key] for run in result["runs"]]
        print(f"  {label:<38}{result[key]:>12.4g}   ({min(values):.4g} to {max(values):.4g})")
    if result["threads"] == 1 and min(result["core_share"].values()) < 0.97:
        print(
            f"  the machine was not quiet: of its core the program had {result['core_share']}; the rates are too low"
        )
    print("  shares of the step")
    for name, share in result["phases"].items():
        if share >= 0.001:
            print(f"    {name:<24}{100 * share:>6.1f} %")
    for program, cases in result["kernels"].items():
        print(f"  kernels of bench_{program}, items/s")
        for name, rate in cases.items():
            print(f"    {name:<52}{rate:>12.4g}")


if __name__ == "__main__":
    main()
