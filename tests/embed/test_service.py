from __future__ import annotations

import hashlib
import math
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from typing import TYPE_CHECKING

import numpy as np
import pytest

from kgbench.contracts import EmbedderCard
from kgbench.embed.service import EmbeddingService
from kgbench.embed.static import StaticEmbedder
from kgbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class CountingEmbedder:
    """Encodes a text as a unit vector drawn from its digest, and remembers what it was asked."""

    def __init__(self, revision: str = "1", dimensions: int = 4) -> None:
        self.card = EmbedderCard("fake/counting", revision, dimensions)
        self.asked: list[str] = []
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert self._lock.acquire(blocking=False), "two threads encode at once"
        try:
            self.asked.extend(texts)
            return np.array([self._row(text) for text in texts], dtype=np.float32).reshape(len(texts), -1)
        finally:
            self._lock.release()

    def _row(self, text: str) -> list[float]:
        if not text:
            return [0.0] * self.card.dimensions
        digest = hashlib.sha256(text.encode()).digest()
        row = [digest[position] - 127.5 for position in range(self.card.dimensions)]
        return [value / math.hypot(*row) for value in row]


def test_rows_come_in_the_order_asked_and_each_text_is_encoded_once() -> None:
    embedder = CountingEmbedder()
    service = EmbeddingService(embedder)
    first = service.encode(["b", "a", "b"])
    second = service.encode(["c", "a"])
    assert embedder.asked == ["b", "a", "c"]
    assert np.array_equal(first, CountingEmbedder().encode(["b", "a", "b"]))
    assert np.array_equal(second, CountingEmbedder().encode(["c", "a"]))
    assert service.card == embedder.card


def test_a_caller_may_change_its_rows() -> None:
    service = EmbeddingService(CountingEmbedder())
    service.encode(["a"])[:] = 9.0
    assert np.array_equal(service.encode(["a"]), CountingEmbedder().encode(["a"]))


def test_nothing_asked_is_nothing_given() -> None:
    service = EmbeddingService(CountingEmbedder())
    assert service.encode([]).shape == (0, 4)
    assert service.similarities("a", []) == []
    assert service.similarity_matrix([], ["a"]).shape == (0, 1)


def test_one_string_is_refused() -> None:
    service = EmbeddingService(CountingEmbedder())
    with pytest.raises(TypeError, match="wrap a single text in a list"):
        service.encode("ward")
    with pytest.raises(TypeError, match="wrap a single text in a list"):
        service.similarities("ward", "ward")


def test_threads_that_ask_for_the_same_texts_encode_each_once() -> None:
    embedder = CountingEmbedder()
    service = EmbeddingService(embedder)
    texts = [f"text {number}" for number in range(3000)]
    expected = CountingEmbedder().encode(texts)
    barrier = Barrier(8)

    def work(_: int) -> bool:
        barrier.wait()
        return np.array_equal(service.encode(texts), expected)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert sorted(embedder.asked) == sorted(texts)


def test_memory_keeps_the_latest_rows() -> None:
    embedder = CountingEmbedder()
    service = EmbeddingService(embedder, memory_rows=2)
    assert service.encode(["a", "b", "c"]).shape == (3, 4)
    service.encode(["b", "c"])
    assert embedder.asked == ["a", "b", "c"]
    service.encode(["a"])
    assert embedder.asked == ["a", "b", "c", "a"]


def test_similarities_are_rounded_cosines() -> None:
    service = EmbeddingService(CountingEmbedder())
    values = service.similarities("a", ["a", "b", ""])
    a, b = CountingEmbedder().encode(["a", "b"]).astype(np.float64)
    assert values == [1.0, round(float(a @ b), 6), 0.0]
    assert all(type(value) is float for value in values)


def test_no_similarity_is_minus_zero_or_beyond_one() -> None:
    class Axes:
        card = EmbedderCard("fake/axes", "1", 2)

        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            rows = {"x": [1.0000009, 0.0], "almost": [-1e-8, 1.0]}
            return np.array([rows[text] for text in texts], dtype=np.float32)

    values = EmbeddingService(Axes()).similarities("x", ["x", "almost"])
    assert [str(value) for value in values] == ["1.0", "0.0"]


