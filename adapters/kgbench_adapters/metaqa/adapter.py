"""MetaQA's graph in its published form: a file ``kb.txt`` with lines ``head|relation|tail``."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from kgbench.errors import PrerequisiteMissing, UsageError
from kgbench_adapters.environment import time_limit
from kgbench_adapters.files import ReadReport, open_hashed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench.contracts import KnowledgeGraph, Profile
    from kgbench_adapters.named.graph import Names

FACTS = "kb.txt"
_PROFILE = "plain"


class MetaqaAdapter:
    """MetaQA's graph of films: kb.txt with lines head|relation|tail, whose ids are names."""

    @staticmethod
    def accepts(location: str) -> bool:
        """Tell whether a location is a file named ``kb.txt``."""
        return "://" not in location and Path(location).name == FACTS

    @staticmethod
    def open(
        location: str, profile: Profile | str | None = None, *, strict: bool = False, timeout: float | None = None
    ) -> KnowledgeGraph:
        """Read the file into memory.

        Args:
            location: the file.
            profile: any other than ``plain`` is refused: ids are names.
            strict: a bad line is an error, not skipped and counted.
            timeout: seconds that one read may take; by default 30, or what ``KGBENCH_KG_TIMEOUT`` says.

        Raises:
            PrerequisiteMissing: there is no such file.
            UsageError: another profile.
            DataError: a bad line, in strict mode.
        """
        from kgbench_adapters.named.graph import NamedGraphForm, build
        from kgbench_adapters.profiles import vocabulary

        path = Path(location).expanduser()
        if not path.is_file():
            raise PrerequisiteMissing(f'there is no file "{location}"; it comes with the questions of MetaQA')
        if profile not in (None, _PROFILE):
            raise UsageError(f'the ids of {FACTS} are names: read it with the profile "{_PROFILE}", or name none')
        report = ReadReport(strict=strict)
        triples = list(_triples(path, report))
        form = NamedGraphForm("metaqa", vocabulary(_PROFILE), time_limit() if timeout is None else timeout)
        return build(triples, form, report.fingerprint, report)


def _triples(path: Path, report: ReadReport) -> Iterator[Names]:
    with open_hashed(path, "triples", report) as reader:
        lines = io.BufferedReader(reader, 1 << 16)
        for number, raw in enumerate(lines, start=1):
            if not raw.strip():
                continue
            triple = _parsed(raw)
            if isinstance(triple, str):
                report.skip(path, number, triple)
            else:
                yield triple
        lines.detach()  # else the buffer closes the reader, which still has its digest to give


def _parsed(raw: bytes) -> Names | str:
    """A triple, or why the line is none."""
    try:
        fields = raw.decode("utf-8").strip("\r\n").split("|")
    except UnicodeDecodeError:
        return "not UTF-8"
    if len(fields) != 3:
        return f"{len(fields)} fields in place of 3 (head|relation|tail)"
    head, relation, tail = (field.strip() for field in fields)
    return (head, relation, tail) if head and relation and tail else "an empty field"
