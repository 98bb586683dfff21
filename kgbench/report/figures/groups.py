"""Which runs may stand in one panel, and what to call them there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from kgbench.spec import RunSpec
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from kgbench.report.figures.runs import RunScores

SCENARIOS = tuple(str(scenario) for scenario in Scenario)
_SAME_DATA = (
    "dataset",
    "data_hash",
    "questions_hash",
    "where",
    "setting",
    "kg",
    "kg_profile",
    "kg_fingerprint",
    "trials",
)
_MODEL = ("model", "base_url", "local_model")
_SETTINGS = (
    "scenario",
    "pseudonyms",
    "pseudonym_scope",
    "literals",
    "topic_names",
    "shield",
    "seed",
    "embedder",
    "key_id",
    "method_version",
)
"""Parts of the header, beside parameters and model, that tell runs of one method apart."""
MODEL_TOLD = frozenset(_MODEL)
"""Settings that a panel tells whose runs have one model."""


@dataclass(frozen=True)
class Group:
    """Runs that have the same questions and graph, and where asked for the same model."""

    runs: tuple[RunScores, ...]

    @property
    def first(self) -> RunScores:
        """Any of them, for what they share."""
        return self.runs[0]

    @property
    def title(self) -> str:
        """Data set, setting and number of questions."""
        run = self.first
        where = f" [{run.text('where')}]" if run.text("where") else ""
        trials = f", {run.text('trials')} trials" if run.text("trials") != "1" else ""
        return f"{run.text('dataset')}{where}, {run.text('setting')}, n = {run.n}{trials}"

    @property
    def models(self) -> tuple[str, ...]:
        """The models, each with whether it is a language model."""
        return tuple(sorted({model_text(run) for run in self.runs}))

    @property
    def data(self) -> str:
        """Data set and graph by content, for the caption."""
        run = self.first
        graph = f"{run.text('kg')}/{run.text('kg_profile')}@{run.text('kg_fingerprint')[:8]}"
        return f"{run.text('dataset')}@{run.text('data_hash')[:8]}, graph {graph}, {run.text('setting')}, n = {run.n}"


def model_text(run: RunScores) -> str:
    """A model's name with whether it is a language model."""
    return f"{run.text('model')}, LM: {'yes' if run.lm else 'no'}"


def without_repeats(runs: Iterable[RunScores]) -> tuple[list[RunScores], list[RunScores]]:
    """Split runs into those to draw and those that only repeat one of them (same spec and key), by run id."""
    kept: dict[tuple[str, str], RunScores] = {}
    repeated = []
    for run in sorted(runs, key=lambda one: (one.run_id, one.source)):
        key = (run.text("spec_id"), run.text("key_id"))
        if key in kept:
            repeated.append(run)
        else:
            kept[key] = run
    return list(kept.values()), repeated


def groups(runs: Iterable[RunScores], *, by_model: bool = True) -> list[Group]:
    """Sort runs into groups that may share a panel, in the order of data sets and models."""
    names = (*_SAME_DATA, *(_MODEL if by_model else ()))
    found: dict[tuple[str, ...], list[RunScores]] = {}
    for run in runs:
        found.setdefault(tuple(run.text(name) for name in names), []).append(run)
    return [Group(tuple(found[key])) for key in sorted(found)]


