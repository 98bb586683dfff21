"""``kgbench audit``: who saw what, from the recorded calls of a run."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli.display import say, show_json, show_table
from kgbench.cli.failures import LEAKED, Debug
from kgbench.cli.folders import exactly
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from kgbench.privacy.exposure import Exposure
    from kgbench.report.table import Table

OneRun = Annotated[list[str], typer.Argument(metavar="RUN", help="Folder of a run, or its name in runs/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Questions = Annotated[bool, typer.Option("--questions", help="List the questions with findings, by id.")]


def audit(runs: OneRun, questions: Questions = False, as_json: AsJson = False, debug: Debug = False) -> None:
    """Tell what the model saw of the graph, phase by phase."""
    from kgbench.privacy.exposure import exposure

    (path,) = exactly(1, runs, "audit")
    found = exposure(path)
    if as_json:
        show_json(found.to_json())
    else:
        _show(found, runs[0], questions=questions)
    if found.leaks or found.escaped:
        raise typer.Exit(LEAKED)


def _show(found: Exposure, run_folder: str, *, questions: bool) -> None:
    from kgbench.privacy.exposure import verdict

    say(f"run        {one_line(found.run_id)}: {one_line(found.method)}, scenario {found.scenario}")
    say(f"seen by    {one_line(_seen_by(found))}")
    say(f"shown      pseudonyms {found.pseudonyms}, literals {found.literals}, topic names {found.topic_names}")
    say(f"prompts    {_prompts(found)}")
    say()
    show_table(_exposed_table(found))
    say()
    handles, labels = found.handles_per_question, found.relation_labels_per_question
    say(f"handles    {handles.mean:g} distinct a question, at most {handles.largest}")
    say(f"relations  {labels.mean:g} distinct labels a question, at most {labels.largest}")
    say(
        f"audit      leaks {found.leaks}, requests stopped {found.blocked}, echoes {found.echoes}, "
        f"ambiguous {found.ambiguous}, topic labels {found.topic_labels}"
    )
    say(f"verdict    {verdict(found)}")
    for note in _notes(found):
        say(f"note       {note}")
    if questions:
        _show_findings(found)
    elif found.findings:
        command = f"kgbench audit {shlex.quote(run_folder)} --questions"
        say(f"next       {command} lists the {len(found.findings)} question(s) with findings")
    else:
        say("next       kgbench leaderboard RUN... puts runs side by side")


def _seen_by(found: Exposure) -> str:
    if found.model.startswith("builtin/"):
        return f"{found.model}, which runs in this process: nothing left the machine"
    return found.model + (f" at {found.base_url}" if found.base_url else "")


def _prompts(found: Exposure) -> str:
    phases = ", ".join(f"{phase} {count}" for phase, count in found.prompts_by_phase.items()) or "none"
    return (
        f"{found.prompts} over {found.questions} question(s) ({phases}); {found.from_cache} answered from the cache, "
        f"{found.failed} without a reply"
    )


def _exposed_table(found: Exposure) -> Table:
    from kgbench.privacy.exposure import ORIGIN_TEXT
    from kgbench.report.table import Column, Kind, make_table

    columns = (
        Column("phase", "phase"),
        Column("names", "names"),
        Column("what", "what the prompts held"),
        Column("prompts", "prompts", Kind.COUNT),
        Column("spans", "spans", Kind.COUNT),
        Column("distinct", "distinct texts", Kind.COUNT),
    )
    rows = [
        {
            "phase": one.phase,
            "names": "shown" if one.names_shown else "hidden",
            "what": ORIGIN_TEXT[one.origin],
            "prompts": one.prompts,
            "spans": one.spans,
            "distinct": one.distinct,
        }
        for one in found.exposed
    ]
    return make_table(columns, [("", rows)])


def _notes(found: Exposure) -> list[str]:
    from kgbench.report.run_row import IDENTIFIERS_PUBLIC

    notes = ["questions go out as they are asked: the names that a question says are given away by asking it"]
    if found.identifiers_public:
        notes.append(IDENTIFIERS_PUBLIC)
    if found.trusted_zone:
        notes.append("a model of the trusted zone was asked too; its calls hold names and were not read")
    return notes


def _show_findings(found: Exposure) -> None:
    from kgbench.privacy.exposure import FINDINGS

    say()
    say(f"{len(found.findings)} question(s) with findings in protected phases")
    for question_id, counts in found.findings.items():
        listed = ", ".join(f"{FINDINGS[key]} {count}" for key, count in counts.items())
        say(f"  {one_line(question_id)}: {listed}")
