"""What ToG reads from replies: relations with scores, scores of candidates, a verdict. Nothing here raises on any text."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.text import norm
from kgbench_methods.common.braces import parse_braced
from kgbench_methods.common.cleaning import list_mark, marked_lines, without_fences, without_reasoning
from kgbench_methods.common.labels import find_labels, weight_in

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from kgbench_methods.common.labels import FoundLabel

_WORD = re.compile(r"[^\W\d_]+")
_JOINING = frozenset({"and", "or", "then", "next", "score", "scores", "relation", "label", "name", "weight", "x"})
"""Words that may stand between two labels of one list; any other word begins a reason."""
_SCORE_LINE = re.compile(r"[\s\"'*_\-]*(?:score|weight)\b", re.IGNORECASE)
_STRICT = re.compile(r"\{([^(){}]*)\(Score:\s+([0-9.]+)\)\}")
_SCORE = re.compile(r"(?<![\w.])(\d{1,6}(?:\.\d+)?|\.\d+)(?![\w]|\.\d)")
_GROUP = re.compile(r"\{[^{}]*\}")
_DECIMAL = re.compile(r"(?<!\d)\d+\.\d+")


@dataclass(frozen=True, slots=True)
class ScoredLabel:
    """A relation that a reply chose."""

    label: str
    score: float


@dataclass(frozen=True, slots=True)
class RelationReading:
    """What a reply chose from a list of relations."""

    chosen: tuple[ScoredLabel, ...] = ()
    """In the order of the reply."""
    unknown: int = 0
    """Items of the reply that are no known label: dropped."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the model calls the evidence sufficient."""

    sufficient: bool
    rest: str = ""
    """What follows the yes: it holds the answer."""
    form: str = "none"
    """Where the verdict was found: ``braces``, ``bare`` or ``none``."""


# --- Relations ---------------------------------------------------------------------------------------------------------


def read_relations(
    reply: str, labels: Collection[str], limit: int | None = None, *, repeats: bool = False
) -> RelationReading:
    """Read relations with their scores, line by line.

    In each line the first known label counts, and each further one that is joined to the one before as in a list; behind
    anything else a reason begins. A label's score is the first number from 0 to 1 that follows it, or ``1/k`` where there
    is none. Numbers, bullets, fences, quotes, and missing or doubled brackets do no harm.

    Args:
        reply: any text.
        labels: the labels that the prompt showed.
        limit: most labels to keep; repeats go before the cut.
        repeats: keep a label that is named twice (quirk Q12).
    """
    text = without_fences(without_reasoning(reply))
    by_line = _labels_by_line(text, labels)
    found = _chosen_in_lines(text, by_line)
    kept = (found if repeats else _first_of_each(found))[:limit]
    chosen = tuple(ScoredLabel(label, 1 / len(kept) if score is None else score) for label, score in kept)
    unknown = sum(1 for number, line in enumerate(text.split("\n")) if number not in by_line and _is_item(line))
    return RelationReading(chosen, unknown)


def read_relations_strictly(
    reply: str, labels: Collection[str], limit: int | None = None, *, repeats: bool = False
) -> RelationReading:
    """Read relations in the one form ``{label (Score: x)}`` (quirk Q2); a score that is no number loses the whole reply."""
    found: list[ScoredLabel] = []
    unknown = 0
    for name, digits in _STRICT.findall(without_reasoning(reply)):
        try:
            score = float(digits)
        except ValueError:
            return RelationReading()
        label = name.strip()
        if label in labels and name != name.rstrip() and math.isfinite(score):
            found.append(ScoredLabel(label, score))
        else:
            unknown += 1
    first = {choice.label: choice for choice in reversed(found)}
    kept = found if repeats else [first[label] for label in dict.fromkeys(choice.label for choice in found)]
    return RelationReading(tuple(kept[:limit]), unknown)


def _first_of_each(found: Sequence[tuple[str, float | None]]) -> list[tuple[str, float | None]]:
    first = dict(reversed(found))
    return [(label, first[label]) for label in dict.fromkeys(label for label, _ in found)]


def _is_item(line: str) -> bool:
    mark = list_mark(line)
    return mark is not None and bool(mark[1])


