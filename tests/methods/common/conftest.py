"""Makes ``odd_replies`` importable for the tests of the parsers."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
