"""``kgbench list`` and ``kgbench check``."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgbench import registry
from kgbench.cli.display import say, show_json, show_table, tell
from kgbench.cli.failures import FAILED, Debug
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kgbench.registry import Plugin

    Entry = dict[str, str]


class What(StrEnum):
    """What can be listed."""

    METHODS = "methods"
    DATASETS = "datasets"
    KGS = "kgs"
    MODELS = "models"
    METRICS = "metrics"
    ADAPTERS = "adapters"
    PRESETS = "presets"


WhatToList = Annotated[What, typer.Argument(help="What to list.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def list_(what: WhatToList, as_json: AsJson = False, debug: Debug = False) -> None:
    """List what can be named on the command line."""
    entries = _LISTS[what]()
    if as_json:
        show_json({str(what): entries})
        return
    if not entries:
        say(f"no {what} are installed")
        return
    _show(entries)
    say()
    say(f"next  {_NEXT[what]}")


def _show(entries: Sequence[Mapping[str, str]]) -> None:
    from kgbench.report.table import Column, make_table

    columns = [Column(key, key) for key in entries[0]]
    show_table(make_table(columns, [("", entries)]))


def _plugins(group: str, summary: Callable[[Any], str]) -> list[Entry]:
    """Entries of a group; each is imported by itself, so that a broken one is named and hurts no other."""
    return [
        _plugin_entry(group, name, plugin, summary)
        for name, claimed in registry.plugins(group).items()
        for plugin in claimed
    ]


def _plugin_entry(group: str, name: str, plugin: Plugin, summary: Callable[[Any], str]) -> Entry:
    try:
        text, state = summary(registry.load(group, name)), "ok"
    except (registry.BrokenPlugin, AttributeError, SystemExit) as error:
        text, state = f"BROKEN: {error}", "broken"
    return {
        "name": name,
        "state": state,
        "version": plugin.version,
        "from": plugin.distribution,
        "summary": text,
    }


def _method_summary(method: Any) -> str:
    return str(method.card.summary)


def _adapter_summary(adapter: Any) -> str:
    return (adapter.__doc__ or "").strip().partition("\n")[0]


def _datasets() -> list[Entry]:
    from kgbench.data.load import DATA_VARIABLE, DEMO, JSONL, PUBLISHED

    entries = [
        {
            "name": DEMO,
            "needs": "nothing",
            "options": "",
            "summary": "a fictional hospital group: 120 questions with their own graph",
        },
        {
            "name": f"{JSONL}:PATH",
            "needs": "a file",
            "options": "",
            "summary": "your own questions, one JSON object a line",
        },
    ]
    entries += [
        {
            "name": name,
            "needs": source.needs(name, DATA_VARIABLE),
            "options": ", ".join(f"data.{option}" for option in source.options),
            "summary": f"{source.summary}; from {source.origin}",
        }
        for name, source in PUBLISHED.items()
    ]
    return entries


def _graphs() -> list[Entry]:
    return [
        {"form": "(none given)", "summary": "the graph that the data set brings along; the demo has one"},
        {"form": "FOLDER", "summary": "triples.tsv[.gz] and entities.tsv[.gz] (id, name, aliases joined by |)"},
        {"form": "FILE", "summary": "RDF: .ttl .nt .rdf .nq .trig, or .gz of these"},
        {"form": "STORE", "summary": "an oxigraph store folder, opened as it is"},
        {
            "form": "http(s)://...",
            "summary": "a SPARQL endpoint: Virtuoso, oxigraph, Wikidata and others (extra sparql)",
        },
    ]


def _models() -> list[Entry]:
    from kgbench.llm.models import KNOWN_BACKENDS

    return [{"form": backend.form, "needs": backend.needs, "summary": backend.summary} for backend in KNOWN_BACKENDS]


def _metrics() -> list[Entry]:
    from kgbench.scoring.metrics import METRICS

    return [
        {"name": name, "version": metric.name.partition("@")[2], "summary": getattr(metric, "summary", "")}
        for name, metric in METRICS.items()
    ]


def _presets() -> list[Entry]:
    from kgbench.config import preset_names, read_config

    entries = []
    for name in preset_names():
        tables = read_config(name)
        settings = [f"{table}.{key}={value}" for table, content in tables.items() for key, value in content.items()]
        entries.append({"name": name, "settings": ", ".join(settings)})
    return entries


_LISTS: Mapping[What, Callable[[], list[Entry]]] = {
    What.METHODS: lambda: _plugins("methods", _method_summary),
    What.DATASETS: _datasets,
    What.KGS: _graphs,
    What.MODELS: _models,
    What.METRICS: _metrics,
    What.ADAPTERS: lambda: _plugins("adapters", _adapter_summary),
    What.PRESETS: _presets,
}
_NEXT: Mapping[What, str] = {
    What.METHODS: "kgbench run --method NAME, or kgbench check NAME for one of your own",
    What.DATASETS: "kgbench run --dataset NAME",
    What.KGS: "kgbench run --dataset jsonl:PATH --kg FOLDER",
    What.MODELS: "kgbench run --model NAME --plan shows what a run would cost",
    What.METRICS: "kgbench compare RUN RUN --metric NAME",
    What.ADAPTERS: "kgbench run --kg LOCATION; the first adapter that takes the location reads it",
    What.PRESETS: "kgbench run --config NAME",
}

MethodToCheck = Annotated[str, typer.Argument(metavar="NAME", help="Method; kgbench list methods shows them.")]


def check(name: MethodToCheck, as_json: AsJson = False, debug: Debug = False) -> None:
    """Hold a method to the contract: privacy, repeatability and odd replies, on small graphs."""
    from kgbench.report.table import Column, make_table
    from kgbench.testing.conformance import check_method

    registered = registry.names("methods")
    if name not in registered:
        raise UsageError(registry.unknown("method", name, registered))
    tell(f"checking {name} on small graphs with scripted models")
    results = check_method(name)
    failed = sum(not result.passed for result in results)
    if as_json:
        checks = [{"name": one.name, "passed": one.passed, "detail": one.detail} for one in results]
        show_json({"method": name, "passed": not failed, "checks": checks})
    else:
        columns = [Column("check", "check"), Column("result", "result"), Column("detail", "detail")]
        rows = [
            {"check": one.name, "result": "passed" if one.passed else "FAILED", "detail": one.detail} for one in results
        ]
        show_table(make_table(columns, [("", rows)]))
        say(f"{len(results) - failed} of {len(results)} checks passed")
        say(f"next  kgbench run --method {name} --limit 20" if not failed else "next  see docs/add-a-method.md")
    if failed:
        raise typer.Exit(FAILED)
