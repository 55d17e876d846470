"""`python -m rednova.report RUN`."""

import sys

from rednova.report import main

sys.exit(main())
