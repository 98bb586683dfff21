from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgbench.embed.static import WEIGHTS, StaticEmbedder
from kgbench.errors import PrerequisiteMissing

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [
    "which ward does the nurse work in?",
    "hospital person works in",
    "Übergröße, naïve café",
    "a",
    "contract line amount 1,250.00",
    "AC; DC -> {Awake} | <b>[/red]</b>",
]
GOLDEN = "4a5dfabc352dbc26251ed1d76663dc0659aea3c87b010c55bd2e708749485c22"
"""SHA-256 of the texts' vectors as little-endian floats; changes with the shipped weights alone."""


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def run_python(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | environment
    )
    return result.stdout.strip()


def test_shipped_files_stay_small_and_carry_their_notice() -> None:
    files = {file.name: file for file in WEIGHTS.iterdir()}
    assert set(files) == {"NOTICE", "config.json", "model.safetensors", "tokenizer.json"}
    assert sum(file.stat().st_size for file in files.values()) <= 8_000_000
    notice = files["NOTICE"].read_text(encoding="utf-8")
    assert "sentence-transformers/all-MiniLM-L6-v2" in notice
    assert "Apache License, Version 2.0" in notice


def test_shipped_files_name_no_path_of_the_machine_that_made_them() -> None:
    config = json.loads((WEIGHTS / "config.json").read_text(encoding="utf-8"))
    assert config["base_model"] == "sentence-transformers/all-MiniLM-L6-v2"
    assert "site-packages" not in json.dumps(config)


def test_card_names_weights_and_dimensions(embedder: StaticEmbedder) -> None:
    assert embedder.card.name == "builtin/static"
    assert len(embedder.card.revision) == 12
    assert embedder.encode(["x"]).shape == (1, embedder.card.dimensions)


def test_revision_changes_with_the_tokenizer(tmp_path: Path, embedder: StaticEmbedder) -> None:
    for file in WEIGHTS.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert StaticEmbedder(tmp_path).card.revision == embedder.card.revision
    with (tmp_path / "tokenizer.json").open("a") as tokenizer:
        tokenizer.write("\n")
    assert StaticEmbedder(tmp_path).card.revision != embedder.card.revision


def test_rows_have_length_one(embedder: StaticEmbedder) -> None:
    rows = embedder.encode(TEXTS)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows.astype(np.float64), axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("blank", ["", "  \n\t", "\u200b"])
def test_a_text_without_word_pieces_gives_zeros(embedder: StaticEmbedder, blank: str) -> None:
    rows = embedder.encode(["ward", blank])
    assert rows[0].any()
    assert not rows[1].any()


def test_no_texts_give_no_rows(embedder: StaticEmbedder) -> None:
    assert embedder.encode([]).shape == (0, embedder.card.dimensions)


def test_one_string_is_refused(embedder: StaticEmbedder) -> None:
    with pytest.raises(TypeError, match="wrap a single text in a list"):
        embedder.encode("ward")


def test_half_a_surrogate_pair_is_read_as_a_question_mark(embedder: StaticEmbedder) -> None:
    assert np.array_equal(embedder.encode(["ward \ud800"]), embedder.encode(["ward ?"]))
    assert embedder.count_tokens("ward \ud800") == 2


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=20))
def test_a_row_depends_on_its_own_text_alone(embedder: StaticEmbedder, texts: list[str]) -> None:
    together = embedder.encode(texts)
    assert np.array_equal(together, np.vstack([embedder.encode([text]) for text in texts]))
    assert np.array_equal(together[::-1], embedder.encode(texts[::-1]))


def test_word_order_does_not_matter_to_the_last_bit(embedder: StaticEmbedder) -> None:
    words = "the date on which the supplier signed the contract for the site".split()
    rows = embedder.encode([" ".join(words), " ".join(reversed(words))])
    assert np.array_equal(rows[0], rows[1])


