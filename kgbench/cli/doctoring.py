"""``kgbench doctor``."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from kgbench.cli import options as o
from kgbench.cli.display import say, show_json
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from kgbench.doctor.rows import CheckRow

_STATE_WIDTH, _CHECK_WIDTH = 13, 16
_OWN = ("config", "assignments", "ask", "time_limit", "as_json", "debug")

Ask = Annotated[
    bool,
    typer.Option(
        "--ask", rich_help_panel=o.SETTINGS_PANEL, help="Ask the model for one short reply; this costs money."
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        rich_help_panel=o.SETTINGS_PANEL,
        metavar="SECONDS",
        min=0.001,
        help="Most time for one check.  [default: 30, or 300 for graphs and weights]",
    ),
]


def doctor(
    method: o.MethodName = None,
    scenario: o.ScenarioName = None,
    setting: o.Setting = None,
    dataset: o.DatasetName = None,
    kg: o.GraphLocation = None,
    kg_profile: o.GraphProfile = None,
    where: o.Where = None,
    limit: o.Limit = None,
    model: o.ModelName = None,
    base_url: o.BaseUrl = None,
    local_model: o.LocalModel = None,
    embedder: o.EmbedderName = None,
    pseudonyms: o.PseudonymsMode = None,
    pseudonym_scope: o.PseudonymScopeName = None,
    literals: o.Literals = None,
    topic_names: o.TopicNamesMode = None,
    shield: o.Shield = None,
    trials: o.Trials = None,
    seed: o.Seed = None,
    jobs: o.Jobs = None,
    executor: o.ExecutorName = None,
    out: o.Out = None,
    budget: o.Budget = None,
    cache: o.Cache = None,
    max_errors: o.MaxErrors = None,
    assignments: o.Assignments = None,
    config: o.Config = None,
    ask: Ask = False,
    time_limit: TimeLimit = None,
    as_json: o.AsJson = False,
    debug: o.RunDebug = False,
) -> None:
    """Check all that a run needs, before money is spent; takes the options of kgbench run."""
    given = {name: value for name, value in locals().items() if name not in _OWN and value not in (None, [])}
    from kgbench.config import build_spec
    from kgbench.doctor.examine import examine, exit_code

    spec = build_spec(given, config=config, assignments=assignments or ())
    rows: list[CheckRow] = []
    for row in examine(spec, ask=ask, seconds=time_limit):
        rows.append(row)
        if not as_json:
            _show(row)
    code = exit_code(rows)
    if as_json:
        _show_json(rows, code)
    else:
        _show_end(rows, code)
    if code:
        raise typer.Exit(code)


def _show(row: CheckRow) -> None:
    """Show a row as soon as it is found; on a terminal its lines are broken at words."""
    state = str(row.state).upper() if row.state == "failed" else str(row.state)
    head = f"{state:<{_STATE_WIDTH}}{row.check:<{_CHECK_WIDTH}}"
    for start, text in ((head, row.found), (f"{'':<{_STATE_WIDTH}}{'next':<{_CHECK_WIDTH}}", row.next)):
        if text:
            say("\n".join(_lines(start, one_line(text))))


def _lines(start: str, text: str) -> list[str]:
    if not sys.stdout.isatty():
        return [start + text]
    width = max(60, shutil.get_terminal_size().columns)
    return textwrap.wrap(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _show_end(rows: list[CheckRow], code: int) -> None:
    from kgbench.doctor.rows import counts

    listed = ", ".join(f"{count} {state}" for state, count in counts(rows).items() if count)
    say()
    say(f"{len(rows)} rows: {listed}")
    say("next  mend what failed, then run kgbench doctor again" if code else "next  kgbench run with these options")


def _show_json(rows: list[CheckRow], code: int) -> None:
    from kgbench.doctor.rows import counts

    show_json({"ok": not code, "exit_code": code, "counts": counts(rows), "rows": [row.to_json() for row in rows]})
