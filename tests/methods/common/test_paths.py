from __future__ import annotations

import pytest

from kgbench_methods.common.paths import path_pieces, path_text, write_path

REPLY = """Thought: first the city, then its country.
Path: {Orvane (river) -> flows_through -> x (city)}; {x (city) -> lies_in -> y (country)}
Answer: y (country)"""
PIECES = ("Orvane (river) -> flows_through -> x (city)", "x (city) -> lies_in -> y (country)")


def test_text_of_a_piece() -> None:
    assert path_text("{Orvane (river) -> flows_through -> x (city)}") == "Orvane river flows through x city"


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("x (city) → geo.lies-in → y", "x city geo lies in y"),
        ("x --> liesIn --> y", "x lies In y"),
        ("St. Mary-le-Bow -> in -> y", "St. Mary-le-Bow in y"),
        ("x <- owns <- y (firm)", "x owns y firm"),
        ("capital of x (country)", "capital of x country"),
        ("well-known_city", "well-known city"),
        ("{{x}}", "x"),
        ("", ""),
        (" -> -> ", ""),
    ],
)
def test_texts(piece: str, text: str) -> None:
    assert path_text(piece) == text


@pytest.mark.parametrize(
    "reply",
    [
        REPLY,
        REPLY.replace("{", "").replace("}", ""),
        REPLY.replace("->", "→"),
        REPLY.replace("->", "=>").replace("Path:", "**Path**:"),
        REPLY.replace("{", "{{").replace("}", "}}"),
        REPLY.replace("Path:", "Path:\n"),
        REPLY.replace("}; {", "}\n{"),
        REPLY.replace("Thought:", "1. Thought:").replace("Path:", "2. Path:").replace("Answer:", "3. Answer:"),
        REPLY.replace("Path:", "Reasoning path:"),
        REPLY.replace("\n", " "),
        REPLY.removesuffix("\nAnswer: y (country)"),
        REPLY.splitlines()[1].removeprefix("Path: "),
        "```\n" + REPLY + "\n```",
        "<think>Path: {a -> b -> c}</think>" + REPLY,
        "Path: {a -> b -> c}\nThought: no.\n" + REPLY,
    ],
)
def test_pieces(reply: str) -> None:
    expected = tuple(path_text(piece) for piece in PIECES)
    assert tuple(path_text(piece) for piece in path_pieces(reply)) == expected


def test_pieces_are_kept_as_written() -> None:
    assert path_pieces(REPLY) == PIECES


def test_labelled_piece_without_two_arrows_is_raw_text() -> None:
    assert path_pieces("Path: the river of x; x -> lies_in -> y\nAnswer: y") == ("the river of x", "x -> lies_in -> y")
    assert path_pieces("Path: {the river of x}; {x -> y}") == ("the river of x", "x -> y")


def test_truncated_piece_is_kept() -> None:
    assert path_pieces("Path: {Orvane (river) -> flows_thr") == ("Orvane (river) -> flows_thr",)


def test_equal_texts_once_and_the_first_eight() -> None:
    twice = "Path: {a (x) -> b_c -> d}; {a x -> b c -> d}; {e -> f -> g}"
    assert path_pieces(twice) == ("a (x) -> b_c -> d", "e -> f -> g")
    many = "Path: " + "; ".join(f"{{a -> b -> {number}}}" for number in range(20))
    assert path_pieces(many) == tuple(f"a -> b -> {number}" for number in range(8))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  ",
        "I'm sorry, I can't.",
        "Path:",
        "Path: {}",
        "Path: {->->}; ;",
        "Answer: {x}",
        "Thought: a; b",
        "<think>Path: {a -> b -> c}",
    ],
)
def test_no_path(reply: str) -> None:
    assert path_pieces(reply) == ()


def test_parse_undoes_write() -> None:
    pieces = ("which river flows", "a (x) -> b -> c", "odd } one\nof two lines; three")
    read = path_pieces(f"Thought: so.\nPath: {write_path(pieces)}\nAnswer: x")
    assert read == ("which river flows", "a (x) -> b -> c", "odd one of two lines; three")
