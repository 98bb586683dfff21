"""``python -m kgbench``: the same as the command ``kgbench``."""

from __future__ import annotations

from kgbench.cli.app import main

if __name__ == "__main__":
    main()
