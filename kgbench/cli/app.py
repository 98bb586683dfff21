"""The program ``kgbench``: its verbs and its entry point. Whatever is heavy is imported by the verb that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import kgbench
from kgbench.cli.auditing import audit
from kgbench.cli.display import prepare_streams, say
from kgbench.cli.failures import guarded
from kgbench.cli.listing import check, list_
from kgbench.cli.running import resume, run
from kgbench.cli.scores import compare, leaderboard, score

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
    "leaderboard": leaderboard,
    "audit": audit,
    "list": list_,
    "check": check,
}
for _name, _verb in _VERBS.items():
    app.command(_name)(guarded(_verb))


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
