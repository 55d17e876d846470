"""Read and draw what Rednova writes.

    >>> import rednova
    >>> run = rednova.Run("runs/contact_binary_quick")
    >>> run.history["separation"], run.history.units["separation"]
    >>> snapshot = run.snapshots[-1]
    >>> image = snapshot.slice("density", axis="z")

`rednova-plot RUN` draws the usual pictures, `rednova-profile RUN` where its time went, `rednova-report RUN` writes all
of it as one document, `rednova-lightcurve RUN` is what observers see; `rednova.exact` has exact solutions.
"""

from rednova.history import History
from rednova.pixels import Slice
from rednova.profile import Profile
from rednova.run import Run
from rednova.slices import SliceFile
from rednova.snapshot import Snapshot, Units
from rednova.trace import Trace
from rednova.tracers import Tracers
from rednova.yt_dataset import open_yt

__all__ = [
    "History",
    "Profile",
    "Run",
    "Slice",
    "SliceFile",
    "Snapshot",
    "Trace",
    "Tracers",
    "Units",
    "open_yt",
]
