"""The metrics, each named and versioned, over answer items (strict) or over the reply's text (``tog_loose``).

A metric turns one question into a few numbers and then aggregates them: so trials are averaged and questions resampled
without scoring anything again. ``None`` in place of a prediction is a miss, whatever the method had said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kgbench.contracts import Score
from kgbench.scoring.abstention import refuses
from kgbench.scoring.items import answer_items
from kgbench.scoring.loose import LooseForm, loose_hit
from kgbench.scoring.matching import gold_index
from kgbench.scoring.normalise import asks_for_year
from kgbench.scoring.statistics import bootstrap_interval, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kgbench.contracts import Metric
    from kgbench.types import AnswerItem, Gold, RestoredPrediction

    Measure = Callable[[str, RestoredPrediction, Gold], float]

EXEMPLAR_ECHO = "exemplar_echo"
"""Flag of a reply that repeats an invented name or handle of its prompt's exemplars: never a hit."""
NO_GOLD = "no_gold"
"""Flag of a question without gold answers: always a miss."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer items of one question with the distinct gold answers that each stands for."""

    items: tuple[AnswerItem, ...]
    matched: tuple[frozenset[int], ...]
    """For each item, positions of gold answers."""

    @property
    def first_hits(self) -> bool:
        """True where the first item is right."""
        return bool(self.matched) and bool(self.matched[0])

    @property
    def any_hits(self) -> bool:
        """True where any item is right."""
        return any(self.matched)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and F1 of a set of items against a set of gold answers."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean; 0 where both are 0."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@lru_cache(maxsize=32)
def judge(
    question: str, prediction: RestoredPrediction, gold: Gold, split: bool = True, aliases: bool = True
) -> Judged:
    """Match every answer item of a prediction with the gold.

    Args:
        question: the question's text; only whether it asks for a year matters.
        prediction: the restored prediction.
        gold: the gold record.
        split: whether commas split a foreign text, see :func:`kgbench.scoring.items.answer_items`.
        aliases: whether gold aliases count as names.
    """
    items = answer_items(prediction, split=split)
    if NO_GOLD in gold.flags or EXEMPLAR_ECHO in prediction.flags:
        return Judged(items, (frozenset(),) * len(items))
    index = gold_index(gold, aliases)
    year_is_enough = asks_for_year(question)
    return Judged(items, tuple(index.matched(item, year_is_enough) for item in items))


def best_overlap(question: str, prediction: RestoredPrediction, gold: Gold) -> Overlap:
    """Return precision and recall; with several parses (WebQSP) those of the parse with the best F1, as its authors do."""
    judged = judge(question, prediction, gold)
    index = gold_index(gold, True)
    parses = [frozenset(index.position[answer] for answer in parse) for parse in gold.parses]
    overlaps = [_overlap(judged, parse) for parse in parses or [frozenset(range(index.size))]]
    return max(overlaps, key=lambda overlap: overlap.f1)


def _overlap(judged: Judged, wanted: frozenset[int]) -> Overlap:
    if not judged.items or not wanted:
        return Overlap(0.0, 0.0)
    right = sum(1 for matched in judged.matched if matched & wanted)
    found = wanted & frozenset().union(*judged.matched)
    return Overlap(right / len(judged.items), len(found) / len(wanted))


@dataclass(frozen=True)
class MeanMetric:
    """A metric whose score is the mean of one number per question."""

    name: str
    summary: str
    """What it measures, in one line."""
    measure: Measure

    def item(self, question: str, prediction: RestoredPrediction | None, gold: Gold) -> Mapping[str, float]:
        """Return ``{"value": x}`` with x from 0 to 1; 0 for a miss."""
        return {"value": 0.0 if prediction is None else float(self.measure(question, prediction, gold))}

    def total(self, stats: Sequence[Mapping[str, float]]) -> Score:
        """Return the mean over questions."""
        return _score([one["value"] for one in stats], [1.0] * len(stats))


@dataclass(frozen=True)
class MidHits1:
    """Hits@1 by id alone, over the questions whose gold has ids.

    Its difference to ``hits1`` on them shows answers that were right by name, out of the model's memory.
    """

    name: str = "mid_hits1@1"
    summary: str = "first answer is a gold entity by id (questions whose gold has ids)"

    def item(self, question: str, prediction: RestoredPrediction | None, gold: Gold) -> Mapping[str, float]:
        """Return ``value`` (1 for a hit) and ``counted`` (1 where the gold has ids)."""
        counted = NO_GOLD not in gold.flags and any(answer.id is not None for answer in gold.answers)
        hit = counted and prediction is not None and self._hits(prediction, gold)
        return {"value": float(hit), "counted": float(counted)}

    def total(self, stats: Sequence[Mapping[str, float]]) -> Score:
        """Return the share of hits among the counted questions; no value where there are none."""
        return _score([one["value"] for one in stats], [one["counted"] for one in stats])

    def _hits(self, prediction: RestoredPrediction, gold: Gold) -> bool:
        items = answer_items(prediction)
        echo = EXEMPLAR_ECHO in prediction.flags
        return bool(items) and not echo and bool(gold_index(gold, True).matched_by_id(items[0]))


