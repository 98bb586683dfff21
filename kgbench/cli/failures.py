"""What a command does when it fails: one message, the right exit code, no traceback unless asked for."""

from __future__ import annotations

import traceback
from functools import wraps
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import tell
from kgbench.errors import KgbenchError

if TYPE_CHECKING:
    from collections.abc import Callable

STOPPED = 130
LEAKED = 4
FAILED = 1

Debug = Annotated[
    bool,
    typer.Option("--debug", help="Show where an error came from; this may print content of the graph."),
]


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that its errors end in one line and an exit code.

    Messages of :class:`KgbenchError` hold no content of a graph by their contract and are printed. Of any other exception
    only the kind is: its text may quote anything.
    """

    @wraps(command)
    def run(**arguments: object) -> None:
        try:
            command(**arguments)
        except (typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            tell("kgbench: stopped")
            raise typer.Exit(STOPPED) from None
        except Exception as error:  # noqa: BLE001 - the last line of defence, before a traceback with data in it
            if arguments.get("debug"):
                tell(traceback.format_exc().rstrip())
            tell(_message(error))
            raise typer.Exit(error.exit_code if isinstance(error, KgbenchError) else FAILED) from None

    return run


def _message(error: Exception) -> str:
    if isinstance(error, KgbenchError):
        return f"kgbench: {error}"
    return f"kgbench: an unexpected {type(error).__name__}; run again with --debug to see where it came from"
