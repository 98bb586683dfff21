"""Typed access to the fields of a JSON record; a wrong type is a fault that names the field and what was found.

Texts of faults hold names of fields and types, never values: values are the private graph's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kgbench.types import JsonObject

_TYPE_NAMES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (type(None), "null"),
    (bool, "true or false"),
    (str, "a string"),
    ((int, float), "a number"),
    (list, "a list"),
    (dict, "an object"),
)


class RecordFault(Exception):
    """One record breaks its format; loaders turn it into an error with file and place."""


def type_name(value: object) -> str:
    """What a JSON value is, in words for messages."""
    return next((words for types, words in _TYPE_NAMES if isinstance(value, types)), type(value).__name__)


def wrong_type(name: str, expected: str, value: object) -> RecordFault:
    """The fault for a field of the wrong type."""
    return RecordFault(f'field "{name}" must be {expected}, found {type_name(value)}')


def text_field(record: JsonObject, name: str) -> str:
    """A field that must hold some text.

    Raises:
        RecordFault: absent, not a string, or blank.
    """
    value = record.get(name)
    if name not in record:
        raise RecordFault(f'field "{name}" is missing')
    if not isinstance(value, str):
        raise wrong_type(name, "a string", value)
    if not value.strip():
        raise RecordFault(f'field "{name}" is empty')
    return value


def id_field(record: JsonObject, name: str) -> str:
    """A field that must hold an id: some text or a whole number.

    Raises:
        RecordFault: absent, blank or of another type.
    """
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text_field(record, name)


def optional_text(record: JsonObject, name: str) -> str | None:
    """A field that holds a string, or None where it is absent or null.

    Raises:
        RecordFault: of another type.
    """
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise wrong_type(name, "a string", value)
    return value


def list_field(record: JsonObject, name: str) -> list[object]:
    """A field that holds a list; empty where it is absent or null.

    Raises:
        RecordFault: of another type. A string is no list: read as one it would fall into letters.
    """
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong_type(name, "a list", value)
    return value


def required_list(record: JsonObject, name: str) -> list[object]:
    """A field that must be there and hold a list.

    Raises:
        RecordFault: absent or of another type.
    """
    if record.get(name) is None:
        raise RecordFault(f'field "{name}" is missing')
    return list_field(record, name)


def text_list(record: JsonObject, name: str) -> list[str]:
    """A field that holds a list of strings; empty where it is absent or null.

    Raises:
        RecordFault: the field or an item of it has another type.
    """
    texts: list[str] = []
    for item in list_field(record, name):
        if not isinstance(item, str):
            raise wrong_type(f"{name}[]", "a string", item)
        texts.append(item)
    return texts


def object_list(record: JsonObject, name: str) -> list[JsonObject]:
    """A field that must be there and hold a list of objects.

    Raises:
        RecordFault: the field is absent, or it or an item of it has another type.
    """
    objects: list[JsonObject] = []
    for item in required_list(record, name):
        if not isinstance(item, dict):
            raise wrong_type(f"{name}[]", "an object", item)
        objects.append(item)
    return objects


def names_by_id(record: JsonObject, name: str) -> dict[str, str]:
    """A field that maps ids to names; empty where it is absent or null. A null name becomes the empty text.

    Raises:
        RecordFault: of another type, or with a blank id.
    """
    value = record.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong_type(name, "an object of ids and names", value)
    names: dict[str, str] = {}
    for identifier, own_name in value.items():
        if not identifier.strip():
            raise RecordFault(f'field "{name}" holds an empty id')
        if own_name is not None and not isinstance(own_name, str):
            raise wrong_type(f"{name}.*", "a string", own_name)
        names[identifier] = own_name or ""
    return names
