"""What only the owner of a run may see: what each handle stood for, restored answers, gold and tags.

Handles are derived again from the key. The graph is opened for the names; where it cannot be, ids stand in their place and
the page says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.contracts import QuestionGraphs
from kgbench.errors import KgbenchError, UsageError
from kgbench.kg.gate import GraphGate
from kgbench.seam.policy import PseudonymMode, PseudonymScope
from kgbench.seam.pseudonyms import Pseudonyms, load_master_key
from kgbench.types import Entity, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kgbench.contracts import KnowledgeGraph
    from kgbench.report.page.runs import PageRun
    from kgbench.seam.pseudonyms import MasterKey
    from kgbench.types import JsonObject, Term


@dataclass
class Revealer:
    """Reveals one run."""

    page_run: PageRun
    key: MasterKey
    graph: KnowledgeGraph | QuestionGraphs | None
    notes: list[str] = field(default_factory=list)
    """What the page must say of the names."""

    def question(self, question_id: str) -> JsonObject:
        """Gold, tags and flags of a question."""
        loaded = self.page_run.run.loaded
        gold = loaded.golds[question_id]
        answers = [
            {"id": answer.id, "name": answer.name, "value": answer.value, "aliases": list(answer.aliases)}
            for answer in gold.answers
        ]
        return {"id": question_id, "gold": answers, "flags": list(gold.flags), "tags": loaded.tags.get(question_id, {})}

    def answers(self, record: JsonObject) -> JsonObject:
        """The restored prediction and what its handles stood for."""
        prediction = record.get("prediction") or {}
        items = [
            {"text": item["text"], "ids": list(item.get("ids", ())), "kind": item.get("kind", "")}
            for item in prediction.get("items") or ()
        ]
        return {"items": items, "raw": prediction.get("raw", ""), "terms": self._terms(record)}

    def _terms(self, record: JsonObject) -> dict[str, list[str]]:
        """Handle -> kind, id or value, and name."""
        terms = [read_term(parts) for parts in record.get("issued") or ()]
        names = self._names(str(record["question_id"]), [term for term in terms if isinstance(term, Entity)])
        pseudonyms = Pseudonyms(self._session_key(record), source_ids=self._source_ids)
        return {pseudonyms.handle(term): _told(term, names) for term in terms}

    @property
    def _source_ids(self) -> bool:
        return bool(self.page_run.run.spec["pseudonyms"] == PseudonymMode.SOURCE_ID)

    def _session_key(self, record: JsonObject) -> bytes:
        spec, question_id = self.page_run.run.spec, str(record["question_id"])
        if spec["pseudonym_scope"] == PseudonymScope.RUN:
            return self.key.run(method=spec["method"], seed=spec["seed"])
        return self.key.session(
            method=spec["method"],
            seed=spec["seed"],
            trial=int(record["trial"]),
            question_id=question_id,
            text=self.page_run.run.loaded.texts[question_id],
        )

    def _names(self, question_id: str, entities: Sequence[Entity]) -> dict[Entity, str]:
        if self.graph is None or not entities:
            return {}
        try:
            graph = self.graph.graph_for(question_id) if isinstance(self.graph, QuestionGraphs) else self.graph
            known = GraphGate(graph).names(entities)
        except KgbenchError:
            self._remark("the graph could not be read for every question; ids stand in place of some names")
            return {}
        return {entity: names.name for entity, names in known.items() if names.name}

    def _remark(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def open_revealer(page_run: PageRun) -> Revealer:
    """Check the key and open the graph of a run.

    Raises:
        UsageError: the installation's key is not that of the run.
    """
    key = load_master_key()
    made_with = page_run.original.get("key_id")
    if made_with != key.key_id:
        raise UsageError(
            f"{page_run.run.path}: this run was made with another pseudonym key (id {made_with}; yours is {key.key_id}), "
            "so its handles cannot be resolved here. Set KGBENCH_KEY to its key, or leave out --reveal."
        )
    notes: list[str] = []
    graph = _graph(page_run, notes)
    return Revealer(page_run, key, graph, notes)


def _graph(page_run: PageRun, notes: list[str]) -> KnowledgeGraph | QuestionGraphs | None:
    """The run's graph, by its own settings; None where it has none or it cannot be opened."""
    from kgbench.data.load import load_dataset
    from kgbench.kg.open import open_graph

    spec = page_run.original["spec"]
    try:
        location = spec["kg"]
        if location is None:
            own = load_dataset(spec["dataset"]).graph
            location = str(own) if own is not None else None
        if location is None:
            return None
        graph = open_graph(location, spec.get("kg_profile"))
    except KgbenchError:
        notes.append("the run's graph cannot be opened here: ids stand in place of names")
        return None
    if graph.card.fingerprint != page_run.original["identity"].get("kg_fingerprint"):
        notes.append("the graph has changed since the run: names are those of today")
    return graph


def read_term(parts: Iterable[Any]) -> Term:
    """Read back a term of a record's ``issued``."""
    kind, *rest = parts
    return Entity(*rest) if kind == "E" else Literal(*rest)


def _told(term: Term, names: dict[Entity, str]) -> list[str]:
    if isinstance(term, Literal):
        return ["literal", term.lexical, term.datatype.rpartition("#")[2]]
    return ["entity", term.id, names.get(term, "")]
