"""`python -m rednova.lightcurve RUN`."""

import sys

from rednova.lightcurve import main

sys.exit(main())
