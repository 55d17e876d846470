"""The input of the run that tests of the Python package share."""

# A blast in solar units, so that code units are not cgs; 120 blocks on two levels.
BLAST = """\
[problem]
name = "sedov"

[run]
max_steps = 6

[units]
system = "solar"

[mesh]
lower = [-0.5, -0.5, -0.5]
rotation = 0.5
min_level = 1
max_level = 3
regrid_interval = 2

[refine]
gradient_field = "pressure"
gradient = 0.3
"""
