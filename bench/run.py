"""Runs the benchmarks, prints medians, writes them to build/bench.json and draws build/roofline.png.

Usage: python bench/run.py [--build DIR] [--repeat 5] [--steps 2] [--threads 1] [--input FILE] [--baseline COMMIT]
                           [--check]

With --check it ends with exit code 1 if a figure falls short of AT_LEAST and AT_MOST, which says something only on a
quiet machine of the kind that docs/performance.md names.

With a baseline that commit is built in build/baseline and measured in turn with this one: the ratios of the medians,
new over old, stand under `ratio_to_baseline`.
"""

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import roofline

HERE = Path(__file__).resolve().parent
RATES = {
    "full_step": "full step    cell-steps/s/core",
    "hydro": "hydro alone  cell-steps/s/core",
    "gravity": "gravity      cells/s/core and solve",
    "bytes_per_cell": "memory       bytes/cell",
}
# The hydrodynamics of the Euler equations alone, as codes without species and spin have it.
PLAIN = ('hydro.species=["star"]', "hydro.spin=false", "gravity.enabled=false")
# The kernels of the default order and near field, whose shares of the peak are the headline.
DEFAULT_KERNELS = {"m2l_share_of_peak": "m2l/p:3/R2:6", "p2p_share_of_peak": "p2p/R2:6"}
# What `--check` asks for: at least, and at most. Octo-Tiger on such a core: full step 40e3, hydro 65e3, gravity 0.58e6.
AT_LEAST = {
    "full_step": 400e3,
    "hydro": 600e3,
    "hydro_plain": 1.2e6,
    "gravity": 2.5e6,
    "m2l_share_of_peak": 0.60,
    "p2p_share_of_peak": 0.70,
}
AT_MOST = {"bytes_per_cell": 1200, "rms_percent": 0.5}
# Of single solves for gravity on bench_gravity's star: cells/s at least, rms error in percent at most.
SOLVES = {"solve/p:3/R2:6": (2.5e6, 0.5), "solve/p:4/R2:6": (0.8e6, 0.05)}
# Uniform levels whose cost a cell is compared: 512 cells to 2 million; steps so that each takes long enough.
LEVELS = {0: 200, 1: 50, 2: 10, 3: 2, 4: 1}


