"""Choose the two thresholds of ``builtin/reader`` on PathQuestion, and print the table that the choice rests on.

    python scripts/calibrate_reader.py DATA_FOLDER [--embedder builtin/static]

DATA_FOLDER holds ``questions/pathquestion{2h,3h}.jsonl`` and ``pathquestion/pathquestion{2h,3h}.triples.tsv.gz``. Evidence
grows as in an iterative method: at each depth every node reached so far is expanded along its three relations that are
most similar to the question. The reader judges after each depth, and answers where it says yes, at depth 3 at the latest.
The table shows Hits@1 of that answer and the depths at which the reader stopped, over a small grid of both thresholds.
The best mean of the two files is marked; ties take the higher word similarity, then the smaller share (these questions
are too short to tell a share of 0.2 from none, and a reader that says no costs calls, one that says yes costs answers).

No other data set may be used to choose the thresholds: their values are constants of ``kgbench.llm.backends.reader``.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kgbench.contracts import ShownEnd, ShownTriple
from kgbench.embed import open_service
from kgbench.llm.backends.reader.paths import Thresholds, read_evidence
from kgbench.llm.backends.reader.text import content_words, mention_pattern, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.embed import EmbeddingService
    from kgbench.llm.backends.reader.paths import Finding
    from kgbench.types import JsonObject

FILES = ("pathquestion2h", "pathquestion3h")
WORD_SIMILARITIES = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
UNCOVERED_SHARES = (0.0, 0.2, 0.25, 0.34, 0.5)
WIDTH = 3
DEPTH = 3
LARGE_CLUSTER = 20
"""Clusters of this size and more are cut to a few members, as ARoG does."""
SAMPLE = 5

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class Case:
    """One question with the evidence of each depth."""

    content: tuple[str, ...]
    gold: frozenset[str]
    """Right answers as the prompt shows them."""
    evidence: tuple[tuple[ShownTriple, ...], ...]


class Outcome(NamedTuple):
    """How one question ended."""

    hit: bool
    depth: int


class Graph:
    """Triples of one file, by node and relation."""

    def __init__(self, path: Path) -> None:
        self._by_node: dict[str, dict[str, list[Triple]]] = defaultdict(lambda: defaultdict(list))
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                head, relation, tail = line.rstrip("\n").split("\t")
                self._by_node[head][relation].append((head, relation, tail))
                self._by_node[tail][relation].append((head, relation, tail))

    def expand(self, node: str, question: str, embeddings: EmbeddingService) -> Iterator[Triple]:
        """Triples of a node along the relations that are most similar to the question, both ways."""
        relations = sorted(self._by_node[node])
        cosines = embeddings.similarities(question, [plain(relation) for relation in relations])
        ranked = sorted(range(len(relations)), key=lambda place: -cosines[place])
        for place in ranked[:WIDTH]:
            triples = self._by_node[node][relations[place]]
            for end in (0, 2):
                cluster = sorted(triple for triple in triples if triple[end] == node)
                yield from cluster[:SAMPLE] if len(cluster) >= LARGE_CLUSTER else cluster


def shown(node: str) -> str:
    """Return the handle of a node."""
    return "m." + node.replace(".", "")


def grow(graph: Graph, topics: Sequence[str], question: str, embeddings: EmbeddingService) -> Iterator[list[Triple]]:
    """Yield the evidence of each depth."""
    evidence: dict[Triple, None] = {}
    expanded: set[str] = set()
    frontier = list(topics)
    for _ in range(DEPTH):
        reached: dict[str, None] = {}
        for node in frontier:
            for triple in graph.expand(node, question, embeddings):
                evidence[triple] = None
                reached.update({triple[0]: None, triple[2]: None})
        expanded.update(frontier)
        frontier = [node for node in reached if node not in expanded]
        yield list(evidence)


def read_cases(folder: Path, name: str, embeddings: EmbeddingService) -> list[Case]:
    """Read the questions of a file and grow their evidence."""
    graph = Graph(folder / "pathquestion" / f"{name}.triples.tsv.gz")
    lines = (folder / "questions" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line), graph, embeddings) for line in lines]


def _case(record: JsonObject, graph: Graph, embeddings: EmbeddingService) -> Case:
    question: str = record["question"]
    topics: dict[str, str] = record["topic_entities"]
    mentions = {topic: name for topic, name in topics.items() if _says(question, name)}
    content = content_words(question, mentions.values())
    grown = grow(graph, list(topics), " ".join(content), embeddings)
    evidence = tuple(tuple(_in_prompt_order(triples, mentions)) for triples in grown)
    return Case(content, frozenset(shown(answer["mid"]) for answer in record["answers"]), evidence)


def _says(question: str, name: str) -> bool:
    pattern = mention_pattern([name])
    return pattern is not None and pattern.search(question) is not None


def _in_prompt_order(triples: Iterable[Triple], mentions: dict[str, str]) -> list[ShownTriple]:
    def end(node: str) -> ShownEnd:
        return ShownEnd(mentions.get(node, shown(node)), topic=node in mentions)

    rendered = [ShownTriple(end(head), relation, end(tail)) for head, relation, tail in triples]
    return sorted(rendered, key=lambda triple: (triple.relation, triple.subject.text, triple.object.text))


def outcome(findings: Sequence[Finding], gold: frozenset[str], uncovered_share: float) -> Outcome:
    """Stop at the first depth whose evidence suffices and answer there."""
    stops = (depth for depth, finding in enumerate(findings, 1) if finding.suffices(uncovered_share))
    depth = next(stops, DEPTH)
    answers = findings[depth - 1].answers
    return Outcome(bool(answers) and answers[0] in gold, depth)


def measure(cases: Sequence[Case], embeddings: EmbeddingService) -> dict[Thresholds, list[Outcome]]:
    """Run every question under every pair of thresholds."""
    outcomes: dict[Thresholds, list[Outcome]] = defaultdict(list)
    for word_similarity in WORD_SIMILARITIES:
        for case in cases:
            findings = [read_evidence(triples, case.content, embeddings, word_similarity) for triples in case.evidence]
            for share in UNCOVERED_SHARES:
                outcomes[Thresholds(word_similarity, share)].append(outcome(findings, case.gold, share))
    return outcomes


def hits(outcomes: Sequence[Outcome]) -> float:
    """Hits@1 in percent."""
    return 100 * sum(found.hit for found in outcomes) / len(outcomes)


def stops(outcomes: Sequence[Outcome]) -> str:
    """Share of the questions that stopped at each depth, in percent."""
    shares = (100 * sum(found.depth == depth for found in outcomes) / len(outcomes) for depth in range(1, DEPTH + 1))
    return " / ".join(f"{share:3.0f}" for share in shares)


def print_table(measured: Sequence[dict[Thresholds, list[Outcome]]]) -> None:
    """Print a row for each pair of thresholds and mark the best."""
    means = {pair: sum(hits(by_pair[pair]) for by_pair in measured) / len(measured) for pair in measured[0]}
    best = max(means, key=lambda pair: (round(means[pair], 6), pair.word_similarity, -pair.uncovered_share))
    columns = "".join(f" {name} hits@1, stopped at 1 / 2 / 3 (%) |" for name in FILES)
    print(f"| word similarity | uncovered share |{columns} mean |")
    print("|---|---|" + "---|" * (len(FILES) + 1))
    for pair, mean in means.items():
        cells = "".join(f" {hits(by_pair[pair]):5.1f}, {stops(by_pair[pair])} |" for by_pair in measured)
        mark = " best" if pair == best else ""
        print(f"| {pair.word_similarity:.2f} | {pair.uncovered_share:.2f} |{cells} {mean:.1f}{mark} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Choose the thresholds of builtin/reader on PathQuestion.")
    parser.add_argument("data", type=Path, metavar="DATA_FOLDER", help="folder with questions/ and pathquestion/")
    parser.add_argument("--embedder", default="builtin/static")
    options = parser.parse_args()
    embeddings = open_service(options.embedder)
    measured = [measure(read_cases(options.data, name, embeddings), embeddings) for name in FILES]
    print_table(measured)


if __name__ == "__main__":
    main()
