"""Findings of a check, gathered: the same fault in many lines is one entry with its lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.types import Finding, Severity

if TYPE_CHECKING:
    from kgbench.types import JsonObject

LINES_KEPT = 10_000
"""Lines that one entry holds; the rest are counted. A bound on memory for files in which every line is bad."""
ENTRIES_KEPT = 1_000
"""Entries that are told apart; findings of further kinds are counted."""
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.HINT: 2}


@dataclass
class Entry:
    """One kind of fault in one file."""

    severity: Severity
    kind: str
    text: str
    file: str
    count: int = 0
    lines: list[int] = field(default_factory=list)
    """Where, in the order found; at most 10,000. Empty where the fault has no line."""

    def to_json(self) -> JsonObject:
        """For machines."""
        return {
            "severity": str(self.severity),
            "kind": self.kind,
            "file": self.file,
            "text": self.text,
            "count": self.count,
            "lines": self.lines,
        }


class Findings:
    """Gathers findings; call it with each."""

    def __init__(self) -> None:
        self._entries: dict[tuple[Severity, str, str], Entry] = {}
        self._files: dict[str, int] = {}
        self.left_out = 0
        """Findings of kinds beyond the first thousand."""

    def __call__(self, finding: Finding) -> None:
        """Take one finding."""
        key = (finding.severity, finding.file, finding.text)
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= ENTRIES_KEPT:
                self.left_out += 1
                return
            self._files.setdefault(finding.file, len(self._files))
            entry = self._entries[key] = Entry(finding.severity, finding.kind, finding.text, finding.file)
        if finding.line and entry.lines[-1:] == [finding.line]:
            return  # twice in one line is once for whoever mends it
        entry.count += 1
        if finding.line and len(entry.lines) < LINES_KEPT:
            entry.lines.append(finding.line)

    def entries(self) -> list[Entry]:
        """Every entry: errors, warnings, hints; within these by file, in the order in which files were read."""
        return sorted(
            self._entries.values(), key=lambda entry: (_ORDER[entry.severity], self._files[entry.file], entry.lines[:1])
        )

    def count(self, severity: Severity) -> int:
        """Findings of one severity, repeats included."""
        return sum(entry.count for entry in self._entries.values() if entry.severity is severity)
