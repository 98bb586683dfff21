"""Reads the gold answers of one's own questions: an entity, a literal, or a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.data.fields import RecordFault, list_field, optional_text, text_list, wrong_type
from kgbench.data.records import without_repeats
from kgbench.types import GoldAnswer

if TYPE_CHECKING:
    from kgbench.types import JsonObject

PREFIXES = {
    "xsd:": "http://www.w3.org/2001/XMLSchema#",
    "rdf:": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}


def gold_answers(record: JsonObject, name: str = "answers") -> tuple[GoldAnswer, ...]:
    """The gold answers in a field, each once; none where the field is absent, null or empty.

    An item is `{"id" or "mid", "name", "aliases"}`, or `{"value", "datatype"}`, or `{"name"}`, or a string or number. A
    string is an answer by name; scoring also reads it as a number or a date where it is one.

    Raises:
        RecordFault: the field is no list, or an item is none of these.
    """
    return without_repeats(_gold_answer(item, name) for item in list_field(record, name))


def _gold_answer(item: object, name: str) -> GoldAnswer:
    if isinstance(item, dict):
        return _from_object(item, name)
    if isinstance(item, str):
        if not item.strip():
            raise RecordFault(f'field "{name}" holds an empty answer')
        return GoldAnswer(name=item)
    if isinstance(item, bool | int | float):
        return GoldAnswer(value=_lexical(item))
    raise wrong_type(f"{name}[]", "an object, a string or a number", item)


def _from_object(item: JsonObject, name: str) -> GoldAnswer:
    identifier = _identifier(item, name)
    own_name = optional_text(item, "name") or None
    aliases = tuple(alias for alias in text_list(item, "aliases") if alias.strip())
    if item.get("value") is None:
        if identifier is None and own_name is None:
            raise RecordFault(f'an item of field "{name}" has neither id, name nor value')
        return GoldAnswer(id=identifier, name=own_name, aliases=aliases)
    if identifier is not None:
        raise RecordFault(f'an item of field "{name}" has both an id and a value')
    value = item["value"]
    if not isinstance(value, str | bool | int | float):
        raise wrong_type(f"{name}[].value", "a string or a number", value)
    datatype = full_datatype(optional_text(item, "datatype") or "")
    return GoldAnswer(name=own_name, aliases=aliases, value=_lexical(value), datatype=datatype)


def _identifier(item: JsonObject, name: str) -> str | None:
    given = {identifier for key in ("id", "mid") if (identifier := optional_text(item, key))}
    if len(given) > 1:
        raise RecordFault(f'an item of field "{name}" has an id and another mid')
    return given.pop() if given else None


def _lexical(value: str | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def full_datatype(datatype: str) -> str:
    """The IRI of a datatype that may be written with the prefix `xsd:` or `rdf:`; empty stands for a plain string."""
    for prefix, namespace in PREFIXES.items():
        if datatype.startswith(prefix):
            datatype = namespace + datatype.removeprefix(prefix)
    plain = datatype in (PREFIXES["xsd:"] + "string", PREFIXES["rdf:"] + "langString")
    return "" if plain else datatype
