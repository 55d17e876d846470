"""Whether the spin's feedback costs an order of convergence on smooth flows."""

import numpy as np
import pytest
from rednova.verify.smooth import vortex, vortex_error, wave, wave_error


# On coarser meshes the shear wave without feedback converges faster, with order 4 from 16 to 32 cells and 3.4 to 64:
# its error is that of parabolae in space until that of the third-order steps in time takes over. Between 64 and 128
# cells both have come to the order that lasts. Measured: shear 3.32 with and 3.13 without, vortex 1.989 and 1.986.
# Ten minutes on two threads.
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("job", "error"),
    [(lambda b, s: wave("shear", b, s), lambda run: wave_error(run, "shear")), (vortex, vortex_error)],
    ids=["shear", "vortex"],
)
def test_feedback_costs_no_order(made, job, error):
    order = {s: np.log2(error(made(job(8, s))) / error(made(job(16, s)))) for s in (True, False)}
    assert order[True] > order[False]
