"""BM25 over token lists."""

from __future__ import annotations

from kgbench_methods.common.bm25 import bm25_scores


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    scores = bm25_scores(["x", "b"], [["x", "a"], ["b", "a"], ["x", "a"]])
    assert scores[1] > scores[0] == scores[2] > 0


def test_a_short_document_counts_more_than_a_long_one() -> None:
    short, long, other = bm25_scores(["a"], [["a"], ["a", "b", "c", "d"], ["b"]])
    assert short > long > other == 0


def test_repeats_saturate() -> None:
    once, twice, many, _ = bm25_scores(["a"], [["a", "b", "b"], ["a", "a", "b"], ["a", "a", "a"], ["b", "b", "b"]])
    assert once < twice < many
    assert twice - once > many - twice


def test_a_word_that_is_asked_twice_counts_twice() -> None:
    documents = [["a", "b"], ["c", "d"]]
    assert bm25_scores(["a", "a"], documents)[0] == round(2 * bm25_scores(["a"], documents)[0], 6)


def test_nothing_to_compare() -> None:
    assert bm25_scores(["a"], []) == []
    assert bm25_scores([], [["a"], []]) == [0.0, 0.0]
    assert bm25_scores(["a"], [[], []]) == [0.0, 0.0]
