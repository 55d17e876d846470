"""An input for a small run that each test may start from."""

# An explosion off the centre, in 15 blocks, whose wave asks for more
# after 16 steps; a few milliseconds a step.
SMALL = """\
[problem]
name = "sedov"
centre = [-0.375, -0.375, -0.375]
radius = 0.06
pressure = 1.0

[run]
max_steps = 20

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
