"""``kgbench data check``: every fault of a graph and its questions, with file and line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, show_json, tell
from kgbench.cli.failures import FAILED, Debug
from kgbench.seam.render import one_line
from kgbench.spec import without_password
from kgbench.types import Severity

if TYPE_CHECKING:
    from kgbench.survey.check import Checked
    from kgbench.survey.findings import Entry

ENTRIES_SHOWN = 20
"""Entries of one severity that are shown without ``--all``."""
LINES_SHOWN = 5

Graph = Annotated[
    str, typer.Argument(metavar="GRAPH", help="Folder, file or store as for --kg; demo is the bundled graph.")
]
Questions = Annotated[
    str | None, typer.Argument(metavar="[QUESTIONS]", help="Your questions, a JSONL file.", show_default=False)
]
Profile = Annotated[
    str | None, typer.Option("--kg-profile", metavar="NAME", help="How to read the graph; guessed by default.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Strict = Annotated[bool, typer.Option("--strict", help="Fail on warnings, too.")]
All = Annotated[bool, typer.Option("--all", help="List every finding and every line.")]


def check(
    graph: Graph,
    questions: Questions = None,
    kg_profile: Profile = None,
    strict: Strict = False,
    everything: All = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Find what is wrong with a graph and its questions before anything is run."""
    from kgbench.survey.check import check_data
    from kgbench.survey.locations import graph_location, questions_path

    path = None if questions is None else questions_path(questions)
    checked = check_data(graph_location(graph), path, kg_profile, lambda doing: tell(f"kgbench: {doing}"))
    failed = bool(checked.errors or (strict and checked.warnings))
    if as_json:
        show_json(checked.to_json())
    else:
        _show(checked, everything=everything)
        say(f"next       {_next(graph, questions, kg_profile, failed=failed)}")
    if failed:
        raise typer.Exit(FAILED)


def _show(checked: Checked, *, everything: bool) -> None:
    shown = 0
    for severity, entries in _by_severity(checked.findings.entries()).items():
        listed = entries if everything else entries[:ENTRIES_SHOWN]
        for entry in listed:
            say(f"{severity:<10} {one_line(_sentence(entry, everything=everything))}")
        shown += len(listed)
        if len(entries) > len(listed):
            say(f"{'':<10} and {len(entries) - len(listed)} more kinds of {severity}; --all lists them")
    if checked.findings.left_out:
        say(f"{'':<10} and {checked.findings.left_out} findings of further kinds")
    if shown:
        say()
    facts = "a graph that could not be opened" if checked.facts is None else counted(checked.facts, "triple")
    say(f"read       {facts}, {counted(checked.questions, 'question')}")
    found = [counted(checked.findings.count(severity), str(severity)) for severity in Severity]
    say(f"found      {', '.join(found)}")


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 hint``, ``2 hints``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _by_severity(entries: list[Entry]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(str(entry.severity), []).append(entry)
    return groups


def _sentence(entry: Entry, *, everything: bool) -> str:
    place = ", ".join(filter(None, (entry.file, _lines(entry, everything=everything))))
    times = f" ({entry.count} times)" if entry.count > 1 and not entry.lines else ""
    return f"{place}: {entry.text}{times}" if place else f"{entry.text}{times}"


def _lines(entry: Entry, *, everything: bool) -> str:
    listed = entry.lines if everything else entry.lines[:LINES_SHOWN]
    if not listed:
        return ""
    more = entry.count - len(listed)
    numbers = ", ".join(map(str, listed))
    return f"{'line' if entry.count == 1 else 'lines'} {numbers}" + (f" and {more} more" if more else "")


def _next(graph: str, questions: str | None, profile: str | None, *, failed: bool) -> str:
    option = ["--kg-profile", profile] if profile else []
    given = [without_password(graph), *([questions] if questions else []), *option]
    if failed:
        return f"mend this, then again: {shlex.join(['kgbench', 'data', 'check', *given])}"
    return shlex.join(["kgbench", "data", "describe", *given])
