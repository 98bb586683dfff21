"""Calls, tokens, cost and exposure of a run, a question, from its records alone.

A planned question without a record used nothing and showed nothing. What the records do not hold, as those of older
versions, is None: not measured, never 0.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from kgbench.run.seen import ANY, USED
from kgbench.scoring.statistics import bootstrap_interval
from kgbench.seam.render import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kgbench.types import JsonObject

    Count = Callable[[JsonObject], float | None]
    """A record's number, or None where it holds none."""

IN_CLEAR = (Origin.NAME, Origin.TOPIC_LABEL, Origin.LITERAL, Origin.LOCAL_TEXT, Origin.SOURCE_ID)
"""Origins that show content of the graph in clear. A topic's mention is none: the question says it."""
EXPOSED: Mapping[str, tuple[Origin, ...]] = {
    "in_clear": IN_CLEAR,
    "handles": (Origin.HANDLE, Origin.SOURCE_ID),
    "relations": (Origin.RELATION,),
    "classes": (Origin.CLASS,),
    "concepts": (Origin.CONCEPT,),
    "mentions": (Origin.MENTION,),
    "echoes": (Origin.ECHO,),
}
"""What a question showed: name -> origins whose distinct texts are counted, over all phases."""
_DECIMALS = 6


class Records:
    """The records of a run by question, with the planned questions that have none.

    Args:
        records: by question id and trial.
        question_ids: planned questions.
        trials: planned trials.
    """

    def __init__(self, records: Mapping[tuple[str, int], JsonObject], question_ids: Iterable[str], trials: int) -> None:
        self._rows = [[records.get((question_id, trial)) for trial in range(trials)] for question_id in question_ids]
        self.planned = len(self._rows) * trials

    def known(self) -> list[JsonObject]:
        """The records there are."""
        return [record for row in self._rows for record in row if record is not None]

    def entry(self, count: Count) -> JsonObject:
        """A number a question with its interval over questions, as ``{"value", "ci", "n"}``."""
        counts = [[0.0 if record is None else count(record) for record in row] for row in self._rows]
        if not counts or any(number is None for row in counts for number in row):
            return {"value": None, "ci": None, "n": self.planned}
        means = [sum(number or 0.0 for number in row) / len(row) for row in counts]
        interval = bootstrap_interval(means)
        return {
            "value": round(sum(means) / len(means), _DECIMALS),
            "ci": None if interval is None else [round(bound, _DECIMALS) for bound in interval],
            "n": self.planned,
        }

    def a_question(self, total: float) -> float:
        """A sum over all records, as a mean over planned questions and trials."""
        return round(total / self.planned, _DECIMALS)


def usage_scores(records: Records) -> dict[str, Any]:
    """Calls, tokens and US dollars a question, in all and by stage; what the method needed, whatever a cache saved."""

    def tokens(record: JsonObject) -> float:
        return float(_logical(record, "input_tokens") + _logical(record, "output_tokens"))

    return {
        "calls_per_question": records.entry(lambda record: _logical(record, "calls")),
        "input_tokens_per_question": records.entry(lambda record: _logical(record, "input_tokens")),
        "output_tokens_per_question": records.entry(lambda record: _logical(record, "output_tokens")),
        "tokens_per_question": records.entry(tokens),
        "usd_per_question": records.entry(lambda record: record["total"]["logical_usd"]),
        "usage": {"stages": _stages(records), "phases": _phases(records)},
    }


def _logical(record: JsonObject, field: str) -> int:
    return int(record["total"]["logical"][field])


def _stages(records: Records) -> dict[str, JsonObject]:
    """Stage -> calls, tokens and cost a question."""
    used: dict[str, Counter[str]] = {}
    unpriced: set[str] = set()
    for record in records.known():
        for stage, spending in record["usage"].items():
            sums = used.setdefault(stage, Counter())
            sums.update({key: spending["logical"][key] for key in USED})
            if spending["logical_usd"] is None:
                unpriced.add(stage)
            else:
                sums["usd"] += spending["logical_usd"]
    return {
        stage: {key: records.a_question(sums[key]) for key in USED}
        | {"usd": None if stage in unpriced else records.a_question(sums["usd"])}
        for stage, sums in used.items()
    }


def _phases(records: Records) -> dict[str, dict[str, JsonObject]] | None:
    """Phase -> stage -> calls and tokens a question, in the order of their first calls; None where not recorded."""
    used: dict[str, dict[str, Counter[str]]] = {}
    for record in records.known():
        if "phases" not in record:
            return None
        for phase, stages in record["phases"].items():
            for stage, sums in stages.items():
                used.setdefault(phase, {}).setdefault(stage, Counter()).update(sums)
    return {
        phase: {stage: {key: records.a_question(sums[key]) for key in USED} for stage, sums in stages.items()}
        for phase, stages in used.items()
    }


def exposure_scores(records: Records) -> JsonObject:
    """What the provider saw a question: distinct texts of each kind, and by phase and origin; counts, never a text."""
    scores: JsonObject = {name: records.entry(_distinct(origins)) for name, origins in EXPOSED.items()}
    known = records.known()
    measured = all("exposure" in record for record in known)
    return scores | {
        "prompts": _means(records, [record["exposure"]["prompts"] for record in known]) if measured else None,
        "spans": _by_phase(records, "spans") if measured else None,
        "distinct": _by_phase(records, "distinct") if measured else None,
    }


def _distinct(origins: Sequence[Origin]) -> Count:
    def count(record: JsonObject) -> float | None:
        if "exposure" not in record:
            return None
        found = record["exposure"]["distinct"].get(ANY, {})
        return float(sum(found.get(origin, 0) for origin in origins))

    return count


def _by_phase(records: Records, part: str) -> dict[str, dict[str, float]]:
    found = [record["exposure"][part] for record in records.known()]
    phases = sorted({phase for one in found for phase in one})
    return {phase: _means(records, [one.get(phase, {}) for one in found]) for phase in phases}


def _means(records: Records, counts: Iterable[Mapping[str, int]]) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for one in counts:
        sums.update(one)
    return {key: records.a_question(total) for key, total in sorted(sums.items())}
