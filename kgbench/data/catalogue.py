"""The data sets that kgbench can read: what each is, where its file comes from, which options it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from kgbench.data.cwq import load_cwq
from kgbench.data.cwq_gold import EXPANDED
from kgbench.data.gog import load_gog
from kgbench.data.grailqa import load_grailqa
from kgbench.data.metaqa import FACTS, HOPS, load_metaqa
from kgbench.data.name_gold import load_simpleqa, load_webquestions
from kgbench.data.qald10 import load_qald10
from kgbench.data.rog import RELEASES, files_pattern, load_rog
from kgbench.data.webqsp import load_webqsp

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench.data.hub import Release
    from kgbench.data.records import Dataset

DEMO, JSONL = "demo", "jsonl"
TOG = "the data folder of github.com/IDEA-FinAI/ToG"
GOG = "github.com/YaooXu/GoG, folder data/{}"
METAQA = "the Google Drive folder that github.com/yuyuz/MetaQA links"
TEST = "test"


@dataclass(frozen=True)
class LoadOptions:
    """What a run may choose about its data; None leaves the choice to the data set."""

    split: str | None = None
    """`test` (default), `train` or `dev`."""
    gold: str | None = None
    """For CWQ: `expanded` (default), `single` or `aliases`."""
    topics_from_graph: bool | None = None
    """For GrailQA: restore topic entities that the linked file lost."""
    revision: str | None = None
    """For data sets on the hub: the commit to read."""
    strict: bool = True
    """A fault in a record stops the load; else the record is dropped and reported."""

    def given(self) -> tuple[str, ...]:
        """Names of the options that were chosen and not every data set takes."""
        names = ("split", "gold", "topics_from_graph", "revision")
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True)
class Published:
    """A data set in its published form; nothing of it is shipped."""

    summary: str
    files: tuple[str, ...]
    """Names or patterns of its file, as looked for in `$KGBENCH_DATA`; none where only a path will do."""
    origin: str
    load: Callable[[Path, LoadOptions, bool], Dataset]
    """From path, options, and whether the published number of records is insisted on."""
    options: tuple[str, ...] = ()
    """Options that it takes."""
    folders: tuple[str, ...] = ()
    """Folders of `$KGBENCH_DATA` in which it is looked for; by default the folder itself, and that of its own name."""
    release: Release | None = None
    """Where it is on the hub."""

    def needs(self, name: str, variable: str) -> str:
        """What a user must have, for lists."""
        found = f"{' or '.join(self.files)} in ${variable}, or " if self.files else ""
        return f"{found}{name}:PATH" + (", or the hub (extra hub)" if self.release else "")


def _rog(name: str, summary: str) -> Published:
    def load(path: Path, options: LoadOptions, insist: bool) -> Dataset:
        return load_rog(name, path, options.split or TEST, insist, options.strict)

    release = RELEASES[name]
    return Published(
        summary, (files_pattern(TEST),), release.origin, load, ("split", "revision"), (name, f"{name}/data"), release
    )


def _metaqa(name: str) -> Published:
    def load(path: Path, options: LoadOptions, insist: bool) -> Dataset:
        return load_metaqa(name, path, options.split or TEST, insist, options.strict)

    summary = f"MetaQA, questions of {HOPS[name]} hop{'s' * (HOPS[name] > 1)} over films, with their own graph"
    return Published(summary, (FACTS,), METAQA, load, ("split",), ("", "metaqa", "MetaQA"))


def _plain(load: Callable[[Path, bool, bool], Dataset], path: Path, options: LoadOptions, insist: bool) -> Dataset:
    return load(path, insist, options.strict)


def _cwq(path: Path, options: LoadOptions, insist: bool) -> Dataset:
    return load_cwq(path, options.gold or EXPANDED, insist, options.strict)


def _grailqa(path: Path, options: LoadOptions, insist: bool) -> Dataset:
    return load_grailqa(path, bool(options.topics_from_graph), insist, options.strict)


def _gog(name: str, folder: str) -> Published:
    def load(path: Path, options: LoadOptions, insist: bool) -> Dataset:
        return load_gog(name, path, options.strict)

    summary = f"1,000 questions of {folder.upper()} with facts to hide (kg.hide=crucial): data_with_ct_*.json"
    return Published(summary, (), GOG.format(folder), load)


PUBLISHED: dict[str, Published] = {
    "webqsp": Published("WebQSP, 1,639 test questions", ("WebQSP.json",), TOG, partial(_plain, load_webqsp)),
    "cwq": Published("ComplexWebQuestions, 3,531 test questions", ("cwq.json",), TOG, _cwq, ("gold",)),
    "grailqa": Published(
        "GrailQA, 1,000 questions of its dev set",
        ("grailqa.json", "graliqa.json"),
        TOG,
        _grailqa,
        ("topics_from_graph",),
    ),
    "simpleqa": Published("SimpleQuestions, 1,000 questions", ("SimpleQA.json",), TOG, partial(_plain, load_simpleqa)),
    "webquestions": Published(
        "WebQuestions, 2,032 test questions", ("WebQuestions.json",), TOG, partial(_plain, load_webquestions)
    ),
    "qald10": Published(
        "QALD-10, 333 questions over Wikidata", ("qald_10-en.json",), TOG, partial(_plain, load_qald10)
    ),
    "gog-webqsp": _gog("gog-webqsp", "webqsp"),
    "gog-cwq": _gog("gog-cwq", "cwq"),
    "rog-webqsp": _rog("rog-webqsp", "WebQSP, 1,628 test questions, each with its own subgraph of Freebase"),
    "rog-cwq": _rog("rog-cwq", "ComplexWebQuestions, 3,531 test questions, each with its own subgraph of Freebase"),
    **{name: _metaqa(name) for name in HOPS},
}
"""Data sets that are files of others, by name."""

NAMES = (DEMO, JSONL, *PUBLISHED)
"""Every name of a data set."""
