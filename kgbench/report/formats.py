"""The forms in which a table can be written."""

from __future__ import annotations

from enum import StrEnum


class Face(StrEnum):
    """Forms of a table."""

    MARKDOWN = "md"
    CSV = "csv"
    LATEX = "latex"
    HTML = "html"
    JSON = "json"

    @classmethod
    def of_ending(cls, suffix: str) -> Face | None:
        """The form that files of an ending, such as ``.tex``, hold; None for other endings."""
        name = {".tex": "latex", ".htm": "html", ".markdown": "md", ".txt": "md"}.get(
            suffix.lower(), suffix.lower().removeprefix(".")
        )
        return cls(name) if name in tuple(cls) else None
