"""Makes ``gog_script`` and ``odd_replies`` importable for the tests of GoG."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "common")]
