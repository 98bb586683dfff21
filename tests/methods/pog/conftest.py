"""Makes the helpers of these tests, and the odd replies of the parsers' tests, importable."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "common"):
    sys.path.insert(0, str(folder))
