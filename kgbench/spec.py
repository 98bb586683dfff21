"""What a run is: every setting in one frozen object, its identity, and the signature under a number."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping  # noqa: TC003 - the types of settings are read at run time
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import Any

from kgbench.types import Scenario

SPEC_VERSION = 1


def _setting(key: str, default: Any, text: str, *, effect: bool = True, later: bool = False) -> Any:
    """A field of the spec: its name in a config file, and whether it can change an answer.

    A setting that came ``later`` than the first runs enters their identity only where it is not at its default: a run
    without it stays the run that it was.
    """
    return field(default=default, metadata={"key": key, "effect": effect, "text": text, "later": later})


@dataclass(frozen=True)
class RunSpec:
    """All settings of a run, as asked for. Unset graph, profile and paths are resolved when the run is planned."""

    method: str = _setting("method.name", "arog", "method, by its registry name")
    parameters: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"key": "method.*", "effect": True, "text": "parameters of the method"},
    )
    scenario: Scenario = _setting("privacy.scenario", Scenario.PRIVATE, "which phases show names")
    setting: str = _setting("data.setting", "total", "total, or filtered: without what CoT answers alone")
    dataset: str = _setting("data.name", "demo", "data set, NAME or NAME:PATH")
    where: str = _setting("data.where", "", "filter on tags, such as answerable=exact")
    limit: int | None = _setting("data.limit", None, "first questions only")
    split: str | None = _setting("data.split", None, "test, train or dev of a data set that has them", later=True)
    gold: str | None = _setting("data.gold", None, "of cwq: expanded, single or aliases", later=True)
    topics_from_graph: bool | None = _setting(
        "data.topics_from_graph", None, "of grailqa: restore topics that the linked file lost", later=True
    )
    revision: str | None = _setting("data.revision", None, "commit of a data set on the hub; default: the pinned one")
    kg: str | None = _setting(
        "kg.location", None, "graph: folder, RDF file, store or name; default: the data set's own"
    )
    kg_profile: str | None = _setting("kg.profile", None, "how to read the graph; default: guessed")
    kg_schema: str | None = _setting(
        "kg.schema", None, "folder that describes a SPARQL graph: relations.tsv, graph.toml"
    )
    hide: str | None = _setting("kg.hide", None, "crucial: hide the facts that each question lists for it", later=True)
    thin: float | None = _setting("kg.thin", None, "share of facts that are hidden, drawn by a keyed hash", later=True)
    thin_seed: int | None = _setting("kg.thin_seed", None, "which facts kg.thin hides", later=True)
    model: str = _setting("model.name", "builtin/reader", "model")
    base_url: str | None = _setting("model.base_url", None, "address of an OpenAI-compatible server")
    local_model: str | None = _setting("model.local", None, "model of the trusted zone")
    embedder: str = _setting("model.embedder", "builtin/static", "text encoder")
    pseudonyms: str = _setting("privacy.pseudonyms", "keyed", "keyed or source-id")
    pseudonym_scope: str = _setting("privacy.pseudonym_scope", "question", "question or run")
    literals: str = _setting("privacy.literals", "handle", "handle, typed or plain")
    topic_names: str = _setting("privacy.topic_names", "mention", "mention, label or mask")
    shield: tuple[str, ...] = _setting("privacy.shield", (), "defences to switch on")
    trials: int = _setting("run.trials", 1, "runs over every question")
    seed: int = _setting("run.seed", 0, "seed of every random choice")
    jobs: int = _setting("run.jobs", 4, "questions side by side", effect=False)
    executor: str = _setting("run.executor", "threads", "threads", effect=False)
    out: str = _setting("run.out", "runs", "folder for run folders", effect=False)
    budget: float | None = _setting("run.budget", None, "US dollars that this run may spend", effect=False)
    cache: str = _setting("run.cache", "on", "on, off, read or refresh", effect=False)
    max_errors: float = _setting("run.max_errors", 0.05, "share of errors above which the run fails", effect=False)

    def effective(self) -> dict[str, Any]:
        """The settings that can change an answer, as JSON-ready values."""
        return {
            item.name: _plain(value)
            for item in fields(self)
            for value in [getattr(self, item.name)]
            if item.metadata["effect"] and not (item.metadata.get("later") and value == item.default)
        }

    def to_json(self) -> dict[str, Any]:
        """Every setting as JSON-ready values; a password in the address of a graph is no setting, and left out."""
        values = {key: _plain(value) for key, value in asdict(self).items()}
        return values if self.kg is None else {**values, "kg": without_password(self.kg)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """Rebuild a spec from :meth:`to_json`; unknown keys of newer versions are refused by the constructor."""
        values = dict(data)
        values["scenario"] = Scenario(values["scenario"])
        values["shield"] = tuple(values.get("shield", ()))
        return cls(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in sorted(value.items())}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Scenario) else value


_PASSWORD = re.compile(r"\A([A-Za-z][A-Za-z0-9+.-]*://[^/?#@:]*):[^/?#]*@")


def without_password(location: str) -> str:
    """Return an address without the password that may stand in it, its user left; any other text as it is."""
    return _PASSWORD.sub(r"\1@", location)


@dataclass(frozen=True)
class Identity:
    """What else decides the answers of a run: contents and versions, found when it is planned.

    Paths are not part of it: the same files elsewhere are the same run.
    """

    dataset: str
    """Data set name without a path."""
    data_hash: str
    questions_hash: str
    """Hash over the ids of the questions asked, in order."""
    kg: str
    kg_fingerprint: str
    kg_profile: str
    method_version: str
    prompts_hash: str
    embedder_revision: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Every parameter of the method with its value, defaults included."""

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {key: _plain(value) for key, value in asdict(self).items()}


