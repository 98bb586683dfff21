"""Under which other conditions the published numbers were made: what a reader must know before comparing them with ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.scoring.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kgbench.reproduce.beside import Beside
    from kgbench.reproduce.grid import Grid
    from kgbench.reproduce.lines import Source


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition that differs, or cannot be held against the published one."""

    what: str
    published: str
    ours: str


def differing(grid: Grid, beside: Beside, sources: Sequence[Source]) -> list[Condition]:
    """List the conditions that differ between the published numbers and ours; none where nothing is published.

    The graph is always listed where the publication names one: whether an endpoint holds the same dump cannot be seen.
    """
    if beside.publication is None:
        return []
    found = [
        *_data(beside, sources),
        Condition("model", _joined(row.model for row in beside.rows), _joined(map(_model, sources))),
        Condition(
            "trials", _joined(row.trials for row in beside.rows), _joined(one.job.spec.trials for one in sources)
        ),
        *_metrics(grid, beside),
        *_settings(grid, sources),
    ]
    return [one for one in found if not _same(one)]


def _data(beside: Beside, sources: Sequence[Source]) -> Iterator[Condition]:
    ours = {one.dataset: len(one.job.plan.records) for one in sources}
    if any(name not in beside.datasets for name in ours):
        yield Condition("data set", ", ".join(beside.datasets), ", ".join(ours))
    for name, count in ours.items():
        published = beside.questions(name)
        if published is not None:
            yield Condition(f"questions of {name}", str(published), str(count))
    filters = _joined(one.job.spec.where or None for one in sources)
    if filters:
        yield Condition("questions", "all", f"only {filters}")


def _model(source: Source) -> str:
    card = source.job.plan.remote.model.card
    return card.name if card.language_model else f"{card.name} (no language model)"


def _metrics(grid: Grid, beside: Beside) -> Iterator[Condition]:
    names = [METRICS[name].name for name in grid.measures if name in METRICS]
    if names:
        yield Condition("metric", _joined(row.published_as for row in beside.rows), ", ".join(names))


def _settings(grid: Grid, sources: Sequence[Source]) -> Iterator[Condition]:
    if "kg" in grid.conditions:
        yield Condition("graph", grid.conditions["kg"], _joined(map(_graph, sources)))
    for setting, name in (("kg_profile", "graph profile"), ("embedder", "embedder"), ("pseudonyms", "pseudonyms")):
        if setting in grid.conditions:
            yield Condition(name, grid.conditions[setting], _joined(_value(one, setting) for one in sources))


def _graph(source: Source) -> str:
    graph = source.job.plan.graph
    if graph is None:
        return "none"
    size = "" if graph.card.triples is None else f", {graph.card.triples} triples"
    return f"{graph.card.name}{size}"


def _value(source: Source, setting: str) -> str:
    if setting == "kg_profile":
        return source.job.plan.identity.kg_profile
    return str(getattr(source.job.spec, setting))


def _joined(values: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values if value is not None))


def _same(condition: Condition) -> bool:
    """True where both sides say the same; of a model's name the provider in front does not count."""
    if condition.what == "model":
        return condition.ours.rpartition("/")[2].casefold() == condition.published.rpartition("/")[2].casefold()
    return condition.ours == condition.published