@dataclass(frozen=True)
class Truthfulness:
    """Accurate minus hallucinated, from -1 to 1 (KERAG, arXiv 2509.04716; its authors judge by a model, this by rule).

    Accurate: any answer is right. Missing: no answer, a refusal phrase, or a status that is not scored. Hallucinated: the
    rest.
    """

    name: str = "truthfulness@1"
    summary: str = "share of accurate minus share of hallucinated answers, by rule; no answer counts 0"

    def item(self, question: str, prediction: RestoredPrediction | None, gold: Gold) -> Mapping[str, float]:
        """Return ``accurate``, ``missing`` and ``hallucinated``, one of them 1."""
        kind = "missing" if prediction is None else self._kind(judge(question, prediction, gold))
        return {name: float(name == kind) for name in ("accurate", "missing", "hallucinated")}

    def total(self, stats: Sequence[Mapping[str, float]]) -> Score:
        """Return the mean of accurate minus hallucinated."""
        return _score([one["accurate"] - one["hallucinated"] for one in stats], [1.0] * len(stats))

    def _kind(self, judged: Judged) -> str:
        if judged.any_hits:
            return "accurate"
        return "missing" if all(refuses(item) for item in judged.items) else "hallucinated"


def _score(values: Sequence[float], weights: Sequence[float]) -> Score:
    counted = sum(1 for weight in weights if weight > 0)
    return Score(ratio(values, weights), bootstrap_interval(values, weights), counted)


def _hits1(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return judge(question, prediction, gold).first_hits


def _hits1_no_split(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return judge(question, prediction, gold, split=False).first_hits


def _hits1_no_alias(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return judge(question, prediction, gold, aliases=False).first_hits


def _hit_any(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return judge(question, prediction, gold).any_hits


def _precision(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return best_overlap(question, prediction, gold).precision


def _recall(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return best_overlap(question, prediction, gold).recall


def _f1(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    return best_overlap(question, prediction, gold).f1


def _exact_set(question: str, prediction: RestoredPrediction, gold: Gold) -> float:
    overlap = best_overlap(question, prediction, gold)
    return overlap.precision == overlap.recall == 1.0


def _loose(form: LooseForm) -> Measure:
    def measure(_question: str, prediction: RestoredPrediction, gold: Gold) -> float:
        echo = EXEMPLAR_ECHO in prediction.flags and form is not LooseForm.AROG_RAW
        return not echo and NO_GOLD not in gold.flags and loose_hit(form, prediction, gold)

    return measure


_ALL: tuple[Metric, ...] = (
    MeanMetric("hits1@1", "first answer is right: by id, by value, or by name or alias (headline)", _hits1),
    MeanMetric("hits1_noalias@1", "hits1 without gold aliases", _hits1_no_alias),
    MeanMetric("hits1_nosplit@1", "hits1 with the commas of foreign texts left alone", _hits1_no_split),
    MeanMetric("hit_any@1", "any answer is right", _hit_any),
    MeanMetric("precision@1", "share of answers that are right, macro average", _precision),
    MeanMetric("recall@1", "share of gold answers that were found, macro average", _recall),
    MeanMetric("f1@1", "F1 of answers and gold, macro average; best parse for WebQSP", _f1),
    MeanMetric("em@1", "answers and gold are equal sets", _exact_set),
    MidHits1(),
    Truthfulness(),
    MeanMetric(
        "tog_loose@1", "what papers call Hits@1: a gold in the reply or the reply in a gold", _loose(LooseForm.INTENDED)
    ),
    MeanMetric(
        "tog_loose_noecho@1", "tog_loose, a reply without an answer part is a miss", _loose(LooseForm.INTENDED_NOECHO)
    ),
    MeanMetric("tog_loose_arog@1", "tog_loose as ARoG's tables count, repaired", _loose(LooseForm.AROG)),
    MeanMetric("tog_loose_arog_raw@1", "tog_loose as ARoG's tables count, faults included", _loose(LooseForm.AROG_RAW)),
)

METRICS: Mapping[str, Metric] = {metric.name.partition("@")[0]: metric for metric in _ALL}
"""Name without version -> metric."""
