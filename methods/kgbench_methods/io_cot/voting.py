"""Votes among sampled replies (self-consistency, Wang et al. 2023, arXiv 2203.11171)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench_methods.common.answers import AnswerReading, item_key, read_answers, vote_key
from kgbench_methods.common.braces import parse_braced

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Vote:
    """The outcome of a vote."""

    raw: str
    """The reply that stands for the outcome, as the model wrote it."""
    reading: AnswerReading
    unparsable: int = 0
    """Samples that could not be read."""


def vote_by_set(samples: Sequence[str]) -> Vote:
    """Let each sample vote with its set of answers, normalised; ties go to the earliest sample.

    Samples that cannot be read do not vote, nor do abstentions. Where none votes, an abstention stands if there is one.

    Args:
        samples: one or more replies.
    """
    readings = [read_answers(sample) for sample in samples]
    ballots = {number: vote_key(reading.answers) for number, reading in enumerate(readings) if reading.answers}
    winner = _most_common(ballots)
    if winner is None:
        return _without_votes(samples, readings)
    return Vote(samples[winner], readings[winner], _unparsable(readings))


def vote_by_item(samples: Sequence[str]) -> Vote:
    """Let each answer vote by itself; kept are those of at least half of all samples, most votes first.

    Ties go to the answer seen first, which also gives the spelling. Nothing with half of the votes: no answer.

    Args:
        samples: one or more replies.
    """
    readings = [read_answers(sample) for sample in samples]
    if not any(reading.answers for reading in readings):
        return _without_votes(samples, readings)
    votes: Counter[str] = Counter()
    spelling: dict[str, str] = {}
    for reading in readings:
        keys = {item_key(answer): answer for answer in reversed(reading.answers)}
        votes.update(keys.keys())
        for answer in reading.answers:
            spelling.setdefault(item_key(answer), answer)
    # dict order is the order of first sight, and sorted() keeps it among equals.
    ranked = sorted(spelling, key=lambda key: -votes[key])
    kept = tuple(spelling[key] for key in ranked if 2 * votes[key] >= len(samples))
    top = next(number for number, reading in enumerate(readings) if ranked[0] in map(item_key, reading.answers))
    return Vote(samples[top], AnswerReading(kept, parsed=True), _unparsable(readings))


def vote_by_text(samples: Sequence[str]) -> Vote:
    """Vote as the published script does: on the braced text in lower case, or on the whole reply where it has none.

    The most common string wins, the first seen among equals. The winner's first reply is then read as any other.

    Args:
        samples: one or more replies.
    """
    readings = [read_answers(sample) for sample in samples]
    winner = _most_common({number: _ballot_text(sample) for number, sample in enumerate(samples)}) or 0
    return Vote(samples[winner], readings[winner], _unparsable(readings))


def _ballot_text(sample: str) -> str:
    groups = parse_braced(sample).groups
    return (groups[0] if groups else sample).lower()


def _most_common(ballots: Mapping[int, Hashable]) -> int | None:
    """Return the number of the first sample that cast the commonest ballot."""
    if not ballots:
        return None
    counts = Counter(ballots.values())
    return max(ballots, key=lambda number: (counts[ballots[number]], -number))


def _without_votes(samples: Sequence[str], readings: Sequence[AnswerReading]) -> Vote:
    chosen = next((number for number, reading in enumerate(readings) if reading.parsed), 0)
    return Vote(samples[chosen], readings[chosen], _unparsable(readings))


def _unparsable(readings: Sequence[AnswerReading]) -> int:
    return sum(not reading.parsed for reading in readings)