def test_long_texts_are_read_to_their_end(embedder: StaticEmbedder) -> None:
    start = "ward " * 5000
    rows = embedder.encode([start, start + "device " * 5000])
    assert not np.array_equal(rows[0], rows[1])


def test_meaning_decides(embedder: StaticEmbedder) -> None:
    question, works_in, amount = embedder.encode(
        ["in which department is the doctor employed", "hospital person works in ward", "contract line amount"]
    )
    assert question @ works_in > question @ amount + 0.1


def test_vectors_are_the_same_bits_in_every_process_and_on_every_machine(embedder: StaticEmbedder) -> None:
    code = (
        "import hashlib, json, sys\n"
        "from kgbench.embed.static import StaticEmbedder\n"
        f"rows = StaticEmbedder().encode(json.loads({json.dumps(json.dumps(TEXTS))}))\n"
        "print(hashlib.sha256(rows.astype('<f4').tobytes()).hexdigest())"
    )
    digests = {run_python(code, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    digests.add(hashlib.sha256(embedder.encode(TEXTS).astype("<f4").tobytes()).hexdigest())
    assert digests == {GOLDEN}


def test_counts_word_pieces_unknown_ones_too(embedder: StaticEmbedder) -> None:
    assert embedder.count_tokens("") == 0
    assert embedder.count_tokens("people.person") == 3
    assert embedder.count_tokens("ward \U0001f984 ward") == 3


def test_a_repeated_message_is_not_read_again(embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a message that a chat sends twice"
    count = embedder.count_tokens(text)
    monkeypatch.setattr(embedder, "_model", lambda: pytest.fail("the tokenizer was asked again"))
    assert embedder.count_tokens(text) == count == 7


def test_threads_share_one_model_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    from model2vec import StaticModel

    loads: list[object] = []
    read = StaticModel.from_pretrained

    def load(folder: Path) -> object:
        loads.append(folder)
        return read(folder)

    monkeypatch.setattr(StaticModel, "from_pretrained", load)
    embedder = StaticEmbedder()
    texts = [f"{text} {number}" for number in range(40) for text in TEXTS]
    expected = StaticEmbedder().encode(texts)
    loads.clear()

    def work(start: int) -> bool:
        turned = texts[start:] + texts[:start]
        counted = [embedder.count_tokens(text) for text in turned]
        rows = embedder.encode(turned)
        return min(counted) > 0 and np.array_equal(rows, np.vstack([expected[start:], expected[:start]]))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(0, 240, 10)))
    assert len(loads) == 1


def test_encodes_without_opening_a_socket() -> None:
    code = (
        "import socket\n"
        "class Closed(socket.socket):\n"
        "    def __init__(self, *args, **kwargs): raise AssertionError('a socket was opened')\n"
        "socket.socket = Closed\n"
        "def refuse(*args, **kwargs): raise AssertionError('a name was looked up')\n"
        "socket.getaddrinfo = socket.create_connection = refuse\n"
        "from kgbench.embed import load\n"
        "embedder = load('builtin/static')\n"
        "print(embedder.encode(['ward']).shape[0], embedder.count_tokens('ward'))"
    )
    assert run_python(code) == "1 1"


def test_the_import_is_light() -> None:
    code = (
        "import sys, kgbench.embed\n"
        "print([name for name in ('model2vec', 'tokenizers', 'torch', 'sentence_transformers', 'huggingface_hub')"
        " if name in sys.modules])"
    )
    assert run_python(code) == "[]"


def test_missing_weights_are_named_and_never_looked_for_on_the_hub(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    embedder = StaticEmbedder(tmp_path)
    for use in (lambda: embedder.card, lambda: embedder.encode(["x"]), lambda: embedder.count_tokens("x")):
        with pytest.raises(PrerequisiteMissing) as caught:
            use()
        assert str(caught.value) == (
            f"builtin/static: model.safetensors, tokenizer.json not found in {tmp_path}. Install kgbench again, "
            "or make the files with scripts/distill_embedder.py"
        )