def run_step(program, source, steps, threads, *settings):
    """One run of bench_step: its JSON as a dict."""
    done = subprocess.run(
        [program, source, str(steps), str(threads), *settings], capture_output=True, text=True, check=False
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
    """Median of each case of a Google Benchmark program: items, flops or bytes per second."""
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
    known = ("items_per_second", "flops", "a_cycle", "bytes", "rms_percent", "bias_percent", "bytes_per_cell")
    return {
        case["run_name"]: {key: case[key] for key in known if key in case}
        for case in json.loads(done.stdout)["benchmarks"]
        if case.get("aggregate_name") == "median"
    }


def all_kernels(build, repeat):
    """Of all Google Benchmark programs, by program."""
    result = {}
    for program in sorted((build / "bench").glob("bench_*")):
        if program.name != "bench_step" and os.access(program, os.X_OK) and program.is_file():
            print(f"bench: {program.name}", flush=True)
            result[program.name.removeprefix("bench_")] = kernel_rates(program, repeat)
    return result


def shares_of_peak(kernels):
    """Of each kernel of gravity, against the multiply-adds measured in the same run of its program."""
    peak = kernels["peak"]["flops"]
    return {
        name: case["flops"] / peak for name, case in kernels.items() if "flops" in case and name != "peak"
    }


def phase_rates(runs, machine):
    """Of each phase: cell-steps/s and core, GFLOP/s and GB/s by formula, their shares, flops per byte; medians."""
    flops, stream = machine["peak"]["flops"], machine["stream_triad"]["bytes"]
    result = {}
    for name, work in runs[0]["work"].items():
        rates = [
            run["cells"] * run["steps"] / run["threads"] / run["phase_seconds"][name]
            for run in runs
            if run["phase_seconds"].get(name)
        ]
        if not rates:
            continue
        rate = statistics.median(rates)
        done, moved = rate * work["flops_per_cell_step"], rate * work["bytes_per_cell_step"]
        result[name] = work | {
            "cell_steps_per_second": rate,
            "gflops": done / 1e9,
            "share_of_peak": done / flops,
            "gbytes_per_second": moved / 1e9,
            "share_of_stream": moved / stream,
            "flops_per_byte": work["flops_per_cell_step"] / work["bytes_per_cell_step"],
        }
    return result


def floors(runs, machine):
    """Seconds a cell-step that the operations alone and the bytes alone would take at the measured peaks."""
    work = runs[0]["work"].values()
    return {
        "flops_per_cell_step": sum(w["flops_per_cell_step"] for w in work),
        "bytes_per_cell_step": sum(w["bytes_per_cell_step"] for w in work),
        "seconds_by_flops": sum(w["flops_per_cell_step"] for w in work) / machine["peak"]["flops"],
        "seconds_by_bytes": sum(w["bytes_per_cell_step"] for w in work) / machine["stream_triad"]["bytes"],
    }


def scaling(program, source, threads):
    """Cell-steps per second and core on uniform meshes, and the slope of log(time) against log(cells)."""
    rows = []
    for level, steps in LEVELS.items():
        run = run_step(program, source, steps, threads, f"mesh.min_level={level}", f"mesh.max_level={level}")
        rows.append({key: run[key] for key in ("cells", *RATES)})
        print(f"bench: {run['cells']:.0f} cells: {run['full_step']:.4g} cell-steps/s/core", flush=True)
    large = [row for row in rows if row["cells"] > 1e4]
    times = [row["cells"] / row["full_step"] for row in large]
    cells = [row["cells"] for row in large]
    return {"meshes": rows, "slope": statistics.linear_regression(*map(logs, (cells, times))).slope}


def logs(values):
    """Natural logarithms."""
    return [math.log(value) for value in values]


def build_baseline(commit, build):
    """Builds a commit's benchmarks in build/baseline; where they are."""
    source, target = build / "baseline" / "source", build / "baseline" / "build"
    subprocess.run(["git", "worktree", "prune"], cwd=HERE, check=True)
    if source.exists():
        subprocess.run(["git", "worktree", "remove", "--force", source], cwd=HERE, check=True)
    subprocess.run(["git", "worktree", "add", "--detach", source, commit], cwd=HERE, check=True)
    subprocess.run(
        ["cmake", "--preset", "release", "-B", target], cwd=source, check=True, capture_output=True
    )
    subprocess.run(
        ["cmake", "--build", target, "--target", "bench_step", "bench_gravity", "bench_hydro"], check=True
    )
    return target


def ratios(new, old):
    """new / old of the medians of step and kernels that both have."""
    result = {
        key: statistics.median(r[key] for r in new["runs"]) / statistics.median(r[key] for r in old["runs"])
        for key in RATES
    }
    for program, cases in new["kernels"].items():
        for name, case in cases.items():
            before = old["kernels"].get(program, {}).get(name, {})
            if "items_per_second" in case and "items_per_second" in before:
                result[f"{program} {name}"] = case["items_per_second"] / before["items_per_second"]
    return result


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
    parser.add_argument("--baseline", help="commit to compare with")
    parser.add_argument("--check", action="store_true", help="fail where a figure falls short")
    args = parser.parse_args()
    build = args.build.resolve()
    old_build = build_baseline(args.baseline, build) if args.baseline else None

    load = os.getloadavg()[0]
    runs, old_runs, plain = [], [], []
    for n in range(args.repeat):
        print(f"bench: run {n + 1} of {args.repeat}", flush=True)
        program = build / "bench" / "bench_step"
        runs.append(run_step(program, args.input, args.steps, args.threads))
        plain.append(run_step(program, args.input, args.steps, args.threads, *PLAIN)["hydro"])
        if old_build:
            program = old_build / "bench" / "bench_step"
            old_runs.append(run_step(program, args.input, args.steps, args.threads))

    result = {key: statistics.median(run[key] for run in runs) for key in RATES}
    result["hydro_plain"] = statistics.median(plain)
    result["core_share"] = {
        key: statistics.median(run["core_share"][key] for run in runs) for key in runs[0]["core_share"]
    }
    result["phases"] = shares(runs)
    kernels = all_kernels(build, args.repeat)
    result["kernels"] = kernels
    result |= runs[0]["gravity_error"]
    result["shares_of_peak"] = shares_of_peak(kernels["gravity"])
    for key, name in DEFAULT_KERNELS.items():
        result[key] = result["shares_of_peak"][name]
    result["phase_rates"] = phase_rates(runs, kernels["machine"])
    result["floors"] = floors(runs, kernels["machine"])
    result["scaling"] = scaling(build / "bench" / "bench_step", args.input, args.threads)
    if old_build:
        old = {"runs": old_runs, "kernels": all_kernels(old_build, args.repeat)}
        result["baseline"] = args.baseline
        result["ratio_to_baseline"] = ratios({"runs": runs, "kernels": kernels}, old)
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
    kept = build / "bench_history"
    kept.mkdir(exist_ok=True)
    shutil.copy(build / "bench.json", kept / f"{result['date'].replace(':', '')}.json")
    report(result)
    roofline.draw(result, build / "roofline.png")
    print(f"written to {build / 'bench.json'} and roofline.png; all runs are kept in {kept}")
    if args.check:
        sys.exit("\n".join(shortfalls(result)) or 0)


def shortfalls(result):
    """A line for each figure that falls short."""
    if min(result["core_share"].values()) < 0.97:
        return [f"the machine was not quiet (core share {result['core_share']}): nothing can be said"]
    few = [
        f"{key}: {result[key]:.4g}, not {limit:.4g}" for key, limit in AT_LEAST.items() if result[key] < limit
    ]
    much = [
        f"{key}: {result[key]:.4g}, above {limit:.4g}"
        for key, limit in AT_MOST.items()
        if result[key] > limit
    ]
    for name, (rate, error) in SOLVES.items():
        case = result["kernels"]["gravity"][name]
        if case["items_per_second"] < rate or case["rms_percent"] > error:
            few.append(
                f"{name}: {case['items_per_second']:.4g} at {case['rms_percent']:.3g} %, not {rate:.4g} at {error} %"
            )
    return few + much


def report(result):
    """Prints the medians, the phases and the kernels."""
    print(
        f"\n{result['cells']:.0f} cells, blocks by level {result['blocks_by_level']}, {result['processor']}"
    )
    for key, label in RATES.items():
        values = [run[key] for run in result["runs"]]
        print(f"  {label:<38}{result[key]:>12.4g}   ({min(values):.4g} to {max(values):.4g})")
    print(f"  {'hydro alone, one species, no spin':<38}{result['hydro_plain']:>12.4g}")
    if result["threads"] == 1 and min(result["core_share"].values()) < 0.97:
        print(
            f"  the machine was not quiet: of its core the program had {result['core_share']}; the rates are too low"
        )
    print(
        f"  gravity's rms error {result['rms_percent']:.3g} %, bias {result['bias_percent']:+.2g} % (points)"
    )
    floor = result["floors"]
    print(
        f"  floors of a cell-step: {1e9 * floor['seconds_by_flops']:.0f} ns by flops, "
        f"{1e9 * floor['seconds_by_bytes']:.0f} ns by bytes; measured {1e9 / result['full_step']:.0f} ns"
    )
    print("  phase              share  cell-steps/s   GFLOP/s of peak    GB/s of STREAM  flops/byte")
    for name, share in result["phases"].items():
        rate = result["phase_rates"].get(name)
        if share < 0.001:
            continue
        text = f"    {name:<16}{100 * share:>6.1f} %"
        if rate:
            text += (
                f"{rate['cell_steps_per_second']:>12.3g}{rate['gflops']:>10.2f}{100 * rate['share_of_peak']:>7.1f} %"
                f"{rate['gbytes_per_second']:>8.2f}{100 * rate['share_of_stream']:>8.1f} %"
                f"{rate['flops_per_byte']:>10.2g}"
            )
        print(text)
    peak = result["kernels"]["machine"]["peak"]
    print(
        f"  the peak: {peak['flops'] / 1e9:.1f} GFLOP/s, {peak['a_cycle']:.2f} multiply-adds of packs a cycle"
    )
    print("  gravity's kernels, share of the peak of multiply-adds")
    for name, share in result["shares_of_peak"].items():
        print(f"    {name:<24}{100 * share:>6.1f} %")
    for program, cases in result["kernels"].items():
        print(f"  kernels of bench_{program}, items/s")
        for name, case in cases.items():
            if "items_per_second" in case:
                error = ""
                if "rms_percent" in case:
                    error = f"   rms error {case['rms_percent']:.3g} %, bias {case['bias_percent']:+.2g} %"
                print(f"    {name:<40}{case['items_per_second']:>12.4g}{error}")
    print(f"  time of a step against cells: slope {result['scaling']['slope']:.3f}")
    for name, ratio in result.get("ratio_to_baseline", {}).items():
        print(f"  {name:<44}{ratio:>6.2f} times {result['baseline']}")


if __name__ == "__main__":
    main()
