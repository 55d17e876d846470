"""What a step costs with each gas: processor time beside that of ideal gas, in turns, without gravity."""

import argparse
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

INPUT = """\
[run]
max_steps = 10
[units]
system = "solar"
[mesh]
lower = [-0.5, -0.5, -0.5]
base_blocks = [5, 5, 5]
base_width = 0.2
max_level = 0
[hydro]
species = ["a", "b", "c", "d", "e"]
density_floor = 1e-14
energy_floor = 1e-22
[problem]
name = "sod"
left_density = 1e-7
left_pressure = 1e-10
right_density = 4e-8
right_pressure = 1e-11
[output]
checkpoint_steps = 0
"""
CELLS = 125 * 512
STELLAR = 'eos.model="stellar"'
GASES = {
    "ideal": [],
    "stellar": [STELLAR],
    "stellar, mixed": [STELLAR, "eos.hydrogen=[0.7,0.6,0.65,0.62,0.7]"],
}


def processor_seconds(program: Path, settings: list[str], steps: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with tempfile.TemporaryDirectory() as where:
        file = Path(where) / "input.toml"
        file.write_text(INPUT)
        words = [word for key in [*settings, f"run.max_steps={steps}"] for word in ("--set", key)]
        command = [program, "run", file, "--out", Path(where) / "run", "--threads", "1", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    program = given.build / "rednova"
    for settings in GASES.values():
        processor_seconds(program, settings, 1)  # makes tables that are not there
    few, many = 10, 40
    times: dict[str, list[float]] = {name: [] for name in GASES}
    for _ in range(given.turns):
        for name, settings in GASES.items():
            more = processor_seconds(program, settings, many) - processor_seconds(program, settings, few)
            times[name].append(more / (many - few) / CELLS)
    ideal = statistics.median(times["ideal"])
    for name, all_turns in times.items():
        median = statistics.median(all_turns)
        print(f"{name:>15}: {median * 1e9:5.0f} ns a cell and step, {median / ideal:.2f} times ideal gas")


if __name__ == "__main__":
    main()
