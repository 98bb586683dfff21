"""What the reader compares."""

from __future__ import annotations

import pytest

from kgbench.llm.backends.reader.text import content_words, plain, without_mentions, word_similarities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("people.person.place_of_birth", "people person place of birth"),
        ("film.actor.film-film.performance.film", "film actor film film performance film"),
        ("birthPlace", "birth place"),
        ("m.0b7k2xq1 (river, body of water)", "river body of water"),
        ("g.1q5jg_x, people.person.gender, m.05zppz", "people person gender"),
        ("Émile Zola", "émile zola"),
        ("m.0b7k2xq1", ""),
        ("", ""),
    ],
)
def test_plain_text_has_label_words_and_no_handles(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_content_words_leave_out_mentions_stop_words_and_repeats() -> None:
    words = content_words("Who is the wife of the director of Ann Lee's film's director?", ["Ann Lee"])
    assert words == ("wife", "director", "film")


def test_a_mention_goes_wherever_it_stands_and_only_as_whole_words() -> None:
    question = "Did Ann visit Annapolis, and ANN's sister?"
    assert "Annapolis" in without_mentions(question, ["Ann"])
    assert content_words(question, ["Ann"]) == ("visit", "annapolis", "sister")


def test_of_two_mentions_the_longer_goes_first() -> None:
    assert content_words("Which river is in New York State?", ["New York", "New York State"]) == ("river",)


def test_a_mention_is_text_and_no_pattern() -> None:
    assert content_words("Who wrote A.* (live)?", ["A.* (live)"]) == ("wrote",)
    assert content_words("Who wrote it?", ["", " "]) == ("wrote",)


def test_equal_words_are_near_even_where_the_embedder_knows_neither() -> None:
    class Blank:
        def similarities(self, query: str, texts: list[str]) -> list[float]:
            return [0.0] * len(texts)

        def similarity_matrix(self, queries: list[str], texts: list[str]):  # type: ignore[no-untyped-def]
            import numpy as np

            return np.zeros((len(queries), len(texts)))

    assert word_similarities(["xyzzy", "b"], ["xyzzy"], Blank()).tolist() == [[1.0], [0.0]]
    assert word_similarities([], ["a"], Blank()).shape == (0, 1)
