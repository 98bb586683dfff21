"""One question as one run asked it: what the list shows of it, and its traces."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from kgbench.report.page.pieces import turn_of
from kgbench.report.page.scrub import Scrubber, Verbatim
from kgbench.report.page.trace import Tracer, ending
from kgbench.seam.policy import PseudonymMode
from kgbench.seam.render import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgbench.report.page.reveal import Revealer
    from kgbench.report.page.runs import PageRun
    from kgbench.report.page.trace import Scrubbing, Texts
    from kgbench.types import JsonObject

_FINDINGS = ("leaks", "echo", "ambiguous", "topic_label")
"""What the list counts of the audit."""


class Asked:
    """A question of one run.

    Args:
        page_run: the run.
        revealer: None on a scrubbed page.
        question_id: of the question.
        trials: planned trials.
    """

    def __init__(self, page_run: PageRun, revealer: Revealer | None, question_id: str, trials: int) -> None:
        self._page_run = page_run
        self._revealer = revealer
        self._id = question_id
        self._trials = trials
        self.calls = page_run.calls.of(question_id, trials)
        """Calls by trial."""

    @cached_property
    def _scrubbing(self) -> Scrubbing:
        if self._revealer is not None:
            return Verbatim()
        every = [call for trial in self.calls.values() for call in trial]
        run = self._page_run.run
        source_ids = run.spec.get("pseudonyms") != PseudonymMode.KEYED
        return Scrubber(every, self._secrets(), run.loaded.texts.get(self._id, ""), source_ids=source_ids)

    def _secrets(self) -> Iterator[str]:
        """Strings of the graph that gold and records of the question hold."""
        gold = self._page_run.run.loaded.golds.get(self._id)
        for answer in gold.answers if gold is not None else ():
            yield from _texts(answer.id, answer.value, *answer.names)
        for record in self._records():
            prediction = record.get("prediction") or {}
            for item in prediction.get("items") or ():
                yield from _texts(item.get("text"), *item.get("ids", ()), *item.get("aliases", ()))
            yield from _texts(*(prediction.get("entity_names") or ()))
            yield from _texts(*(parts[1] for parts in record.get("issued") or ()))

    def _records(self) -> Iterator[JsonObject]:
        return (record for record in self._page_run.run.records_of([self._id]) if record is not None)

    @property
    def text(self) -> str | None:
        """The question; on a scrubbed page as it was sent, None where no prompt states it."""
        if self._revealer is not None:
            return self._page_run.run.loaded.texts[self._id]
        for call in (call for trial in self.calls.values() for call in trial if "messages" in call):
            turn = turn_of(call)
            for piece, shown in zip(turn.pieces, self._scrubbing.turn(call, turn), strict=True) if turn else ():
                if piece.origin == Origin.QUESTION:
                    return "".join("…" if part.text is None else part.text for part in shown)
        return None

    def cell(self) -> JsonObject:
        """The result over all trials, for the list."""
        run = self._page_run.run
        hits = [hit for hit in self._page_run.hits(self._id) if hit is not None]
        known: list[dict[str, Any]] = list(self._records())
        totals = [record["total"]["logical"] for record in known]
        statuses = ["missing" if record is None else str(record["status"]) for record in run.records_of([self._id])]
        return {
            "status": list(dict.fromkeys(statuses)),
            "hit": round(sum(hits) / len(hits), 4) if hits else None,
            "source": _distinct(str((record.get("prediction") or {}).get("source")) for record in known),
            "calls": sum(total["calls"] for total in totals),
            "tokens": sum(total["input_tokens"] + total["output_tokens"] for total in totals),
            "findings": sum(record["audit"].get(key, 0) for record in known for key in _FINDINGS),
        }

    def setup(self, texts: Texts) -> JsonObject:
        """The trace of the step before the first question."""
        return {"trials": [{"status": "setup"} | self._tracer(texts).calls(self.calls[0])]}

    def told(self, texts: Texts) -> JsonObject:
        """The traces, one a trial."""
        hits = self._page_run.hits(self._id)
        return {"trials": [self._trial(trial, hits[trial], texts) for trial in range(self._trials)]}

    def _trial(self, trial: int, hit: float | None, texts: Texts) -> JsonObject:
        record = self._page_run.run.loaded.records.get((self._id, trial))
        stages = {str(call.get("stage")) for call in self.calls[trial]}
        told = ending(record, stages, revealed=self._revealer is not None) | {"hit": hit}
        tracer = self._tracer(texts)
        told |= tracer.calls(self.calls[trial])
        if record is not None:
            told |= tracer.steps(record, self.calls[trial])
        if self._revealer is not None and record is not None:
            told["owner"] = self._revealer.answers(record)
        return told

    def _tracer(self, texts: Texts) -> Tracer:
        return Tracer(self._scrubbing, texts, revealed=self._revealer is not None)


def _texts(*values: object) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)


def _distinct(values: Iterable[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value != "None"]
