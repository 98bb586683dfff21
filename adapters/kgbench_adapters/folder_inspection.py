"""What may be wrong with the files of a graph folder beyond lines that cannot be read.

A row can be well-formed and still not be what was meant: a date without quotation marks becomes an entity, a heading
becomes a fact, a name that is listed under another id names nothing. Findings say where, never what stood there.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kgbench.errors import DataError
from kgbench.types import Finding, Literal, Severity
from kgbench_adapters.files import ReadReport
from kgbench_adapters.lexical import fits, looks_like_value
from kgbench_adapters.terms import BLANK_PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kgbench_adapters.folder import Fact, GraphFolder, Listed, RelationRow, Typed

    Tell = Callable[[Finding], None]

HEADINGS = frozenset(
    {
        *(("head", "relation", "tail"), ("subject", "predicate", "object"), ("source", "relation", "target")),
        *(("h", "r", "t"), ("s", "p", "o"), ("start", "type", "end"), ("from", "relation", "to")),
    }
)
"""First rows that name columns."""
ID_HEADINGS = frozenset({"id", "entity", "node", "mid", "head", "subject"})
_EMPTY = hashlib.sha256(b"").hexdigest()
_DATATYPE_PREFIXES = ("xsd:", "rdf:", "http://www.w3.org/")
"""Ranges that are datatypes and no classes."""


class TellingReport(ReadReport):
    """A report of reading that passes each bad line on at once, however many there are.

    Args:
        tell: hears each finding.
    """

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell

    def skip(self, path: Path, line: int, reason: str) -> None:
        """Pass a bad line on."""
        self.skipped_count += 1
        self._tell(Finding(Severity.ERROR, "bad_line", f"{reason}; the line is skipped", path.name, line))

    def is_empty(self, role: str) -> bool:
        """Tell whether the file of a role was read and holds nothing at all."""
        return self.digests.get(role) == _EMPTY


class FolderInspector:
    """Looks at the rows of a folder as they are read: first all facts, then entities, then types; at last :meth:`rest`.

    Args:
        folder: the files.
        tell: hears each finding.
    """

    def __init__(self, folder: GraphFolder, tell: Tell) -> None:
        self._files = folder.files
        self._folder = folder
        self._tell = tell
        self._heads: set[str] = set()
        self._tails: set[str] = set()
        self._relations: set[str] = set()
        self._facts: set[int] = set()
        self._like_values: list[tuple[str, int]] = []
        self._listed: set[str] = set()
        self._typed: set[str] = set()
        self._classes: set[str] = set()

    def fact(self, fact: Fact) -> None:
        """Look at one row of ``triples.tsv``."""
        if not self._facts and _is_heading(fact):
            self._say(
                Severity.WARNING, "heading", "the first row reads like a heading: it is a fact here", "triples", 1
            )
        # A hash in place of the row: a million rows take a tenth of the room, and one false alarm in 10^7 such files.
        digest = hash((fact.head, fact.relation, fact.tail))
        if digest in self._facts:
            self._say(Severity.HINT, "repeated_fact", "the row says what an earlier one said", "triples", fact.line)
        self._facts.add(digest)
        self._heads.add(fact.head)
        self._relations.add(fact.relation)
        self._id(fact.head, fact.line)
        if isinstance(fact.tail, Literal):
            if not fits(fact.tail):
                kind = fact.tail.datatype.rpartition("#")[2]
                self._say(Severity.WARNING, "literal_value", f"the value is no xsd:{kind}", "triples", fact.line)
            return
        self._tails.add(fact.tail)
        self._id(fact.tail, fact.line)
        if looks_like_value(fact.tail):
            self._like_values.append((fact.tail, fact.line))

    def _id(self, node_id: str, line: int) -> None:
        if node_id.startswith('"'):
            self._say(
                Severity.ERROR,
                "bad_literal",
                'begins with a quotation mark and is no literal (as "blue", "blue"@en, "7"^^xsd:integer): read as an id',
                "triples",
                line,
            )
        elif node_id != node_id.strip():
            self._say(
                Severity.WARNING, "id_margin", "an id begins or ends with a space: it is part of it", "triples", line
            )
        elif " " in node_id and not node_id.startswith(BLANK_PREFIX):
            self._say(
                Severity.HINT,
                "id_words",
                "an id holds spaces; where names stand as ids, put them into entities.tsv, or none is protected as a name",
                "triples",
                line,
            )

    def listed(self, row: Listed) -> None:
        """Look at one row of ``entities.tsv``."""
        if row.id in self._listed:
            text = "the id was listed before: this row's name becomes one more name of it"
            self._say(Severity.WARNING, "repeated_id", text, "entities", row.line)
        self._listed.add(row.id)
        if not row.name:
            self._say(Severity.WARNING, "no_name", "the row has no name", "entities", row.line)
        elif len(row.name) > 1 and row.name[0] == row.name[-1] == '"':
            text = "quotation marks are part of the name here; nothing is quoted in these files"
            self._say(Severity.WARNING, "quoted_name", text, "entities", row.line)
        self._unused(row.id, "entities", row.line)

    def typed(self, row: Typed) -> None:
        """Look at one row of ``types.tsv``."""
        if row.id in self._typed:
            text = "the id was listed before: it has the classes of both rows"
            self._say(Severity.HINT, "repeated_id", text, "types", row.line)
        self._typed.add(row.id)
        self._classes.update(row.classes)
        if not row.classes:
            self._say(Severity.WARNING, "no_class", "the row has no class", "types", row.line)
        self._unused(row.id, "types", row.line)

    def _unused(self, node_id: str, role: str, line: int) -> None:
        if node_id in self._heads or node_id in self._tails:
            return
        if line == 1 and node_id.lower() in ID_HEADINGS:
            self._say(Severity.WARNING, "heading", "the first row reads like a heading; this file has none", role, 1)
        else:
            self._say(Severity.WARNING, "unused_id", "the id stands in no fact", role, line)

    def rest(self, report: TellingReport) -> None:
        """Look at what the facts are together, at the settings and at ``relations.tsv``."""
        if not self._facts and not report.is_empty("triples"):
            self._say(Severity.ERROR, "no_facts", "holds no fact that can be read", "triples")
        self._values_as_ids()
        self._settings()
        try:
            self._relation_rows(report)
        except DataError as error:
            self._say(Severity.ERROR, "bad_heading", str(error).partition(": ")[2], "relations", 1)

    def _values_as_ids(self) -> None:
        described = self._listed | self._typed | self._heads
        for tail, line in self._like_values:
            if tail not in described:
                text = 'a bare date, number or truth value is read as an id; write it as "2021-03-04"^^xsd:date'
                self._say(Severity.WARNING, "value_as_id", text, "triples", line)

    def _settings(self) -> None:
        try:
            settings = self._folder.settings(ReadReport())
        except DataError as error:
            text = str(error).removeprefix(self._files["settings"].name).lstrip(" :")
            self._say(Severity.ERROR, "bad_settings", text, "settings")
            return
        for label in settings.mediator_classes:
            if label not in self._classes:
                text = f'"{label}" of mediator_classes has no member in types.tsv'
                self._say(Severity.WARNING, "empty_mediator_class", text, "settings")

    def _relation_rows(self, report: TellingReport) -> None:
        if "relations" not in self._files:
            return
        listed: dict[str, RelationRow] = {}
        for row in self._folder.relations(report):
            if row.relation in listed:
                text = "the relation was listed before: the later row counts"
                self._say(Severity.WARNING, "repeated_relation", text, "relations", row.line)
            listed[row.relation] = row
            self._relation(row)
        known = {*listed, *(row.inverse for row in listed.values())}
        unlisted = len(self._relations - known)
        if unlisted:
            text = f"{unlisted} relation(s) of the facts are not listed: domain, range and inverse of these are unknown"
            self._say(Severity.HINT, "unlisted_relations", text, "relations")

    def _relation(self, row: RelationRow) -> None:
        if row.relation not in self._relations and row.inverse not in self._relations:
            text = "neither the relation nor its inverse stands in a fact"
            self._say(Severity.WARNING, "unused_relation", text, "relations", row.line)
        for label in filter(None, (row.domain, row.range)):
            if self._classes and label not in self._classes and not label.startswith(_DATATYPE_PREFIXES):
                text = "the domain or range is a class without a member in types.tsv"
                self._say(Severity.HINT, "unknown_class", text, "relations", row.line)

    def _say(self, severity: Severity, kind: str, text: str, role: str, line: int = 0) -> None:
        self._tell(Finding(severity, kind, text, self._files[role].name, line))


def _is_heading(fact: Fact) -> bool:
    cells = (fact.head, fact.relation, fact.tail if isinstance(fact.tail, str) else "")
    return fact.line == 1 and tuple(cell.strip().lower().lstrip(":_") for cell in cells) in HEADINGS