RESOLVED = ("dataset", "revision", "kg", "kg_profile", "kg_schema", "parameters")
"""Settings that the identity holds by content instead: the same files elsewhere are the same run."""


def identity_fields(spec: RunSpec, identity: Identity) -> dict[str, Any]:
    """Everything that enters ``spec_id``: settings with an effect, with content hashes in place of paths."""
    settings = spec.effective()
    for resolved in RESOLVED:
        settings.pop(resolved)
    return {"version": SPEC_VERSION, **settings, **identity.to_json()}


def spec_id(spec: RunSpec, identity: Identity) -> str:
    """Return 16 hex digits that are equal for two runs exactly when the same answers are to be expected."""
    text = json.dumps(identity_fields(spec, identity), sort_keys=True, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


def signature(spec: RunSpec, identity: Identity, *, n: int, metric: str, version: str, key_id: str) -> str:
    """Return the compact text that stands under a number, from which it can be repeated.

    Parts are separated by ``|``: metric, data set and content, n, setting, scenario with privacy settings, method with
    version and changed parameters, model, embedder, trials and seed, key, kgbench version, spec id.
    """
    privacy = f"{spec.scenario}/{spec.pseudonyms}/{spec.pseudonym_scope}/{spec.literals}/{spec.topic_names}"
    if spec.shield:
        privacy += "/shield=" + "+".join(spec.shield)
    changed = ",".join(f"{key}={value}" for key, value in sorted(spec.parameters.items()))
    model = spec.model + (f"@{spec.base_url}" if spec.base_url else "")
    if spec.local_model:
        model += f"+{spec.local_model}"
    where = f"[{spec.where}]" if spec.where else ""
    parts = [
        metric,
        f"{identity.dataset}{where}@{identity.data_hash[:8]}",
        f"kg={identity.kg}/{identity.kg_profile}@{identity.kg_fingerprint[:8]}",
        f"n={n}",
        spec.setting,
        privacy,
        f"{spec.method}@{identity.method_version}" + (f"({changed})" if changed else ""),
        model,
        f"embedder={spec.embedder}",
        f"k={spec.trials}",
        f"seed={spec.seed}",
        f"key={key_id}",
        f"kgbench={version}",
        f"spec={spec_id(spec, identity)}",
    ]
    return "|".join(parts)
