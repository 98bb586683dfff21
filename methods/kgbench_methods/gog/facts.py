"""Facts that a model writes from its own knowledge: one a line, three fields with tabs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kgbench_methods.common.cleaning import unquoted, without_fences, without_list_marks, without_reasoning

if TYPE_CHECKING:
    from collections.abc import Iterable

NONE = "none"
"""What a reply without any fact says."""
_SEPARATORS = ("\t", "|", ", ")
"""The first is asked for; models also write the others."""


class WrittenFact(NamedTuple):
    """A fact in a model's words."""

    subject: str
    relation: str
    object: str

    @property
    def text(self) -> str:
        """The fact as prompts show it."""
        return ", ".join(self)


def read_facts(reply: str) -> tuple[WrittenFact, ...]:
    """Read the lines of a reply that have exactly three fields, in order, without repeats; other lines are dropped."""
    lines = without_fences(without_reasoning(reply)).split("\n")
    facts = (_fact(line) for line in without_list_marks(lines))
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def write_facts(facts: Iterable[tuple[str, str, str]] | None) -> str:
    """Write facts as they are read; None, the result of a model that knows nothing, is the word ``none``."""
    return "\n".join("\t".join(" ".join(field.split()) for field in fact) for fact in facts or ()) or NONE


def _fact(line: str) -> WrittenFact | None:
    for separator in _SEPARATORS:
        row = line.strip().strip("|") if separator == "|" else line
        fields = [_bare(field) for field in row.split(separator)]
        if len(fields) == 3 and all(fields):
            return WrittenFact(*fields)
    return None


def _bare(field: str) -> str:
    return unquoted(" ".join(field.split()))
