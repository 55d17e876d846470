"""Where the program is that the tests run: `make test` names it in REDNOVA."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(os.environ.get("REDNOVA", ROOT / "build" / "rednova"))
