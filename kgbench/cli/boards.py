"""``kgbench leaderboard``: runs in one table, and published numbers beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from kgbench.cli.display import say, show_table, tell
from kgbench.cli.failures import Debug, guarded
from kgbench.cli.folders import find_runs
from kgbench.errors import DataError, PrerequisiteMissing, UsageError
from kgbench.report.formats import Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.report.measures import FinishedRun
    from kgbench.report.published import Reported
    from kgbench.report.table import Table

_SHOW = "show"


class _ShowByDefault(TyperGroup):
    """A group whose arguments belong to ``show`` unless the first is the name of one of its commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``show`` in front where no command is named. The context is of a library that typer may bring itself."""
        return super().parse_args(ctx, args if args and args[0] in self.commands else [_SHOW, *args])


board = typer.Typer(cls=_ShowByDefault, help="Put runs into one table, with published numbers beside them.")

Runs = Annotated[
    list[str] | None, typer.Argument(metavar="RUN", help="Run folders, or their names in runs/.", show_default=False)
]
FaceName = Annotated[Face | None, typer.Option("--format", help="Form of the table; by default text for people.")]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="TAG or TAG:EDGE", help="Split runs by a tag, such as topic_relations:5."),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="KEYS",
        help="Measures to show, separated by commas: metrics, shares, calls, tokens; also: default, all.",
    ),
]
SortKey = Annotated[
    str | None,
    typer.Option("--sort", metavar="KEY", help="Column that decides the order, and metric that is tested."),
]
ReportedNames = Annotated[
    list[str] | None,
    typer.Option(
        "--reported",
        metavar="NAME[:TABLE]",
        help="Show published numbers beside the runs: a name, or a file. May be given several times.",
    ),
]
Standalone = Annotated[bool, typer.Option("--standalone", help="With --format latex: a whole document.")]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Write to a file; its ending says the form where --format does not."),
]


def leaderboard(
    runs: Runs = None,
    face: FaceName = None,
    by: By = None,
    columns: Columns = None,
    sort: SortKey = None,
    reported: ReportedNames = None,
    standalone: Standalone = False,
    output: OutputFile = None,
    debug: Debug = False,
) -> None:
    """Put runs into one table, grouped by what may be compared.

    kgbench leaderboard import FILE checks published numbers and keeps them for --reported.
    """
    from kgbench.report.leaderboard import leaderboard as build
    from kgbench.report.splits import Split

    published = _reported(reported or ())
    if not runs and not published:
        raise UsageError("no run is named; give run folders, such as: kgbench leaderboard runs/*")
    face = _face(face, output)
    if standalone and face is not Face.LATEX:
        raise UsageError("--standalone belongs to --format latex")
    table = build(
        _readable(runs) if runs else (),
        split=Split.parse(by) if by else None,
        columns=columns,
        sort=sort,
        reported=published,
    )
    if face is None:
        show_table(table)
    else:
        _write(_text(table, face, standalone=standalone), output)


def _face(face: Face | None, output: Path | None) -> Face | None:
    """The form that was asked for, by name or by the ending of a file.

    Raises:
        UsageError: the ending is that of no form.
    """
    if face is not None or output is None:
        return face
    found = Face.of_ending(output.suffix)
    if found is None:
        raise UsageError(f"--output {output}: say the form with --format, or take .md, .csv, .tex, .html or .json")
    return found


def _text(table: Table, face: Face, *, standalone: bool) -> str:
    from kgbench.report.faces import render, to_latex

    return to_latex(table, standalone=True) if standalone else render(table, face)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        say(text.rstrip("\n"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PrerequisiteMissing(f"cannot write {output}: {error.strerror}; choose another --output") from None
    tell(f"wrote {output}")


def _reported(names: Sequence[str]) -> list[Reported]:
    """Published rows by name; behind a colon stands the one table that is wanted."""
    from kgbench.registry import unknown
    from kgbench.report.published import published

    found: list[Reported] = []
    for text in names:
        name, colon, table = text.rpartition(":")
        # Before a colon in a path stands no name: only a path that is a file is one.
        whole = not colon or Path(text).is_file()
        numbers = published(text if whole else name)
        if not whole and table not in numbers.tables:
            raise UsageError(f"--reported {text}: {unknown('table', table, numbers.tables)}")
        found += numbers.rows if whole else numbers.select(table=table)
    return found


def _readable(texts: Sequence[str]) -> list[FinishedRun]:
    """Read every run that can be read; what cannot is named and hurts no other.

    Raises:
        UsageError: none can.
    """
    from kgbench.report.measures import read_run

    found = []
    for path in find_runs(texts):
        try:
            found.append(read_run(path))
        except (UsageError, DataError) as error:
            tell(f"kgbench: left out: {error}")
    if not found:
        raise UsageError("no run is left for the table; make one with: kgbench run")
    return found


PublishedFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="TOML or CSV; docs/leaderboards.md has the format.")
]
KeepAs = Annotated[str | None, typer.Option("--name", metavar="NAME", help="Keep it as NAME, not under its own name.")]


def import_(file: PublishedFile, name: KeepAs = None, debug: Debug = False) -> None:
    """Check a file of published numbers and keep a copy for --reported."""
    from kgbench.report.published import import_published

    table, kept = import_published(file, name)
    datasets = ", ".join(dict.fromkeys(f"{row.dataset} {row.setting}" for row in table.rows))
    say(f"source     {table.source}")
    say(f"rows       {len(table.rows)} in {', '.join(table.tables)}")
    say(f"data       {datasets}")
    say(f"kept as    {kept}")
    say(f"next       kgbench leaderboard runs/* --reported {kept.stem}")


board.command(_SHOW)(guarded(leaderboard))
board.command("import")(guarded(import_))