def _line_starts(text: str) -> list[int]:
    return [0, *(position + 1 for position, char in enumerate(text) if char == "\n")]


def _labels_by_line(text: str, labels: Collection[str]) -> dict[int, list[FoundLabel]]:
    """The known labels of each line that has one."""
    starts = _line_starts(text)
    by_line: dict[int, list[FoundLabel]] = {}
    for found in find_labels(text, labels):
        by_line.setdefault(bisect_right(starts, found.start) - 1, []).append(found)
    return by_line


def _chosen_in_lines(text: str, by_line: Mapping[int, Sequence[FoundLabel]]) -> list[tuple[str, float | None]]:
    starts = _line_starts(text)
    chosen: list[tuple[str, float | None]] = []
    for line, matches in by_line.items():
        last = line + 1 == len(starts)
        chosen += _chosen_in_line(text, matches, len(text) if last else starts[line + 1] - 1)
        label, score = chosen[-1]
        if score is None and not last and line + 1 not in by_line:
            chosen[-1] = (label, _score_below(text, starts[line + 1]))
    return chosen


def _chosen_in_line(text: str, matches: Sequence[FoundLabel], end: int) -> list[tuple[str, float | None]]:
    """The first label of a line, and those that are listed with it."""
    chosen: list[tuple[str, float | None]] = []
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        between = text[match.end : following.start if following else end]
        chosen.append((match.label, weight_in(between)))
        if not all(word.casefold() in _JOINING for word in _WORD.findall(between)):
            break
    return chosen


def _score_below(text: str, start: int) -> float | None:
    """The score on a line of its own, as indented JSON has it."""
    line = text[start:].partition("\n")[0]
    return weight_in(line) if _SCORE_LINE.match(line) else None


# --- Scores of candidates ----------------------------------------------------------------------------------------------


def read_scores(reply: str, count: int) -> tuple[float, ...] | None:
    """Read one score a candidate, in the order shown.

    The first line that has a number counts, else a numbered list with a score on each line. Scores above 1 are shares of
    their sum, as percentages are.

    Args:
        reply: any text.
        count: how many candidates the prompt showed.

    Returns:
        As many scores as candidates, or None where the reply has another number of them.
    """
    text = without_fences(without_reasoning(reply))
    line = next((line for line in text.splitlines() if _SCORE.search(line)), "")
    mark = list_mark(line)
    whole = mark[1] if mark is not None else line
    for scores in (_scores_in(line.partition(":")[2]), _listed_scores(text, count), _scores_in(whole)):
        if len(scores) == count:
            total = sum(scores)
            return tuple(score / total for score in scores) if max(scores, default=0) > 1 else tuple(scores)
    return None


def read_scores_anywhere(reply: str, count: int) -> tuple[float, ...] | None:
    """Read all decimals of the whole reply (quirk Q10): integers are no scores, decimals of the reason are."""
    scores = [float(number) for number in _DECIMAL.findall(without_reasoning(reply))]
    return tuple(scores) if len(scores) == count and all(map(math.isfinite, scores)) else None


def _scores_in(line: str) -> list[float]:
    return [float(number) for number in _SCORE.findall(line)]


def _listed_scores(text: str, count: int) -> list[float]:
    lines = marked_lines(text)
    if [number for number, _ in lines] != list(range(1, count + 1)):
        return []
    weights = [weight_in(line) for _, line in lines]
    return [weight for weight in weights if weight is not None]


# --- The verdict -------------------------------------------------------------------------------------------------------


def read_verdict(reply: str) -> Verdict:
    """Read whether the evidence suffices: a yes in the first braces, or a bare yes at the start. Anything else is a no."""
    text = without_reasoning(reply)
    braced = parse_braced(text)
    if braced.groups:
        word = norm(braced.groups[0])
        group = _GROUP.search(text)
        rest = text[group.end() :].lstrip("}") if group and word == "yes" else ""
        return Verdict(word == "yes", rest, "braces" if word in ("yes", "no") else "none")
    first = _WORD.search(text)
    word = first.group().casefold() if first else ""
    form = "bare" if word in ("yes", "no") else "none"
    return Verdict(word == "yes", text[first.end() :] if first and word == "yes" else "", form)
