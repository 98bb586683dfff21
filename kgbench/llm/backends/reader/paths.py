"""Evidence as a graph: chains of relations from a topic, how much of the question they cover, and whether that suffices.

A *path* starts at a topic, has at most three edges, walks an edge either way, uses no triple twice and does not come back
to a topic. What is compared with the question is its *chain*: the relation labels and concepts along it, without names
and handles. Paths that share start, labels, directions and concepts are one :class:`Chain` with many ends, so that a hub
with thousands of neighbours costs no more than its edges.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kgbench.llm.backends.reader.text import STOP_WORDS, plain, word_similarities, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.contracts import ShownTriple
    from kgbench.llm.backends.reader.text import Embeddings

MOST_EDGES = 3
MOST_VISITS = 20_000
"""Edges that one reading walks at most. Real evidence stays far below; it bounds the time where every node is a hub."""
MOST_COMPARED = 500
"""Equally good chains whose cosine with the question is taken at most; the first ones in prompt order."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The two numbers of the reader."""

    word_similarity: float
    """A word of the question is covered by a word of a chain whose cosine with it is at least this."""
    uncovered_share: float
    """Share of the question's content words that sufficient evidence may leave uncovered."""


CALIBRATED = Thresholds(word_similarity=0.35, uncovered_share=0.0)
"""The best pair of the grid that ``scripts/calibrate_reader.py`` prints: chosen once, on PathQuestion's two files, with
``builtin/static``. They depend on no data set, method or question."""


class Step(NamedTuple):
    """One edge of a chain, as seen from the start."""

    label: str
    outward: bool
    """True where the edge is walked from subject to object."""
    concepts: str
    """Concepts shown at the node that the edge leads to; empty where none are."""


class Arrival(NamedTuple):
    """How a chain first reaches one of its ends."""

    route: tuple[int, ...]
    """Positions of the triples walked, in prompt order: routes sort as the paths stand in the prompt."""
    only: bool
    """True where ``route`` ends in the only triple by which the chain reaches this end."""


@dataclass(frozen=True, slots=True)
class Chain:
    """All paths of one start that show the same labels, directions and concepts."""

    start: str
    steps: tuple[Step, ...]
    covered: int
    """Bit set over the question's content words: those that are near some word of the chain."""
    ends: Mapping[str, Arrival] = field(repr=False)
    """Text of an end -> how it is first reached; in prompt order."""

    @property
    def coverage(self) -> int:
        """How many content words of the question the chain covers."""
        return self.covered.bit_count()

    @property
    def route(self) -> tuple[int, ...]:
        """Route of the chain's first path in prompt order."""
        return next(iter(self.ends.values())).route

    @property
    def shape(self) -> tuple[str, tuple[tuple[str, bool], ...]]:
        """Start, labels and directions: what the paths that answer together have in common."""
        return self.start, tuple((step.label, step.outward) for step in self.steps)

    @property
    def text(self) -> str:
        """Words of the relation labels and concepts along the chain, in order."""
        return " ".join(text for step in self.steps for text in (plain(step.label), plain(step.concepts)) if text)


class Edge(NamedTuple):
    """An edge as seen from one of its ends."""

    position: int
    """Position of the triple in the prompt."""
    label: str
    outward: bool
    far_end: str


class Evidence:
    """Triples of a prompt as a graph whose nodes are the texts shown."""

    def __init__(self, triples: Sequence[ShownTriple]) -> None:
        self.triples = tuple(triples)
        self.edges: dict[str, list[Edge]] = defaultdict(list)
        self.concepts: dict[str, str] = {}
        for position, triple in enumerate(self.triples):
            subject, object_ = triple.subject, triple.object
            self.edges[subject.text].append(Edge(position, triple.relation, True, object_.text))
            self.edges[object_.text].append(Edge(position, triple.relation, False, subject.text))
            for end in (subject, object_):
                self.concepts.setdefault(end.text, end.concepts)

    @property
    def texts(self) -> list[str]:
        """Relation labels and concepts shown, each once."""
        return list(dict.fromkeys([triple.relation for triple in self.triples] + list(self.concepts.values())))

    @cached_property
    def starts(self) -> tuple[str, ...]:
        """Texts at which paths start: the topics; without one, the end of the first line that has the most edges."""
        ends = (end for triple in self.triples for end in (triple.subject, triple.object))
        topics = tuple(dict.fromkeys(end.text for end in ends if end.topic))
        if topics or not self.triples:
            return topics
        first = self.triples[0]
        return (max((first.subject.text, first.object.text), key=lambda text: len(self.edges[text])),)

    @cached_property
    def reach(self) -> int:
        """Steps from the starts to the node that lies farthest from them."""
        seen = set(self.starts)
        frontier: Sequence[str] = self.starts
        distance = 0
        while frontier:
            reached = dict.fromkeys(edge.far_end for node in frontier for edge in self.edges[node])
            frontier = [node for node in reached if node not in seen]
            seen.update(frontier)
            distance += bool(frontier)
        return distance


class Coverage:
    """Which content words of a question the words of labels and concepts cover."""

    def __init__(self, content: Sequence[str], embeddings: Embeddings, threshold: float, texts: Sequence[str]) -> None:
        """Compare every content word with every word of ``texts`` once."""
        by_text = {text: [word for word in words(text) if word not in STOP_WORDS] for text in texts}
        shown = list(dict.fromkeys(word for found in by_text.values() for word in found))
        near = word_similarities(content, shown, embeddings) >= threshold
        bits = {
            word: sum(1 << row for row in range(len(content)) if near[row, column]) for column, word in enumerate(shown)
        }
        self._by_text = {text: _union(bits[word] for word in found) for text, found in by_text.items()}
        self.whole = _union(bits.values())
        """Bit set of the content words that all texts together cover."""

    def of(self, text: str) -> int:
        """Bit set of the content words that one of the given texts covers."""
        return self._by_text[text]


