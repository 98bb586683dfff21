"""What every embedder does with its input before it encodes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def as_list(texts: Sequence[str]) -> list[str]:
    """Return the texts as a list, each as :func:`encodable` gives it.

    Raises:
        TypeError: ``texts`` is one string, which would otherwise be encoded letter by letter.
    """
    if isinstance(texts, str):
        raise TypeError("encode takes a list of texts; wrap a single text in a list")
    return [encodable(text) for text in texts]


def encodable(text: str) -> str:
    """Return the text with ``?`` for each half of a surrogate pair: a reply's JSON may hold one, no tokenizer reads it."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def digest_of(files: Iterable[Path]) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of files' names and contents: the revision of local weights."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0")
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]
