"""Goes through the checks of a run, one after the other. None of them stops the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgbench.doctor import coverage, disk, embedder, extras, graph, key, model, plugins, questions, reply, settings
from kgbench.doctor.bounded import TookTooLong, within
from kgbench.doctor.case import Case
from kgbench.doctor.rows import CheckRow, State
from kgbench.doctor.secrets import Secrets
from kgbench.errors import KgbenchError
from kgbench.run.plan import Given, with_absolute_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kgbench.spec import RunSpec

QUICK, SLOW = 30.0, 300.0
"""Seconds that a check may take: those that read files or wait for one answer, and those that read graphs or weights."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it is called where it ends without a row of its own, and what it may take."""

    name: str
    work: Callable[[Case], list[CheckRow]]
    seconds: float = QUICK
    needed: bool = True
    """False where a run works without what is checked."""


CHECKS = (
    Check("method", settings.check_method),
    Check("questions", questions.check_questions, SLOW),
    Check("graph", graph.check_graph, SLOW),
    Check("privacy", settings.check_privacy),
    Check("queries", graph.check_queries),
    Check("coverage", coverage.check_coverage, SLOW),
    Check("pseudonym key", key.check_key),
    Check("embedder", embedder.check_embedder, SLOW),
    Check("model", model.check_model),
    Check("model server", model.check_server),
    Check("price", model.check_price),
    Check("reply", reply.check_reply, SLOW),
    Check("local model", model.check_local_model),
    Check("output folder", disk.check_output),
    Check("cache folder", disk.check_cache),
    Check("extras", extras.check_extras, needed=False),
    Check("plugins", plugins.check_plugins, needed=False),
)
"""In the order of the report; each finds what the ones before it have opened."""


def examine(
    spec: RunSpec,
    given: Given | None = None,
    *,
    ask: bool = False,
    seconds: float | None = None,
    checks: tuple[Check, ...] = CHECKS,
) -> Iterator[CheckRow]:
    """Check all that a run needs. Nothing is spent unless ``ask`` is set, and nothing is written.

    Args:
        spec: the settings of the run.
        given: parts that the caller brings along.
        ask: also ask the model for one short reply, which costs money.
        seconds: most time for one check, in place of each check's own limit.
        checks: what to check.

    Yields:
        Rows as they are found.
    """
    given = given or Given()
    # One request, one answer: a server that is busy is to be reported, and not to be waited for.
    given = replace(given, graph_options={"retries": 0, **given.graph_options})
    # The server itself is asked, whatever a cache remembers.
    case = Case(replace(with_absolute_paths(spec), cache="off"), given, ask)
    secrets = Secrets.of(spec)
    for check in checks:
        for row in _rows(check, case, seconds or check.seconds):
            yield secrets.blanked(row)


def exit_code(rows: list[CheckRow]) -> int:
    """Return 3 where something that a run needs has failed, else 0."""
    return 3 if any(row.state is State.FAILED for row in rows) else 0


def _rows(check: Check, case: Case, seconds: float) -> list[CheckRow]:
    """Make one check; whatever goes wrong becomes its row.

    Messages of :class:`KgbenchError` hold nothing of a graph and say what to do. Of any other error only the kind is
    shown: its text may quote anything.
    """
    state = State.FAILED if check.needed else State.WARNING
    try:
        return within(seconds, lambda: check.work(case))
    except TookTooLong:
        text = f"it was not done within {seconds:g} s"
        return [CheckRow(check.name, state, text, "give it more time with --time-limit SECONDS")]
    except KgbenchError as error:
        return [CheckRow(check.name, state, str(error))]
    except Exception as error:  # noqa: BLE001 - one broken check must not hide what the others find
        text = f"an unexpected {type(error).__name__}"
        return [
            CheckRow(check.name, state, text, "run kgbench run --limit 1 --jobs 1 --debug to see where it comes from")
        ]
