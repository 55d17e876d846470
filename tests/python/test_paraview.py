"""Snapshots as ParaView opens them, where it is installed: every cell of every field."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import rednova
from blast_input import BLAST

READS = Path(__file__).with_name("paraview_fields.py")
CHOSEN = """
[output]
snapshot_time = 0.0002
"""
PACKED = """
fields = ["density", "velocity_x", "pressure"]
precision = "single"
compression = 1
"""


@pytest.mark.parametrize("packing", ["", PACKED])
def test_paraview_reads_each_cell_of_a_series(packing, make_run, tmp_path):
    pvpython = shutil.which("pvpython")
    if pvpython is None:
        pytest.skip("no ParaView (Debian: apt-get install paraview python3-paraview)")
    run = rednova.Run(make_run("packed" if packing else "whole", BLAST + CHOSEN + packing))
    # It has a Python of its own.
    alone = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    command = [pvpython, READS, run.directory / "snapshots.xdmf", tmp_path / "read.npz"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=alone)
    assert done.returncode == 0, done.stdout + done.stderr
    with np.load(tmp_path / "read.npz") as read:
        assert read["times"].tolist() == [s.time for s in run.snapshots]
        assert len(read["times"]) > 1
        for n, snapshot in enumerate(run.snapshots):
            assert np.array_equal(read[f"{n}/lower"], snapshot.lower)
            assert np.array_equal(read[f"{n}/width"], np.repeat(snapshot.width[:, None], 3, axis=1))
            fields = {name.removeprefix(f"{n}/field/") for name in read if name.startswith(f"{n}/field/")}
            assert fields == set(snapshot.stored_fields)
            for field in fields:
                cells = read[f"{n}/field/{field}"].astype(float)
                assert np.array_equal(cells.reshape(snapshot[field].shape), snapshot[field])
