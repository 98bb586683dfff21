"""``kgbench data``: one's own graph and questions, checked, described, made."""

from __future__ import annotations

import typer

from kgbench.cli.data_check import check
from kgbench.cli.data_describe import describe
from kgbench.cli.data_make import make
from kgbench.cli.failures import guarded

data = typer.Typer(
    name="data",
    help="Check and describe your own graph and questions, or make a graph of any size.",
    no_args_is_help=True,
)
data.command("check")(guarded(check))
data.command("describe")(guarded(describe))
data.command("make")(guarded(make))
