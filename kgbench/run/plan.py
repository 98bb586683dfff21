"""From settings to everything a run needs, opened and checked before the first question."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgbench import config, registry
from kgbench.data.filters import filter_records
from kgbench.data.load import LoadOptions, load_dataset
from kgbench.embed import builtin, open_service
from kgbench.errors import UsageError
from kgbench.kg.source import GraphSource
from kgbench.llm.cache import ReplyCache
from kgbench.llm.exchange import Channel
from kgbench.llm.ledger import Budget, Ledger
from kgbench.llm.limits import ModelLimiter, ModelLimits
from kgbench.llm.models import open_model
from kgbench.llm.prices import PriceTable, load_prices, priced_name
from kgbench.llm.retry import RetryPolicy, interruptible_sleep
from kgbench.run.graphs import check_hiding, graph_of, open_source
from kgbench.seam.policy import LiteralPolicy, PrivacyPolicy, PseudonymMode, PseudonymScope, TopicNames
from kgbench.seam.pseudonyms import MasterKey, load_master_key
from kgbench.spec import Identity, RunSpec, spec_id
from kgbench.types import Zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kgbench.contracts import ChatModel, KnowledgeGraph, Method, MethodCard, QuestionGraphs
    from kgbench.data.records import Dataset
    from kgbench.embed import EmbeddingService
    from kgbench.types import QuestionRecord


@dataclass(frozen=True)
class Given:
    """Parts that the caller brings along instead of having them opened by name: tests, and programs that embed kgbench."""

    model: ChatModel | None = None
    local_model: ChatModel | None = None
    graph: KnowledgeGraph | QuestionGraphs | GraphSource | None = None
    dataset: Dataset | None = None
    method: Method | None = None
    embeddings: EmbeddingService | None = None
    key: MasterKey | None = None
    retries: RetryPolicy | None = None
    graph_options: Mapping[str, Any] = field(default_factory=dict)
    """Options for the adapter of a remote graph, over those of the run."""


@dataclass
class Plan:
    """A run, ready to start: nothing has been spent yet."""

    spec: RunSpec
    identity: Identity
    spec_id: str
    method: Method
    dataset: Dataset
    records: tuple[QuestionRecord, ...]
    graph: GraphSource | None
    """Its ``card`` says what the graph is; :meth:`graph_for` is what a question reads of it."""
    remote: Channel
    local: Channel | None
    embeddings: EmbeddingService
    policy: PrivacyPolicy
    key: MasterKey
    ledger: Ledger
    prices: PriceTable
    stop: threading.Event = field(default_factory=threading.Event)
    warnings: list[str] = field(default_factory=list)

    @property
    def card(self) -> MethodCard:
        """The method's card."""
        return self.method.card

    @cached_property
    def declared(self) -> frozenset[str]:
        """Digests of the templates on the method's card."""
        return frozenset(template.digest for template in self.card.templates)

    def graph_for(self, record: QuestionRecord) -> KnowledgeGraph | None:
        """Return the graph that a question reads; None in a run without one.

        Raises:
            GraphError: each question has a graph of its own, and this one has none.
        """
        return graph_of(self.graph, record)

    def narrow(self, kept: Iterable[str]) -> None:
        """Keep some questions only, in their order; the identity of the run follows."""
        wanted = set(kept)
        self.records = tuple(record for record in self.records if record.question.id in wanted)
        self.identity = replace(self.identity, questions_hash=questions_hash(self.records))
        self.spec_id = spec_id(self.spec, self.identity)

    def close(self) -> None:
        """Close caches."""
        for channel in (self.remote, self.local):
            if channel is not None and channel.cache is not None:
                channel.cache.close()


