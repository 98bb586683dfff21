"""Where a run writes: whether it may, and whether there is room."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.doctor.rows import CheckRow, failed, ok, warning
from kgbench.run.plan import cache_folder

if TYPE_CHECKING:
    from kgbench.doctor.case import Case

SCARCE, TOO_LITTLE = 1 << 30, 64 << 20
"""Free bytes below which there is a warning, and below which a run may end in the middle of a record."""


def check_output(case: Case) -> list[CheckRow]:
    """Look at the folder for run folders."""
    return [_row("output folder", Path(case.spec.out).expanduser(), "give another folder with --out")]


def check_cache(case: Case) -> list[CheckRow]:
    """Look at the folder of caches."""
    folder = cache_folder()
    size = sum(file.stat().st_size for file in folder.glob("*") if file.is_file()) if folder.is_dir() else 0
    row = _row("cache folder", folder, "name another folder in KGBENCH_CACHE, or run with --cache off", size)
    return [row]


def _row(check: str, folder: Path, elsewhere: str, size: int | None = None) -> CheckRow:
    why = why_not_writable(folder)
    if why:
        return failed(check, why, elsewhere, folder=str(folder), writable=False)
    free = shutil.disk_usage(_there(folder)).free
    facts = {"folder": str(folder), "writable": True, "free_bytes": free}
    found = f"{folder} can be written, {_bytes(free)} free"
    if size is not None:
        facts["size_bytes"] = size
        found += f", {_bytes(size)} in it"
    if free < TOO_LITTLE:
        return failed(check, found, f"make room, or {elsewhere}", **facts)
    return warning(check, found, f"make room, or {elsewhere}", **facts) if free < SCARCE else ok(check, found, **facts)


def why_not_writable(folder: Path) -> str:
    """Return why no file can be made in a folder, which need not exist yet; empty where one can. Nothing is left behind."""
    there = _there(folder)
    if not there.is_dir():
        return f"{folder} cannot be written: {there} is no folder"
    try:
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as error:
        return f"{folder} cannot be written: {error.strerror}"


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    folder = folder.absolute()
    return next((path for path in (folder, *folder.parents) if _exists(path)), Path(folder.anchor))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False  # it lies in a folder that may not be looked into


def _bytes(count: int) -> str:
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count / 1024:.0f} kB"
