"""The gold of CWQ: one name in the file itself, and what other published files say more, read where they lie beside it.

| file beside | what it adds |
| --- | --- |
| ``cwq_aname_dict.json`` | names of all results of each gold query, by question text |
| ``CWQ_aliase_data31158.json`` | other names, by name |
| ``ComplexWebQuestions_test_wans.json``, ``cwq_1000_alias.json`` | ids of the results, by question text |

The first two come from Plan-on-Graph's repository, the third from CWQ's own release, the last from ARoG's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, object_list, optional_text, text_field, text_list
from kgbench.data.published import FREEBASE_ID
from kgbench.data.records import without_repeats
from kgbench.data.source import open_source
from kgbench.types import Gold, GoldAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kgbench.data.source import Reading
    from kgbench.types import JsonObject

EXPANDED, SINGLE, ALIASES = "expanded", "single", "aliases"
GOLDS = (EXPANDED, SINGLE, ALIASES)
NAMES_FILE = "cwq_aname_dict.json"
ALIASES_FILE = "CWQ_aliase_data31158.json"
IDS_FILES = ("ComplexWebQuestions_test_wans.json", "cwq_1000_alias.json")
PLACEHOLDER_NAME = "UnName_Entity"
UNNAMED_DROPPED = "unnamed_results_dropped"
UNEXECUTED = "gold_unexecuted"
"""Flag of a question whose gold query found nothing, so that its single name stands."""

Lists = dict[str, list[str]]
Named = tuple[str, str]
"""A name, which may be empty, and an id."""


@dataclass(frozen=True)
class CwqGold:
    """What is known of the gold beside the single answers."""

    names: Mapping[str, list[str]] = field(default_factory=dict)
    """Question text -> names of all results."""
    aliases: Mapping[str, list[str]] = field(default_factory=dict)
    """Name -> other names."""
    ids: Mapping[str, tuple[Named, ...]] = field(default_factory=dict)
    """Question text -> results with their ids."""
    unexecuted: frozenset[str] = frozenset()
    """Texts of questions whose gold query found nothing."""

    def gold(self, question_id: str, text: str, single: str) -> Gold:
        """Put the gold of a question together: the single answer first, each name and each id once."""
        results = self.names.get(text, [])
        named = [name for name in results if name.strip() and name != PLACEHOLDER_NAME]
        marks = {UNNAMED_DROPPED: len(named) < len(results), UNEXECUTED: text in self.unexecuted}
        answers = without_repeats(self._answers(text, (single, *named)))
        return Gold(question_id, answers, flags=tuple(flag for flag, holds in marks.items() if holds))

    def _answers(self, text: str, names: tuple[str, ...]) -> Iterator[GoldAnswer]:
        known = self.ids.get(text, ())
        for name in names:
            ids: list[str | None] = [identifier for own_name, identifier in known if own_name == name]
            yield from (GoldAnswer(identifier, name, tuple(self.aliases.get(name, ()))) for identifier in ids or [None])
        for own_name, identifier in known:
            if own_name not in names:
                yield GoldAnswer(identifier, own_name or None, tuple(self.aliases.get(own_name, ())))


def read_cwq_gold(folder: Path, wanted: str, reading: Reading) -> CwqGold:
    """Read what lies beside the file; what was found, and what is missing, is noted.

    Args:
        folder: where the file lies.
        wanted: ``expanded``, ``single`` or ``aliases``.
        reading: takes the notes and the files' hashes.

    Raises:
        PrerequisiteMissing: ``aliases`` without the file of aliases.
        DataError: a file of another form.
    """
    if wanted == SINGLE:
        return CwqGold()
    names: Lists = {}
    if (folder / NAMES_FILE).is_file():
        names = _lists(folder / NAMES_FILE, reading)
        reading.notes.append(f"gold expanded by {NAMES_FILE}, sha256 {reading.beside[-1].sha256}")
    else:
        reading.notes.append(f"gold is the single answer of each question: {NAMES_FILE} is not beside the file")
    aliases = _lists(folder / ALIASES_FILE, reading) if wanted == ALIASES else {}
    ids: dict[str, tuple[Named, ...]] = {}
    unexecuted: frozenset[str] = frozenset()
    for path in (folder / name for name in IDS_FILES):
        if path.is_file():
            ids, unexecuted = _ids(path, reading)
            reading.notes.append(f"ids of gold answers from {path.name} for {len(ids)} questions")
            break
    return CwqGold(names, aliases, ids, unexecuted)


def note_unexpanded(reading: Reading, gold: CwqGold) -> None:
    """Note how many questions the file of names lacks."""
    missing = sum(record.question.text not in gold.names for record in reading.questions) if gold.names else 0
    if missing:
        reading.notes.append(f"gold is the single answer of {missing} questions that {NAMES_FILE} lacks")


def _lists(path: Path, reading: Reading) -> Lists:
    file = open_source(path)
    content = file.json()
    if not isinstance(content, dict):
        raise file.error("expected an object of texts and lists of names")
    for number, names in enumerate(content.values(), start=1):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise file.error(f"entry {number} must be a list of strings; a string would be read letter by letter")
    reading.beside.append(file)
    return content


def _ids(path: Path, reading: Reading) -> tuple[dict[str, tuple[Named, ...]], frozenset[str]]:
    """Results with ids by question text, and the texts of questions whose query found nothing."""
    file = open_source(path)
    reading.beside.append(file)
    found: dict[str, tuple[Named, ...]] = {}
    unexecuted: set[str] = set()
    for place, value in file.records():
        try:
            if not isinstance(value, dict):
                raise RecordFault("must be an object")
            text = text_field(value, "question")
            named = _paired(value) if "answers" in value else _side_by_side(value)
        except RecordFault as fault:
            raise file.error(f"{place}: {fault}") from None
        if isinstance(value.get("answer_names"), str):
            unexecuted.add(text)
        if named:
            found[text] = tuple(dict.fromkeys(named))
    return found, frozenset(unexecuted)


def _paired(record: JsonObject) -> list[Named]:
    """Results of CWQ's own release: each an object with id and name."""
    pairs = [
        (optional_text(item, "answer") or "", optional_text(item, "answer_id") or "")
        for item in object_list(record, "answers")
    ]
    return _with_ids(pairs)


def _side_by_side(record: JsonObject) -> list[Named]:
    """Results of ARoG's file: a list of names and a list of ids, taken together where they are equally long."""
    if isinstance(record.get("answer_names"), str):
        return []
    names, ids = text_list(record, "answer_names"), text_list(record, "answer_ids")
    if len(names) != len(ids):
        return []
    return _with_ids(zip(names, ids, strict=True))


def _with_ids(pairs: Iterable[Named]) -> list[Named]:
    """The pairs that have an id; what stands for a missing name is none."""
    return [("" if name == PLACEHOLDER_NAME else name, each) for name, each in pairs if FREEBASE_ID.fullmatch(each)]
