"""Compares MPI with libfabric between ranks; prints medians and writes them to build/transport.json.

Each launch is one run in which the transports take turns, size by size; what else the machine does meets all.

Usage: python bench/transport.py [--build DIR] [--ranks 2]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from run import HERE, processor, version

OPENMPI = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
# name → (flavour of the MPI module, launcher)
LAUNCHES = {
    "Open MPI": ("openmpi", OPENMPI),
    "Open MPI, tcp alone": ("openmpi", [*OPENMPI, "--mca", "pml", "ob1", "--mca", "btl", "tcp,self"]),
    "MPICH": ("mpich", ["mpirun.mpich"]),
    "MPI": ("mpi", ["mpirun"]),
}
CARRIERS = ["mpi", "libfabric:shm", "libfabric:tcp"]


def launches(build):
    """Those whose MPI the build has a module for."""
    return {
        name: launch
        for name, (flavour, launch) in LAUNCHES.items()
        if (build / f"librednova_mpi_{flavour}.so").exists()
    }


def measure(launch, build, ranks):
    """One run of transport_bench: its JSON as a dict, each list of repeats as median and smallest."""
    done = subprocess.run(
        [*launch, "-n", str(ranks), build / "bench" / "transport_bench", *CARRIERS],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"transport_bench failed:\n{done.stdout}{done.stderr}")
    result = json.loads(done.stdout)
    for kind in ("latency", "halo"):
        for sizes in result[kind].values():
            for size, seconds in sizes.items():
                sizes[size] = {"median": statistics.median(seconds), "smallest": min(seconds)}
    return result


def size_name(size):
    """Bytes with a unit."""
    size = int(size)
    for unit in ("B", "KiB", "MiB"):
        if size < 1024 or unit == "MiB":
            return f"{size} {unit}"
        size //= 1024
    return None


def table(result, kind, rate):
    """Lines of a Markdown table: microseconds (median and smallest), and MB/s where `rate` is asked for."""
    carriers = list(result[kind])
    yield "| bytes | " + " | ".join(carriers) + " |"
    yield "|---|" + "---|" * len(carriers)
    for size in sorted(result[kind][carriers[0]], key=int):
        cells = []
        for carrier in carriers:
            entry = result[kind][carrier][size]
            cell = f"{1e6 * entry['median']:.3g} ({1e6 * entry['smallest']:.3g})"
            if rate and int(size) >= 2**18:
                cell += f", {int(size) / entry['median'] / 1e6:.0f} MB/s"
            cells.append(cell)
        yield f"| {size_name(size)} | " + " | ".join(cells) + " |"


def main():
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=HERE.parent / "build")
    parser.add_argument("--ranks", type=int, default=2)
    args = parser.parse_args()
    build = args.build.resolve()
    found = launches(build)
    if not found:
        sys.exit("the build has no MPI module; tools/setup build installs MPI")
    result = {
        "load_before": os.getloadavg()[0],
        "processor": processor(),
        "version": version(build) if (build / "rednova").exists() else [],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "launches": {},
    }
    for name, launch in found.items():
        run = measure(launch, build, args.ranks)
        result["launches"][name] = run
        print(f"\n{name} ({run['mpi']}), {run['ranks']} ranks: microseconds one way, median (smallest)")
        print("\n".join(table(run, "latency", rate=True)))
        print("26 messages to and from each rank, microseconds an exchange, median (smallest)")
        print("\n".join(table(run, "halo", rate=False)), flush=True)
    (build / "transport.json").write_text(json.dumps(result, indent=2) + "\n")
    print(f"\nwritten to {build / 'transport.json'}; load before: {result['load_before']:.1f}")


if __name__ == "__main__":
    main()
