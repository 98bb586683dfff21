"""Optional parts: which are installed, and what needs those that are not."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from kgbench.doctor.rows import CheckRow, ok

if TYPE_CHECKING:
    from kgbench.doctor.case import Case


class Extra(NamedTuple):
    """An optional dependency."""

    module: str
    """What is imported."""
    needed_by: str


EXTRAS = {
    "embed": Extra("sentence_transformers", "the embedders st/NAME"),
    "figures": Extra("matplotlib", "pictures of results"),
    "hub": Extra("datasets", "data sets of the Hugging Face hub"),
    "litellm": Extra("litellm", "the models litellm/PROVIDER/NAME"),
    "sparql": Extra("SPARQLWrapper", "graphs behind a SPARQL endpoint"),
}
"""Extras by name, as in ``pip install "kgbench[NAME]"``."""


def check_extras(case: Case) -> list[CheckRow]:
    """List extras. One that this run needs and that is missing fails the check of the part that needs it."""
    installed = [name for name, extra in EXTRAS.items() if find_spec(extra.module) is not None]
    missing = {name: extra.needed_by for name, extra in EXTRAS.items() if name not in installed}
    found = f"installed: {', '.join(installed) or 'none'}"
    if missing:
        listed = ", ".join(f"{name} (for {needed_by})" for name, needed_by in missing.items())
        found += f'; not installed: {listed}; pip install "kgbench[NAME]" brings one'
    return [ok("extras", found, installed=installed, missing=list(missing))]
