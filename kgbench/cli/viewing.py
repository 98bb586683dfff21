"""``kgbench view``: runs as one HTML file that needs no server and no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.folders import find_runs
from kgbench.errors import PrerequisiteMissing

if TYPE_CHECKING:
    from kgbench.report.page import PageReport

_TOLD_EVERY = 500
"""Questions between two lines of progress."""

RunFolders = Annotated[
    list[str], typer.Argument(metavar="RUN...", help="Run folder, or its name in runs/; several stand side by side.")
]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Where to write; by default page.html in the first run's folder."),
]
Reveal = Annotated[
    bool,
    typer.Option(
        "--reveal", help="Show answers, gold and what handles stood for. For the owner's eyes: it holds names."
    ),
]
OpenIt = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Put only the first N questions on the page.")
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="Never compress: the file is larger, and any tool can search it."),
]


def view(
    runs: RunFolders,
    output: OutputFile = None,
    reveal: Reveal = False,
    open_it: OpenIt = False,
    limit: Limit = None,
    plain: Plain = False,
    debug: Debug = False,
) -> None:
    """Write runs as one HTML page: what the provider saw, question by question. Names stay out unless revealed."""
    from kgbench.report.page import build_page

    folders = find_runs(runs)
    report = build_page(folders, revealed=reveal, limit=limit, packed=False if plain else None, progress=_progress)
    path = output or folders[0] / ("page.revealed.html" if reveal else "page.html")
    size = _write(path, report.html)
    say(str(path))
    _tell(report, size)
    if open_it:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())


def _progress(done: int, of: int) -> None:
    """A line now and then; small pages are written before anyone could read it."""
    if done % _TOLD_EVERY == 0:
        tell(f"page       {done} of {of} questions")


def _write(path: Path, text: str) -> int:
    data = text.encode("utf-8")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise PrerequisiteMissing(f"cannot write {path}: {error.strerror}; choose another --output") from None
    return len(data)


def _tell(report: PageReport, size: int) -> None:
    left_out = f", {report.left_out} left out for --limit" if report.left_out else ""
    tell(f"page       {report.questions} question(s){left_out}, {size / 1e6:.1f} MB")
    if report.revealed:
        tell("REVEALED   the page holds names, answers and ids of the graph: keep it where the run is kept")
    else:
        tell(
            "scrubbed   the page holds what the provider saw: questions as asked, other names masked; see docs/view.md"
        )
    for note in report.notes:
        tell(f"note       {note}")
