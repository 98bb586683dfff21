"""Opening what runs share once for the whole grid: data set, graph, embedder and model.

Whatever is shared is handed to each run as :class:`kgbench.run.plan.Given`. It is the same object that the run would have
opened by the same settings, so answers are those of runs started one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from kgbench.embed import open_service
from kgbench.run.plan import Given, make_plan
from kgbench.seam.pseudonyms import MasterKey, find_master_key, load_master_key

if TYPE_CHECKING:
    from collections.abc import Hashable

    from kgbench.contracts import ChatModel
    from kgbench.data.records import Dataset
    from kgbench.embed import EmbeddingService
    from kgbench.kg.source import GraphSource
    from kgbench.run.plan import Plan
    from kgbench.spec import RunSpec

_NO_KEY = MasterKey(bytes(32))
"""Stands in for the installation's key, which planning neither needs nor makes."""


@dataclass
class Opened:
    """What has been opened so far, by the settings that it was opened with.

    Args:
        dry: plan only: open no cache, make no key, write nothing.
        given: parts to use instead of opening them by name: for programs that embed kgbench, and tests.
    """

    dry: bool = False
    given: Given = field(default_factory=Given)
    _datasets: dict[Hashable, Dataset] = field(default_factory=dict, repr=False)
    _graphs: dict[Hashable, GraphSource] = field(default_factory=dict, repr=False)
    _embedders: dict[Hashable, EmbeddingService] = field(default_factory=dict, repr=False)
    _models: dict[Hashable, ChatModel] = field(default_factory=dict, repr=False)
    _key: MasterKey | None = field(default=None, repr=False)

    def plan(self, spec: RunSpec) -> Plan:
        """Plan a run with what is open, and keep what it had to open.

        Raises:
            KgbenchError: what planning a run raises.
        """
        spec = replace(spec, cache="off") if self.dry else spec
        plan = make_plan(spec, self.given_for(spec))
        self._datasets[_data_key(spec)] = plan.dataset
        self._embedders[spec.embedder] = plan.embeddings
        self._models[_model_key(spec)] = plan.remote.model
        if plan.graph is not None:
            self._graphs[_graph_key(spec)] = plan.graph
        return plan

    def given_for(self, spec: RunSpec) -> Given:
        """The parts of a run that are open already."""
        given = self.given
        embeddings = given.embeddings or self._embedders.get(spec.embedder)
        if embeddings is None and self.dry:
            embeddings = open_service(spec.embedder)  # without its cache on disk
        return replace(
            given,
            dataset=given.dataset or self._datasets.get(_data_key(spec)),
            graph=given.graph or self._graphs.get(_graph_key(spec)),
            embeddings=embeddings,
            model=given.model or self._models.get(_model_key(spec)),
            key=self.key or _NO_KEY,
        )

    @property
    def key(self) -> MasterKey | None:
        """The installation's pseudonym key; where there is none it is made, but not for a plan."""
        if self._key is None:
            self._key = self.given.key or (find_master_key() if self.dry else load_master_key())
        return self._key


def _data_key(spec: RunSpec) -> Hashable:
    """What a data set is opened by: every setting of the table ``data`` but those that only choose among its questions."""
    return _settings(spec, "data.", without=("where", "limit", "setting"))


def _graph_key(spec: RunSpec) -> Hashable:
    """What a graph is opened by; a data set may bring its own."""
    return (_settings(spec, "kg."), _data_key(spec), spec.cache)


def _model_key(spec: RunSpec) -> Hashable:
    """What a model is opened by; the retrieval baseline reads with the embedder."""
    return _settings(spec, "model.")


def _settings(spec: RunSpec, table: str, without: tuple[str, ...] = ()) -> Hashable:
    return tuple(
        (item.name, getattr(spec, item.name))
        for item in fields(spec)
        if item.metadata["key"].startswith(table) and item.name not in without
    )
