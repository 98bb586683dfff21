"""Parquet files, several of which make one split: their columns as records, and a hash over all."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from kgbench.data.source import Row
from kgbench.errors import DataError, MissingExtra, PrerequisiteMissing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_BLOCK = 1 << 20
_PARTS = re.compile(r"-of-(?P<count>[0-9]+)")
"""In the name of a file that is one of several."""


@dataclass(frozen=True)
class ParquetFiles:
    """The files of one split, in the order of their names."""

    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """Name of the file, or of the first of several."""
        rest = len(self.files) - 1
        return self.files[0].name + (f" and {rest} more" if rest else "")

    @cached_property
    def sha256(self) -> str:
        """Hash of the bytes of one file; over the hashes of several."""
        digests = [_digest(path) for path in self.files]
        return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()

    def error(self, what: str) -> DataError:
        """An error about the files as a whole."""
        return DataError(f"{self.name}: {what}")

    def rows(self, columns: Sequence[str], needed_by: str) -> Iterator[Row]:
        """Every row, of some columns alone: the others are not read from the disk.

        Raises:
            MissingExtra: the reader of parquet files is not installed.
            DataError: a file is no parquet file, or lacks a column.
        """
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise MissingExtra("hub", needed_by) from None
        number = 0
        for path in self.files:
            try:
                with parquet.ParquetFile(path) as file:
                    missing = [name for name in columns if name not in file.schema_arrow.names]
                    if missing:
                        raise DataError(f"{path.name}: no column {', '.join(missing)}; is it another data set?")
                    for batch in file.iter_batches(columns=list(columns)):
                        for record in batch.to_pylist():
                            number += 1
                            yield Row(f"row {number}", record)
            except (pyarrow.ArrowException, OSError) as error:
                raise DataError(f"{path.name}: not readable as parquet ({type(error).__name__})") from None


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def split_pattern(path: Path, split: str) -> Path:
    """The pattern of the files of a split: ``FOLDER/test-*.parquet``, or below ``FOLDER/data``; a file is its own.

    Args:
        path: a file, or a folder as published.
        split: as file names begin.

    Raises:
        PrerequisiteMissing: there is no such file.
    """
    if path.is_file():
        return path
    pattern = f"{split}-*.parquet"
    for folder in (path, path / "data"):
        if any(folder.glob(pattern)):
            return folder / pattern
    raise PrerequisiteMissing(f"{path} is no parquet file, and no folder with {pattern} in it or in its folder data")


def files_of(pattern: Path) -> ParquetFiles:
    """The files that a pattern of :func:`split_pattern` stands for.

    Raises:
        PrerequisiteMissing: by their own names, some of them are missing.
    """
    if pattern.is_file():
        return ParquetFiles((pattern,))
    files = tuple(sorted(pattern.parent.glob(pattern.name)))
    missing = parts_missing(files)
    if missing:
        raise PrerequisiteMissing(
            f"{missing} of the files {pattern} are missing: by their names there are {len(files) + missing}; download the "
            "others too, or name one file to read it alone"
        )
    return ParquetFiles(files)


def parts_missing(files: Sequence[Path]) -> int:
    """Number of files that are missing beside some whose names say how many they are (``test-00000-of-00002``)."""
    counts = [int(found["count"]) for path in files if (found := _PARTS.search(path.name))]
    return max(0, max(counts, default=0) - len(files))
