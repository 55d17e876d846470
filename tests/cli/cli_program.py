"""The program under test, and an input for a small run that each test may start from."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("REDNOVA", ROOT / "build" / "rednova"))

# 1 + 7 blocks on two levels, a few milliseconds a step.
SMALL = """\
[problem]
name = "sedov"

[run]
max_steps = 6

[mesh]
lower = [-0.5, -0.5, -0.5]
max_level = 2
min_level = 1
regrid_interval = 2

[refine]
gradient_field = "pressure"
gradient = 0.3

[output]
checkpoint_steps = 0
"""