def make_plan(spec: RunSpec, given: Given | None = None) -> Plan:
    """Open and check everything that a run needs.

    Raises:
        UsageError: a name, parameter or combination that cannot be.
        PrerequisiteMissing: a file, key or package is not there.
    """
    given = given or Given()
    spec = with_absolute_paths(spec)
    method = given.method or _method(spec)
    dataset = given.dataset or open_dataset(spec)
    records = selected_records(spec, dataset)
    stop = threading.Event()
    waits = {"sleep": interruptible_sleep(stop)}  # a remote graph's waits end when the run is stopped
    graph = open_run_graph(spec, dataset, replace(given, graph_options={**waits, **given.graph_options}), method.card)
    check_hiding(graph, records)
    embeddings = given.embeddings or open_service(spec.embedder, cache_folder() / "embeddings.sqlite")
    model = given.model or open_model(spec.model, spec.base_url, embeddings)
    check_kinds(model, method.card)
    policy = privacy_policy(spec)
    if graph is not None:
        policy.check_graph(graph.card.profile.name, graph.card.profile.opaque_ids)
    prices = load_prices()
    ledger = Ledger(prices.cost, Budget(usd=spec.budget))
    remote = _channel(spec, model, Zone.REMOTE, stop, given)
    ledger.require_price(remote.priced_as)
    identity = _identity(spec, method, dataset, records, graph, embeddings)
    return Plan(
        spec=spec,
        identity=identity,
        spec_id=spec_id(spec, identity),
        method=method,
        dataset=dataset,
        records=records,
        graph=graph,
        remote=remote,
        local=_local_channel(spec, given, stop, embeddings),
        embeddings=embeddings,
        policy=policy,
        key=given.key or load_master_key(),
        ledger=ledger,
        prices=prices,
        stop=stop,
        warnings=_warnings(dataset, graph),
    )


def with_absolute_paths(spec: RunSpec) -> RunSpec:
    """Make paths absolute, so that a run can be resumed from any folder."""
    name, colon, path = spec.dataset.partition(":")
    dataset = f"{name}:{Path(path).expanduser().resolve()}" if colon and path else spec.dataset
    kg = spec.kg
    if kg is not None and "://" not in kg and Path(kg).expanduser().exists():
        kg = str(Path(kg).expanduser().resolve())
    schema = None if spec.kg_schema is None else str(Path(spec.kg_schema).expanduser().resolve())
    model = spec.model
    if model.startswith("replay:"):
        model = f"replay:{Path(model.removeprefix('replay:')).expanduser().resolve()}"
    return replace(spec, dataset=dataset, kg=kg, kg_schema=schema, model=model)