def _union(bit_sets: Iterable[int]) -> int:
    union = 0
    for bit_set in bit_sets:
        union |= bit_set
    return union


def chains(evidence: Evidence, coverage: Coverage) -> list[Chain]:
    """Find the chains of at most :data:`MOST_EDGES` edges, shorter ones first.

    A longer path wins only by covering more, so a chain that covers whatever can be covered is not made longer.
    """
    walk = _Walk(evidence, coverage)
    found: list[Chain] = []
    growing = [Chain(start, (), 0, {start: Arrival((), False)}) for start in evidence.starts]
    for _ in range(MOST_EDGES):
        # Chains that cover more go first, so that the bound on visits cuts the least promising ones.
        growing.sort(key=lambda chain: (-chain.coverage, chain.route))
        longer = [grown for chain in growing for grown in walk.extend(chain)]
        found += longer
        growing = [chain for chain in longer if chain.covered != coverage.whole]
    return found


class _Walk:
    """Extends chains by one edge, within the bound on visits."""

    def __init__(self, evidence: Evidence, coverage: Coverage) -> None:
        self._evidence = evidence
        self._coverage = coverage
        self._closed = frozenset(evidence.starts)
        self._visits = 0

    def extend(self, chain: Chain) -> list[Chain]:
        """Chains that are one edge longer than ``chain``, in prompt order."""
        grown: dict[Step, dict[str, Arrival]] = defaultdict(dict)
        for node, arrival in chain.ends.items():
            if self._visits > MOST_VISITS:
                break
            for edge in self._evidence.edges[node]:
                self._visits += 1
                if edge.far_end in self._closed or (arrival.only and edge.position == arrival.route[-1]):
                    continue
                step = Step(edge.label, edge.outward, self._evidence.concepts[edge.far_end])
                ends = grown[step]
                known = ends.get(edge.far_end)
                if known is None:
                    ends[edge.far_end] = Arrival((*arrival.route, edge.position), True)
                elif known.only and known.route[-1] != edge.position:
                    ends[edge.far_end] = Arrival(known.route, False)
        return [self._longer(chain, step, ends) for step, ends in grown.items()]

    def _longer(self, chain: Chain, step: Step, ends: Mapping[str, Arrival]) -> Chain:
        covered = chain.covered | self._coverage.of(step.label) | self._coverage.of(step.concepts)
        return Chain(chain.start, (*chain.steps, step), covered, ends)


def best_chain(found: Sequence[Chain], question: str, embeddings: Embeddings) -> Chain | None:
    """Return the chain that covers most; ties: fewer edges, higher cosine with ``question``, prompt order."""
    if not found:
        return None
    rank = min((-chain.coverage, len(chain.steps)) for chain in found)
    tied = sorted(
        (chain for chain in found if (-chain.coverage, len(chain.steps)) == rank), key=lambda chain: chain.route
    )[:MOST_COMPARED]
    cosines = embeddings.similarities(question, [chain.text for chain in tied])
    return tied[max(range(len(tied)), key=lambda place: cosines[place])]


def answers(best: Chain, found: Sequence[Chain]) -> list[str]:
    """Far end of the best path, then of all paths with its start, labels and directions, in prompt order."""
    shape = best.shape
    alike = [chain for chain in found if len(chain.steps) == len(best.steps) and chain.shape == shape]
    arrivals = [(end, arrival.route) for chain in alike for end, arrival in chain.ends.items()]
    arrivals.sort(key=lambda pair: pair[1])
    return list(dict.fromkeys((next(iter(best.ends)), *(end for end, _ in arrivals))))


@dataclass(frozen=True, slots=True)
class Finding:
    """What evidence shows for a question."""

    answers: tuple[str, ...] = ()
    """Ends of the best path and of its like, as shown, best first; empty where no path starts at a topic."""
    covered: int = 0
    """Content words of the question that the best path covers."""
    content: int = 0
    """Content words of the question."""
    looked_further: bool = False
    """True where the evidence reaches farther from the starts than the best path is long. By its choice no longer path
    covers more, so looking one step further did not help."""

    def suffices(self, uncovered_share: float) -> bool:
        """Tell whether the evidence is enough to answer; see :class:`Thresholds`."""
        covers_all = self.content - self.covered <= uncovered_share * self.content
        return bool(self.answers) and (covers_all or self.looked_further)


def read_evidence(
    triples: Sequence[ShownTriple], content: Sequence[str], embeddings: Embeddings, word_similarity: float
) -> Finding:
    """Find the best path through the triples of a prompt.

    Args:
        triples: in prompt order.
        content: content words of the question.
        embeddings: compares words and texts.
        word_similarity: see :class:`Thresholds`.
    """
    evidence = Evidence(triples)
    coverage = Coverage(content, embeddings, word_similarity, evidence.texts)
    found = chains(evidence, coverage)
    best = best_chain(found, " ".join(content), embeddings)
    if best is None:
        return Finding(content=len(content))
    looked_further = evidence.reach > len(best.steps)
    return Finding(tuple(answers(best, found)), best.coverage, len(content), looked_further)
