#!/usr/bin/env python3
"""What the device's kernels consist of: registers, and the instructions of their inner loops or phases.

Usage: bench/device_counts.py LIBRARY [CUOBJDUMP]

Of librednova_gravity_cuda.a of a CUDA build, prints a row for each kernel and loop: one record of a warp, whose sources
are added above and below (folded) or met alone. Of librednova_hydro_cuda.a, a row for each kernel and phase between two
barriers, all branches and one turn of each loop: a warp's cells or faces. With each the cycles of a multiprocessor of
compute capability 9.0 that it takes at least: by double precision (64 lanes), by shared memory (128 bytes), by
instructions issued (4).
"""

import collections
import re
import subprocess
import sys

UPDATE = re.compile(r"thread_block_update<.*edges_(\w+), rednova::hydro::riemann_(\w+)>, (\d+)>")
PHASES = ("gas for the excess", "excess", "variables", "faces", "cells")
KERNEL = re.compile(r"operator_shape<(\d), (\d), (\d), (\d), \S*?(\d)>, (\d), (\d), (\d), (\d)>")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def functions(text):
    """Name → instructions (address, operation, operands) of a disassembly."""
    found = {}
    for line in text.splitlines():
        if name := re.search(r"Function : (\S+)", line):
            found[name[1]] = current = []
        elif code := re.match(r"\s+/\*([0-9a-f]{4,5})\*/\s+(?:@!?U?P\w+ )?([A-Z][\w.]*)(.*);", line):
            current.append((int(code[1], 16), code[2], code[3]))
    return found


def basic_blocks(instructions):
    targets = {
        int(re.search(r"0x([0-9a-f]+)", rest)[1], 16) for _, op, rest in instructions if op.startswith("BRA")
    }
    blocks = [[]]
    for address, op, _ in instructions:
        if address in targets:
            blocks.append([])
        blocks[-1].append(op)
        if op.startswith("BRA"):
            blocks.append([])
    return blocks


def phases(instructions):
    """The operations between two barriers, in the order of the code."""
    found = [[]]
    for _, op, _ in instructions:
        found[-1].append(op)
        if op.startswith("BAR"):
            found.append([])
    return found


def cycles(count, total):
    """Of a multiprocessor for one warp: double precision, shared memory, issue. A 16-byte load of all lanes from one
    address counts as one access, an 8-byte load as two of 128 bytes, though some are of one address too."""
    double = sum(count[op] for op in ("DFMA", "DADD", "DMUL", "DSETP")) * 32 / 64
    return double, 2 * count["LDS.64"] + count["LDS.128"], total / 4


def print_phases(kernels, registers):
    print(
        "| edges, solver | threads | registers | phase | DADD, DMUL, DFMA | DSETP | LDS, STS | all | cycles |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (edges, solver, threads), instructions in kernels:
        for phase, operations in zip(PHASES, phases(instructions), strict=True):
            count = collections.Counter(op.split(".")[0] for op in operations)
            count["LDS.64"] = count["LDS"] + count["STS"]
            bounds = ", ".join(f"{c:.0f}" for c in cycles(count, len(operations)))
            arithmetic = count["DADD"] + count["DMUL"] + count["DFMA"]
            print(
                f"| {edges}, {solver} | {threads} | {registers[name]} | {phase} | {arithmetic} | {count['DSETP']} "
                f"| {count['LDS.64']} | {len(operations)} | {bounds} |"
            )


def main(library, cuobjdump="cuobjdump"):
    usage = run(cuobjdump, "--dump-resource-usage", "-arch", "sm_90", library)
    registers = dict(re.findall(r"Function (\S+):\s+REG:(\d+)", usage))
    code = functions(run(cuobjdump, "-sass", "-arch", "sm_90", library))
    found = ((name, UPDATE.search(run("c++filt", name)), instructions) for name, instructions in code.items())
    if updates := [(name, kernel.groups(), instructions) for name, kernel, instructions in found if kernel]:
        print_phases(updates, registers)
    else:
        print_loops(code, registers)


def print_loops(code, registers):
    print(
        "| order, targets, sources | reach | children × parents | registers | loop | DFMA | DADD | LDS.64 | LDS.128 "
        "| all | cycles: double, shared, issue |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, instructions in code.items():
        shape = KERNEL.search(run("c++filt", name))
        if not shape:
            continue
        p, first, last, sources, _, reach, together, parents, _ = shape.groups()
        for block in basic_blocks(instructions):
            count = collections.Counter(block)
            if count["DFMA"] < 8:
                continue
            loop = "folded" if count["DADD"] else "single"
            bounds = ", ".join(f"{c:.0f}" for c in cycles(count, len(block)))
            print(
                f"| {p}, {first}–{last}, 0–{sources} | {reach} | {together} × {parents} | {registers[name]} | {loop} "
                f"| {count['DFMA']} | {count['DADD']} | {count['LDS.64']} | {count['LDS.128']} | {len(block)} "
                f"| {bounds} |"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
