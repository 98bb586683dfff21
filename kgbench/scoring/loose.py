"""``tog_loose``: the substring match that papers on graph question answering report as Hits@1.

Rules after the ToG repository's evaluation (commit 7ccbb92) and the edited copies of it that made ARoG's tables. They
count an empty reply, one letter and a repeated question as right: for comparison with published numbers only.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from kgbench.scoring.matching import HANDLE, PLACEHOLDER_NAMES, check_answers
from kgbench.scoring.normalise import text_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.types import AnswerItem, Gold, GoldAnswer, RestoredPrediction

_ROUND = re.compile(r"\([^()]*\)")
_FLAGS = ("yes", "no")


class LooseForm(StrEnum):
    """How a candidate is cut out of a reply, and what it is compared with."""

    LITERAL = "literal"
    """ToG's evaluation as released, faults included; for tests."""
    INTENDED = "intended"
    """What its unused helper shows was meant: the first group that is no yes or no; nothing is never right."""
    INTENDED_NOECHO = "intended_noecho"
    """The same; a reply with neither braces nor a parsed answer is a miss."""
    AROG = "arog"
    """The rule of ARoG's released evaluators, repaired and fixed to one setting."""
    AROG_RAW = "arog_raw"
    """The same without the repairs: ids among the golds, an empty reply always right."""


def loose_hit(form: LooseForm, prediction: RestoredPrediction, gold: Gold) -> bool:
    """Tell whether a prediction is right by one of the loose forms.

    Args:
        form: the form.
        prediction: its ``raw`` text counts; ids in it are already names.
        gold: the gold record; its aliases count as golds.

    Raises:
        TypeError: the gold answers are a string.
    """
    check_answers(gold)
    if form is LooseForm.LITERAL:
        return literal_hit(prediction.raw, [text for answer in gold.answers for text in _strings(answer, raw=True)])
    if form is LooseForm.AROG_RAW:
        return arog_raw_hit(prediction.raw, _names_and_ids(gold.answers))
    if form is LooseForm.AROG:
        return _arog_hit(prediction, gold)
    candidate = intended_candidate(prediction.raw)
    if form is LooseForm.INTENDED_NOECHO and "{" not in prediction.raw:
        candidate = " ".join(item.text for item in prediction.items)
    return matches_any(candidate, [text for answer in gold.answers for text in _strings(answer)])


def literal_hit(reply: str, golds: Sequence[str]) -> bool:
    """ToG's evaluation as released; a candidate ``NULL`` is not right, and an empty one is."""
    candidate = literal_candidate(reply)
    return candidate != "NULL" and any(substring_match(candidate, gold) for gold in golds)


def literal_candidate(reply: str) -> str:
    """Cut from the first ``{`` to the first ``}`` of the whole reply; without ``{`` the reply itself."""
    opening = reply.find("{")
    # A missing "}" is -1, which cuts the last character off, as in the released code.
    return reply if opening < 0 else reply[opening + 1 : reply.find("}")]


def intended_candidate(reply: str) -> str:
    """Return the first brace group that is no yes or no; the whole reply where there is no brace; else nothing.

    An unclosed brace reaches to the end of the reply.
    """
    if "{" not in reply:
        return reply
    spans = list(_group_spans(reply))
    groups = [reply[start:end] for start, end in spans]
    _, unclosed, rest = reply[spans[-1][1] + 1 if spans else 0 :].partition("{")
    if unclosed:
        groups.append(rest)
    return next((group for group in groups if group.strip().casefold() not in _FLAGS), "")


def arog_candidate(reply: str) -> str:
    """Return the first brace group after ``{Yes}`` and ``{No}`` are gone, else all that remains."""
    rest = reply.replace("{Yes}", "").replace("{No}", "")
    span = next(_group_spans(rest), None)
    return rest if span is None else rest[slice(*span)]


def _group_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the insides of brace groups stand: from a ``{`` to the nearest ``}`` of its line.

    What the pattern ``{(.*?)}`` finds, in linear time whatever the text: a model may reply with braces alone.
    """
    closing, position = -1, 0
    while (opening := text.find("{", position)) >= 0:
        if closing < opening:
            closing = text.find("}", opening)
        if closing < 0:
            return
        line_end = text.find("\n", opening, closing)
        if line_end < 0:
            yield opening + 1, closing
        position = (closing if line_end < 0 else line_end) + 1


def arog_raw_hit(reply: str, golds: Sequence[str]) -> bool:
    """ARoG's evaluators as released: round brackets cut from the candidate, then the substring match.

    Args:
        reply: the reply.
        golds: names and ids. A bare string is read letter by letter, as the released code does with 61 CWQ questions.
    """
    candidate = _ROUND.sub("", arog_candidate(reply))
    return any(substring_match(candidate, gold) for gold in golds)


def substring_match(candidate: str, gold: str) -> bool:
    """ToG's match: lower case, all spaces deleted; equal, or one inside the other. An empty text is inside everything."""
    short, long = sorted((_squeezed(candidate), _squeezed(gold)), key=len)
    return short in long


def matches_any(candidate: str, golds: Iterable[str]) -> bool:
    """The same match against several golds, except that an empty candidate or gold matches nothing."""
    return bool(_squeezed(candidate)) and any(_squeezed(gold) and substring_match(candidate, gold) for gold in golds)


def _arog_hit(prediction: RestoredPrediction, gold: Gold) -> bool:
    candidate = arog_candidate(prediction.raw)
    entities = [item for item in prediction.items if item.ids and item.text in candidate]
    ids = {entity_id for item in entities for entity_id in item.ids} | _bare_handles(candidate, entities)
    if any(answer.id in ids for answer in gold.answers if answer.id is not None):
        return True
    # A name may itself hold round brackets, so it is compared whole beside the candidate that lost them.
    readings = [_ROUND.sub("", HANDLE.sub("", candidate)), *(item.text for item in entities)]
    golds = [name for answer in gold.answers for name in _strings(answer) if name != answer.id]
    return any(_arog_match(reading, name) for reading in readings for name in golds)


def _bare_handles(candidate: str, entities: Sequence[AnswerItem]) -> set[str]:
    """Ids that stand in the candidate by themselves, not as a word of an entity's name."""
    for item in entities:
        candidate = candidate.replace(item.text, " ") if HANDLE.fullmatch(item.text) is None else candidate
    return set(HANDLE.findall(candidate))


def _arog_match(candidate: str, gold: str) -> bool:
    if len(_squeezed(gold)) < 2:
        return _squeezed(candidate) == _squeezed(gold) != ""
    return matches_any(candidate, [gold])


def _strings(answer: GoldAnswer, raw: bool = False) -> list[str]:
    """Gold strings of one answer: name and aliases, else the literal's value, else the id."""
    names = [name for name in answer.names if raw or text_key(name) not in PLACEHOLDER_NAMES]
    if names:
        return names
    other = answer.value if answer.value is not None else answer.id
    return [other] if other is not None else []


def _names_and_ids(answers: Sequence[GoldAnswer]) -> list[str]:
    golds = [text for answer in answers for text in _strings(answer, raw=True)]
    return golds + [answer.id for answer in answers if answer.id is not None]


def _squeezed(text: str) -> str:
    return text.strip().replace(" ", "").lower()
