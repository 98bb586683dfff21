"""Opens the graph of a run: which one, how, and what of it is hidden."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench.data.crucial import CRUCIAL, crucial_triples
from kgbench.errors import UsageError
from kgbench.kg.hiding import Hiding
from kgbench.kg.open import open_graphs
from kgbench.kg.source import GraphSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.contracts import KnowledgeGraph, QuestionGraphs
    from kgbench.data.records import Dataset
    from kgbench.spec import RunSpec
    from kgbench.types import QuestionRecord

_DESCRIPTION = ("graph.toml", "relations.tsv", "relations.tsv.gz")
"""Files of a folder that describes a SPARQL graph."""


def open_source(
    spec: RunSpec,
    dataset: Dataset,
    *,
    given: KnowledgeGraph | QuestionGraphs | None = None,
    needed: bool = True,
    options: Mapping[str, Any] | None = None,
) -> GraphSource | None:
    """Open what the settings and the data set name.

    Args:
        spec: of the run.
        dataset: names its own graph, which the settings may replace.
        given: an open graph, to use in place of one that is named.
        needed: the method reads the graph; without, a missing one is no error.
        options: for the adapter of a remote graph, over those of the run.

    Returns:
        The source; None where no graph is named and none is needed.

    Raises:
        UsageError: no graph is named, or ``kg.schema`` for a graph that describes itself.
        PrerequisiteMissing: there is no such graph.
    """
    hiding = _hiding(spec)
    if given is not None:
        return GraphSource(given, hiding)
    location = spec.kg or (str(dataset.graph) if dataset.graph is not None else None)
    if location is None:
        if needed:
            raise UsageError(f'data set "{dataset.name}" names no graph of its own; say which with --kg')
        return None
    if not location.startswith(("http://", "https://")):
        if spec.kg_schema is not None:
            raise UsageError(
                "kg.schema describes the graph behind a SPARQL endpoint; a graph folder has relations.tsv and graph.toml "
                "of its own, and an RDF file says it itself"
            )
        return GraphSource(open_graphs(location, spec.kg_profile), hiding)
    described = {} if spec.kg_schema is None else {"schema": spec.kg_schema}
    opened = open_graphs(location, spec.kg_profile, **{"cache_mode": spec.cache, **described, **(options or {})})
    return GraphSource(opened, hiding, _digest(spec.kg_schema))


def _hiding(spec: RunSpec) -> Hiding:
    if spec.thin is None and spec.thin_seed is not None:
        raise UsageError("kg.thin_seed says which facts kg.thin hides; set kg.thin to the share, such as kg.thin=0.2")
    return Hiding(spec.hide == "crucial", spec.thin, spec.thin_seed or 0)


def _digest(folder: str | None) -> str:
    """Digest of the files that describe a graph; empty without a folder."""
    if folder is None:
        return ""
    files = [path for name in _DESCRIPTION if (path := Path(folder).expanduser() / name).is_file()]
    lines = (f"{path.name} {sha256(path.read_bytes()).hexdigest()}\n" for path in files)
    return sha256("".join(lines).encode()).hexdigest()


def graph_of(source: GraphSource | None, record: QuestionRecord) -> KnowledgeGraph | None:
    """Return the graph that a question reads; None in a run without a graph.

    Raises:
        GraphError: each question has a graph of its own, and this one has none.
    """
    if source is None:
        return None
    return source.graph_for(record.question.id, crucial_triples(record) if source.hiding.crucial else ())


def check_hiding(source: GraphSource | None, records: Iterable[QuestionRecord]) -> None:
    """Check before the first question that there is a list of facts to hide, where these are to be hidden.

    Raises:
        UsageError: no question has such a list.
        DataError: a list is malformed.
    """
    if source is None or not source.hiding.crucial:
        return
    if not any([CRUCIAL in record.tags and crucial_triples(record) is not None for record in records]):
        raise UsageError(
            f'kg.hide=crucial hides the facts that each question lists in its field "{CRUCIAL}", and no question of this '
            "data set has it; the data sets gog-webqsp and gog-cwq do"
        )