def test_matrix_and_list_agree() -> None:
    service = EmbeddingService(StaticEmbedder())
    questions = ["who runs the ward", "what did the device cost"]
    labels = ["ward head", "device price", "incident date", ""]
    matrix = service.similarity_matrix(questions, labels)
    assert matrix.shape == (2, 4)
    assert [service.similarities(question, labels) for question in questions] == matrix.tolist()
    assert [service.similarities(question, [label]) for question in questions for label in labels] == [
        [value] for value in matrix.ravel().tolist()
    ]


def test_vectors_outlive_the_service(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "vectors.sqlite"
    with EmbeddingService(CountingEmbedder(), path) as service:
        expected = service.encode(["a", "b"])
    embedder = CountingEmbedder()
    with EmbeddingService(embedder, path) as service:
        assert np.array_equal(service.encode(["b", "a"]), expected[::-1])
        assert embedder.asked == []
        service.encode(["c", "a"])
        assert embedder.asked == ["c"]


def test_what_is_in_memory_is_not_read_from_disk(tmp_path: Path) -> None:
    service = EmbeddingService(CountingEmbedder(), tmp_path / "vectors.sqlite")
    expected = service.encode(["a"])
    service.close()  # from here on every access to the file fails
    assert np.array_equal(service.encode(["a"]), expected)
    with pytest.raises(UsageError):
        service.encode(["b"])


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    service = EmbeddingService(CountingEmbedder(), path)
    service.encode(["Zanthor Quillfeather"])
    files = list(tmp_path.iterdir())  # with the write-ahead log
    content = b"".join(file.read_bytes() for file in files)
    service.close()
    assert np.array_equal(EmbeddingService(CountingEmbedder(), path).encode(["Zanthor Quillfeather"]).shape, (1, 4))
    assert b"Zanthor" not in content
    assert "Zanthor Quillfeather".encode("utf-16-le") not in content
    assert hashlib.sha256(b"fake/counting\x001\x00Zanthor Quillfeather").digest() in content


@pytest.mark.parametrize("other", [CountingEmbedder("2"), CountingEmbedder("1", 5)])
def test_another_embedder_takes_no_vector_of_this_one(tmp_path: Path, other: CountingEmbedder) -> None:
    path = tmp_path / "vectors.sqlite"
    with EmbeddingService(CountingEmbedder(), path) as service:
        service.encode(["a"])
    with EmbeddingService(other, path) as service:
        assert service.encode(["a"]).shape == (1, other.card.dimensions)
    assert other.asked == ["a"]


def test_a_vector_cut_short_is_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with EmbeddingService(CountingEmbedder(), path) as service:
        expected = service.encode(["a"])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE vectors SET vector = substr(vector, 1, 7)")
    connection.close()
    for asked in (["a"], []):  # the second service finds it mended
        embedder = CountingEmbedder()
        with EmbeddingService(embedder, path) as service:
            assert np.array_equal(service.encode(["a"]), expected)
        assert embedder.asked == asked


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database, but quite a long text that someone would be sorry to lose " * 50)
    before = path.read_bytes()
    with pytest.raises(UsageError) as caught:
        EmbeddingService(CountingEmbedder(), path)
    assert str(caught.value) == (
        f"the cache of embeddings {path} cannot be used (file is not a database). "
        "Choose another place, or delete the file if it is an old cache: that costs only time"
    )
    assert path.read_bytes() == before


def test_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from kgbench.embed import EmbeddingService, StaticEmbedder\n"
        "with EmbeddingService(StaticEmbedder(), Path(sys.argv[1])) as service:\n"
        "    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 200):\n"
        "        service.encode([f'text {number}'])\n"
    )
    starts = (0, 100, 200)
    workers = [subprocess.Popen([sys.executable, "-c", code, str(path), str(start)]) for start in starts]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (400,)
    connection.close()
