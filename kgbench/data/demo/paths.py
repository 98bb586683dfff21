"""Paths through the demo graph and the SPARQL that follows them.

A path is written as in a question's `chain` tag: a list of relation labels, each followed from subject to object, or from
object to subject where it begins with `^`. `a-b` is the joined relation of the flattened graph: two edges through a
mediator, one step. Hops are counted on the flattened graph, so the length of the chain is their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from kgbench.data.demo import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

ID_IRI = "https://kgbench.invalid/id/"
"""Where the plain profile keeps ids; a percent-encoded id follows."""
RELATION_IRI = "https://kgbench.invalid/relation/"

BACKWARDS = "^"
JOIN = "-"
ANSWER = "?x"


@dataclass(frozen=True)
class Leg:
    """One way from a topic entity to the answers."""

    topic_class: str
    chain: tuple[str, ...]
    fixed_topic: str = ""
    """Name of the only topic allowed; empty: any entity of the class."""


@dataclass(frozen=True)
class PathType:
    """A kind of question: its legs, which meet in the answers, and ways to word it.

    A wording holds `{0}`, `{1}` where the topics of the legs are mentioned; a topic without its place is not mentioned.
    """

    name: str
    legs: tuple[Leg, ...]
    wordings: tuple[str, ...]
    comes_back: bool = False
    """The path can end where it began: the topics are no answers."""
    one_mediator: bool = False
    """The legs of one joined relation each share the mediator (this person, in this role, on this ward)."""

    @property
    def hops(self) -> int:
        """Length of the longest leg on the flattened graph."""
        return max(len(leg.chain) for leg in self.legs)


def entity_iri(identifier: str) -> str:
    """The IRI that an id has in the store, without angle brackets."""
    return ID_IRI + quote(identifier, safe="")


def relation_iri(label: str) -> str:
    """The IRI that a relation has in the store."""
    return RELATION_IRI + quote(label, safe="")


def query(path: PathType, topics: Sequence[str], wanted: str = ANSWER, share_mediator: bool = True) -> str:
    """The SPARQL query whose results are the gold of a question.

    Args:
        path: the kind of question.
        topics: SPARQL terms, one a leg: IRIs, or a variable for a topic that is looked for. Legs beyond them are left out.
        wanted: the variable whose values are the results.
        share_mediator: False gives every leg its own mediator, as a reader of the flattened graph does.
    """
    patterns: list[str] = []
    for number, (leg, topic) in enumerate(zip(path.legs, topics, strict=False)):
        shared = path.one_mediator and share_mediator
        patterns += _leg_patterns(leg.chain, topic, "" if shared else str(number))
    if path.comes_back:
        patterns += [f"FILTER({ANSWER} != {topic})" for topic in topics]
    return f"SELECT DISTINCT {wanted} WHERE {{ {' '.join(patterns)} }}"


def _leg_patterns(chain: Sequence[str], topic: str, suffix: str) -> list[str]:
    patterns: list[str] = []
    node = topic
    for position, step in enumerate(chain):
        last = position == len(chain) - 1
        reached = ANSWER if last else f"?n{suffix}_{position}"
        patterns += _step_patterns(step, node, reached, f"?m{suffix}_{position}")
        node = reached
    return patterns


def _step_patterns(step: str, start: str, end: str, mediator: str) -> list[str]:
    backwards = step.startswith(BACKWARDS)
    label = step.removeprefix(BACKWARDS)
    if backwards:
        start, end = end, start
    if JOIN not in label:
        return [_pattern(start, label, end)]
    first, second = label.split(JOIN)
    if schema.BY_LABEL[first].domain in schema.MEDIATOR_CLASSES:  # n-ary: the mediator is the subject of both edges
        return [_pattern(mediator, first, start), _pattern(mediator, second, end)]
    return [_pattern(start, first, mediator), _pattern(mediator, second, end)]


def _pattern(subject: str, label: str, object_: str) -> str:
    return f"{subject} <{relation_iri(label)}> {object_} ."
