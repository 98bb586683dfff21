"""The key that pseudonyms are made with: that there is one, and that its owner alone can read it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from kgbench.data.load import DEMO
from kgbench.doctor.disk import why_not_writable
from kgbench.doctor.rows import CheckRow, failed, ok, warning
from kgbench.seam.pseudonyms import KEY_VARIABLE, find_master_key, key_file

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.doctor.case import Case

_CHECK = "pseudonym key"
_PUBLISHED = bytes(32)
"""The key that the project's own figures are made with: everybody knows it."""


def check_key(case: Case) -> list[CheckRow]:
    """Look for the key; none is made.

    Raises:
        PrerequisiteMissing: what is there is no key.
    """
    key, path = case.given.key or find_master_key(), key_file()
    if key is None:
        return [_no_key(path)]
    facts = {"key_id": key.key_id}
    if key.secret == _PUBLISHED and case.spec.dataset != DEMO:
        next_step = f"unset {KEY_VARIABLE}: with this key anybody can undo the pseudonyms of a private graph"
        return [warning(_CHECK, "the published key of zeros, which is for the demo's figures", next_step, **facts)]
    if case.given.key is not None or KEY_VARIABLE in os.environ:
        return [ok(_CHECK, f"key {key.key_id}, from {KEY_VARIABLE}", **facts)]
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        found = f"key {key.key_id} in {path}, which others may read or change (mode {mode:o})"
        return [warning(_CHECK, found, f"chmod 600 {path}", **facts, mode=f"{mode:o}")]
    return [ok(_CHECK, f"key {key.key_id} in {path}, its owner's alone", **facts, mode=f"{mode:o}")]


def _no_key(path: Path) -> CheckRow:
    why = why_not_writable(path.parent)
    if why:
        return failed(_CHECK, f"none yet, and none can be made: {why}", f"set {KEY_VARIABLE} to 64 hex digits")
    return ok(_CHECK, f"none yet; the first run makes one in {path}", key_id=None)