def cache_folder() -> Path:
    """The user's cache folder for kgbench; ``$KGBENCH_CACHE`` overrides it."""
    import os

    given = os.environ.get("KGBENCH_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("kgbench")


def load_method(name: str, parameters: dict[str, Any]) -> Method:
    """Build a method by its registry name.

    Raises:
        UsageError: no such method, or parameters that it does not take.
    """
    kind = registry.load("methods", name)
    card: MethodCard | None = getattr(kind, "card", None)
    if card is None or not callable(getattr(kind, "answer", None)):
        raise registry.BrokenPlugin(
            f'the method "{name}" ({kind!r}) has no card or no answer(question, ctx); see docs/add-a-method.md'
        )
    method: Method = kind(config.method_parameters(card.parameters, parameters, name))
    return method


def _method(spec: RunSpec) -> Method:
    return load_method(spec.method, dict(spec.parameters))


def open_dataset(spec: RunSpec) -> Dataset:
    """Load the data set; one's own file goes by its stem, for that is how its reader knows it."""
    dataset = load_dataset(spec.dataset, options=load_options(spec))
    _, _, path = spec.dataset.partition(":")
    return replace(dataset, name=Path(path).stem) if dataset.name == "jsonl" else dataset


def load_options(spec: RunSpec) -> LoadOptions:
    """What the settings choose about the data."""
    return LoadOptions(spec.split, spec.gold, spec.topics_from_graph, spec.revision)


def selected_records(spec: RunSpec, dataset: Dataset) -> tuple[QuestionRecord, ...]:
    """Return the questions that the run asks: those that ``--where`` and ``--limit`` leave, in file order.

    Raises:
        UsageError: none is left.
    """
    records = tuple(filter_records(dataset.questions, spec.where)) if spec.where else dataset.questions
    records = records[: spec.limit] if spec.limit is not None else records
    if not dataset.questions:
        raise UsageError(f'the data set "{dataset.name}" holds no question; look at its file {dataset.report.file}')
    if not records:
        raise UsageError(f'no question of "{dataset.name}" is left after --where "{spec.where}"; loosen the filter')
    return tuple(records)


def open_run_graph(spec: RunSpec, dataset: Dataset, given: Given, card: MethodCard) -> GraphSource | None:
    """Open the graph; closed-book methods get it too, so that their audit knows what names not to send.

    Raises:
        UsageError: no graph is named, and the method needs one.
        PrerequisiteMissing: there is no such graph.
    """
    if isinstance(given.graph, GraphSource):
        return given.graph
    return open_source(spec, dataset, given=given.graph, needed=card.uses_graph, options=given.graph_options)


def privacy_policy(spec: RunSpec) -> PrivacyPolicy:
    """The privacy settings of a run."""
    return PrivacyPolicy(
        scenario=spec.scenario,
        pseudonyms=PseudonymMode(spec.pseudonyms),
        scope=PseudonymScope(spec.pseudonym_scope),
        literals=LiteralPolicy(spec.literals),
        topic_names=TopicNames(spec.topic_names),
    )


def check_kinds(model: ChatModel, card: MethodCard) -> None:
    """Fail before the first question where a retrieval model has no reading for a task of the method.

    Raises:
        UsageError: it has none for some templates.
    """
    readable = getattr(model, "readable", None)
    if readable is None:
        return
    missing = [f"{template.name} ({template.kind})" for template in card.templates if not readable(template.kind)]
    if missing:
        raise UsageError(
            f'{model.card.name} has no reading for these templates of method "{card.name}": {", ".join(missing)}. '
            "Name a language model with --model."
        )


def _channel(spec: RunSpec, model: ChatModel, zone: Zone, stop: threading.Event, given: Given) -> Channel:
    file = "replies.sqlite" if zone is Zone.REMOTE else "replies.local.sqlite"
    cached = model.card.cacheable and spec.cache != "off"
    sleep = interruptible_sleep(stop)
    return Channel(
        model=model,
        zone=zone,
        limiter=ModelLimiter(ModelLimits(concurrent=max(1, spec.jobs)), clock=time.monotonic, sleep=sleep),
        retries=given.retries or RetryPolicy(),
        priced_as=getattr(model, "priced_as", None) or priced_name(model.card),
        count_tokens=builtin().count_tokens,
        sleep=sleep,
        jitter=random.SystemRandom().random,
        cache=ReplyCache(cache_folder() / file, spec.cache) if cached else None,  # type: ignore[arg-type]
        billed=model.card.backend != "replay",
    )


def _local_channel(spec: RunSpec, given: Given, stop: threading.Event, embeddings: EmbeddingService) -> Channel | None:
    model = given.local_model
    if model is None and spec.local_model is not None:
        model = open_model(spec.local_model, None, embeddings)
    return _channel(spec, model, Zone.LOCAL, stop, given) if model is not None else None


def _warnings(dataset: Dataset, graph: GraphSource | None) -> list[str]:
    """What a user should know of data and graph before reading a number; kept in the manifest too."""
    report = dataset.report
    found = list(report.notes)
    if report.dropped:
        reasons = Counter(reason for _, reason in report.dropped)
        listed = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        found.append(f"{report.file}: {len(report.dropped)} of {report.records} records dropped ({listed})")
    return [*found, *(graph.card.notes if graph is not None else ())]


def questions_hash(records: Iterable[QuestionRecord]) -> str:
    """Hash over the ids of questions, in order."""
    ids = "\n".join(record.question.id for record in records)
    return sha256(ids.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _identity(
    spec: RunSpec,
    method: Method,
    dataset: Dataset,
    records: tuple[QuestionRecord, ...],
    graph: GraphSource | None,
    embeddings: EmbeddingService,
) -> Identity:
    prompts = "\n".join(sorted(template.digest for template in method.card.templates))
    parameters = config.parameter_values(
        config.method_parameters(method.card.parameters, spec.parameters, method.card.name)
    )
    return Identity(
        dataset=dataset.name,
        data_hash=dataset.report.sha256,
        questions_hash=questions_hash(records),
        kg=graph.card.name if graph is not None else "none",
        kg_fingerprint=graph.card.fingerprint if graph is not None else "",
        kg_profile=graph.card.profile.name if graph is not None else "none",
        method_version=method.card.version,
        prompts_hash=sha256(prompts.encode()).hexdigest()[:12],
        embedder_revision=embeddings.card.revision,
        parameters=parameters,
    )