def settings(run: RunScores) -> dict[str, str]:
    """Everything that tells a run of a method from another over the same data: name -> value as text."""
    found = {name: _text(run.header.get(name)) for name in (*_SETTINGS, *_MODEL)}
    return found | {name: _text(value) for name, value in sorted(run.parameters.items())}


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "+".join(map(_text, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def variant(run: RunScores, axes: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What a run is beside its place on the axes: equal for runs of one series."""
    own = {name: value for name, value in settings(run).items() if name not in axes}
    return (("method", run.text("method")), *sorted(own.items()))


def by_variant(runs: Iterable[RunScores], axes: Collection[str]) -> list[list[RunScores]]:
    """Sort runs into series that differ only in the settings of the axes."""
    found: dict[tuple[tuple[str, str], ...], list[RunScores]] = {}
    for run in runs:
        found.setdefault(variant(run, axes), []).append(run)
    return [found[key] for key in sorted(found)]


def labels(runs: Sequence[RunScores], axes: Collection[str] = ()) -> dict[str, str]:
    """Name runs by method, and by the settings in which runs of one method differ.

    Args:
        runs: all runs of the picture.
        axes: settings that the axes or the legend tell already.

    Returns:
        Key of a run (:func:`key_of`) -> label. A setting at its usual value is left out, but for the scenario;
        :func:`assumed` says what is usual.
    """
    found = {}
    for run in runs:
        own, usual = settings(run), _usual(run.text("method"), runs)
        told = _differing(run.text("method"), runs) - set(axes)
        odd = [name for name in own if name in told and (own[name] != usual.get(name) or name == "scenario")]
        parts = [_part(name, own[name], run) for name in odd]
        found[key_of(run)] = ", ".join([run.text("method"), *parts])
    return found


def assumed(runs: Sequence[RunScores], axes: Collection[str] = ()) -> list[str]:
    """Say for each method what its parameters are where no label says it and no run shows its default."""
    lines = []
    for method in sorted({run.text("method") for run in runs}):
        differing = _differing(method, runs) - set(axes)
        common = {name: value for name, value in _common(method, runs).items() if name in differing}
        told = [f"{name}={value}" for name, value in common.items() if name not in _defaults(method, runs)]
        if told:
            lines.append(f"{method}: {', '.join(told)} where no label says otherwise, as in most of its runs.")
    return lines


def _differing(method: str, runs: Sequence[RunScores]) -> set[str]:
    """Names of the settings in which the runs of a method differ; a parameter that one lacks counts too."""
    own = [settings(run) for run in runs if run.text("method") == method]
    return {name for one in own for name in one if len({other.get(name) for other in own}) > 1}


def key_of(run: RunScores) -> str:
    """What tells a run from any other, and from a part of itself such as its filtered questions."""
    return "\n".join((run.run_id, run.source, run.text("spec_id")))


def _part(name: str, value: str, run: RunScores) -> str:
    if name == "model":
        return model_text(run).replace(", LM: yes", "").replace(", LM: no", " (LM: no)")
    return value if name == "scenario" else f"{name}={value}"


def _usual(method: str, runs: Sequence[RunScores]) -> dict[str, str]:
    """What a setting usually is: its default, else for a parameter what most of the method's runs have."""
    return _common(method, runs) | _defaults(method, runs)


def _common(method: str, runs: Sequence[RunScores]) -> dict[str, str]:
    """The value of each parameter that more than half of a method's runs have. Runs made from presets show no default."""
    own = [run.parameters for run in runs if run.text("method") == method]
    found = {}
    for name in sorted({name for one in own for name in one}):
        value, count = Counter(_text(one[name]) for one in own if name in one).most_common(1)[0]
        if 2 * count > len(own):
            found[name] = value
    return found


def _defaults(method: str, runs: Sequence[RunScores]) -> dict[str, str]:
    """Defaults of the settings, and of a method's parameters as far as the runs show them.

    A parameter that a run did not change has its default there.
    """
    spec = {field.name: _text(getattr(_SPEC, field.name)) for field in fields(RunSpec)}
    found = {name: value for name, value in spec.items() if name in _SETTINGS}
    for run in runs:
        if run.text("method") == method:
            changed = run.header["parameters"]["changed"]
            found |= {name: _text(value) for name, value in run.parameters.items() if name not in changed}
    return found


_SPEC = RunSpec()


def plain_runs(runs: Sequence[RunScores]) -> list[RunScores]:
    """The runs of a method at its usual parameters, where there are such; all of its runs elsewhere.

    A sweep over a parameter has its own figure, and would hide the methods in the others.
    """
    kept = []
    for run in runs:
        same = [other for other in runs if other.text("method") == run.text("method")]
        usual = _usual(run.text("method"), runs)
        if _is_plain(run, usual) or not any(_is_plain(other, usual) for other in same):
            kept.append(run)
    return kept


def _is_plain(run: RunScores, usual: dict[str, str]) -> bool:
    return all(_text(value) == usual.get(name) for name, value in run.parameters.items())


def methods_of(shown: Iterable[Group]) -> list[str]:
    """The methods of the runs in a picture, sorted."""
    return sorted({run.text("method") for group in shown for run in group.runs})


def slots(found: Iterable[tuple[str, str]], methods: Sequence[str]) -> dict[str, int]:
    """Give every series a style: a method's first series the method's own, so that it looks alike in every panel.

    Args:
        found: label and method of every series.
        methods: all methods of the picture, sorted.
    """
    styles: dict[str, int] = {}
    free = len(methods)
    for label, method in sorted(found):
        if label in styles:
            continue
        own = methods.index(method) if method in methods else free
        if own in styles.values():
            own = free
        free += own == free
        styles[label] = own
    return styles
