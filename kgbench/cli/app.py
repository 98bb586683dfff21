"""The program ``kgbench``: its verbs and its entry point. Whatever is heavy is imported by the verb that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import kgbench
from kgbench.cli.auditing import audit
from kgbench.cli.boards import board
from kgbench.cli.data_commands import data
from kgbench.cli.display import prepare_streams, say
from kgbench.cli.doctoring import doctor
from kgbench.cli.failures import guarded
from kgbench.cli.figures import figures
from kgbench.cli.listing import check, list_
from kgbench.cli.reproducing import reproduce
from kgbench.cli.running import resume, run
from kgbench.cli.scores import compare, score
from kgbench.cli.viewing import view

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(
    name="kgbench",
    help="Benchmark question answering over private knowledge graphs: accuracy, cost, and what the provider saw.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

_VERBS: dict[str, Callable[..., None]] = {
    "run": run,
    "resume": resume,
    "score": score,
    "compare": compare,
    "figures": figures,
    "audit": audit,
    "view": view,
    "reproduce": reproduce,
    "doctor": doctor,
    "list": list_,
    "check": check,
}
for _name, _verb in _VERBS.items():
    app.command(_name)(guarded(_verb))
app.add_typer(board, name="leaderboard")
app.add_typer(data, name="data")


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"kgbench {kgbench.__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before a verb."""


def main() -> None:
    """Run the program with the arguments of the process."""
    prepare_streams()
    app()
