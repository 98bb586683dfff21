"""The exemplars of PoG's prompts: questions about invented things, each with the reply that the prompt asks for.

The invented names are whole nonsense words and the invented handles hold a vowel, which no issued handle does: a reply
that repeats one is recognised. Things are named in some lines and codes in others, as prompts show them.
"""

from __future__ import annotations

import json
from typing import NamedTuple

INVENTED = (
    "Saxomere",
    "Ulvarrick",
    "Keldrinth",
    "Ombrialle",
    "Vaskelund",
    "Jelmarrow",
    "Pindrossa",
    "Quorvane",
    "Zarnowick",
    "Fyrrelin",
    "Wenlorach",
    "Drustamarsh",
    "m.0uk52ea",
    "m.0ae93ot",
    "m.0oi17ue",
    "m.0ie64ao",
    "m.0eu85ik",
    "m.0au28oe",
)


class Case(NamedTuple):
    """A question with evidence and the verdict on it."""

    question: str
    memory: str
    triples: tuple[str, ...]
    answers: tuple[str, ...]
    """Empty where the evidence does not suffice."""
    reason: str


def verdict_reply(word: str, yes: bool, answers: tuple[str, ...], reason: str) -> str:
    """The reply to a question for a verdict and its answers; ``word`` is what the verdict is on."""
    content: str | list[str] | None = list(answers) if len(answers) > 1 else answers[0] if answers else None
    verdict = {word: "Yes" if yes else "No", "Answer": content if content is not None else "null"}
    return json.dumps({"A": verdict, "R": reason}, ensure_ascii=False)


PRIZES = "Which prizes did the director of The Saxomere Lantern win for later films?"
OBJECTIVES = (
    "Find who directed The Saxomere Lantern",
    "Find the later films of this director",
    "Find the prizes that these films won",
)
FILM_RELATIONS = (
    "award.award_winning_work.awards_won",
    "film.film.country",
    "film.film.directed_by",
    "film.film.edited_by",
    "film.film.featured_film_locations",
    "film.film.genre",
    "film.film.initial_release_date",
    "film.film.language",
    "film.film.music",
    "film.film.produced_by",
    "film.film.runtime",
    "film.film.written_by",
)
CHOSEN_RELATIONS = ("film.film.directed_by", "award.award_winning_work.awards_won", "film.film.produced_by")

MARSHES = "Which film by Ulvarrick tells of a flooded mill?"
FILMS = ("m.0ae93ot", "m.0oi17ue", "The Keldrinth Mill", "Salt for Ombrialle", "The Saxomere Lantern", "Two Winters")
CHOSEN_FILM = 3

MEMORY = '{"1": "The director of The Saxomere Lantern is m.0uk52ea.", "2": "not known yet", "3": "not known yet"}'
NEW_TRIPLES = (
    "m.0uk52ea, film.director.film, m.0ae93ot",
    "m.0uk52ea, film.director.film, Salt for Ombrialle",
    "m.0uk52ea, people.person.place_of_birth, Wenlorach",
)
NEW_MEMORY = (
    '{"1": "The director of The Saxomere Lantern is m.0uk52ea.", '
    '"2": "m.0uk52ea also directed m.0ae93ot and Salt for Ombrialle.", "3": "not known yet"}'
)

CASES = (
    Case(
        question="In which towns did the founder of Jelmarrow Mills live?",
        memory='{"1": "The founder of Jelmarrow Mills is m.0ie64ao.", "2": "not known yet"}',
        triples=(
            "m.0ie64ao, people.person.places_lived, Wenlorach",
            "m.0ie64ao, people.person.places_lived, m.0eu85ik",
            "m.0ie64ao, people.person.profession, m.0au28oe",
        ),
        answers=("Wenlorach", "m.0eu85ik"),
        reason="The notes name the founder, and two triples give the towns where this person lived.",
    ),
    Case(
        question=PRIZES,
        memory=NEW_MEMORY,
        triples=NEW_TRIPLES,
        answers=(),
        reason="The later films are known, but no triple gives a prize that they won.",
    ),
    Case(
        question="Which river flows past the castle of Pindrossa?",
        memory='{"1": "Pindrossa stands in m.0oi17ue.", "2": "The river is not known yet."}',
        triples=("m.0oi17ue, location.location.contained_by, m.0eu85ik",),
        answers=(),
        reason="The triple tells in which region the place lies, not which river is there.",
    ),
    Case(
        question="Who designed the Quorvane bridge?",
        memory='{"1": "The Quorvane bridge was designed by m.0au28oe."}',
        triples=(
            "Quorvane bridge, architecture.structure.architect, m.0au28oe",
            "Quorvane bridge, architecture.structure.opened, m.0ae93ot",
        ),
        answers=("m.0au28oe",),
        reason="A triple gives the architect of the bridge.",
    ),
    Case(
        question="Which language is spoken in the country where the Zarnowick Gazette appears?",
        memory='{"1": "The Zarnowick Gazette appears in m.0oi17ue.", "2": "not known yet"}',
        triples=("Zarnowick Gazette, book.newspaper.circulation_areas, m.0oi17ue",),
        answers=(),
        reason="The country is known, but no triple gives the language that is spoken there.",
    ),
)

JUDGE_CASES = (
    (
        "Which team did the coach of Fyrrelin Rovers play for before the coach of Drustamarsh did?",
        ("m.0ie64ao", "m.0eu85ik"),
        '{"1": "The coach of Fyrrelin Rovers is m.0ie64ao.", "2": "Nothing is known of Drustamarsh."}',
        ("Fyrrelin Rovers, soccer.football_team.manager, m.0ie64ao",),
        True,
        "Drustamarsh has not been explored, and its coach is needed as well.",
    ),
    (
        "In which year did the painter of Vaskelund at Dusk die?",
        ("m.0au28oe",),
        '{"1": "The painter of Vaskelund at Dusk is m.0au28oe.", "2": "not known yet"}',
        ("Vaskelund at Dusk, visual_art.artwork.artist, m.0au28oe",),
        False,
        "The painter is among the entities to go on with, and the year of death is a fact about this person.",
    ),
)

ADD_REASON = "Drustamarsh has not been explored, and its coach is needed as well."
ADD_CANDIDATES = (
    "m.0ae93ot",
    "m.0au28oe",
    "m.0eu85ik",
    "m.0oi17ue",
    "m.0uk52ea",
    "Drustamarsh",
    "Drustamarsh Athletic",
    "Fyrrelin",
    "Fyrrelin Rovers",
    "Jelmarrow",
    "Keldrinth",
    "Ombrialle",
    "Pindrossa",
    "Quorvane",
    "Wenlorach",
    "Zarnowick",
)
ADDED = ("Drustamarsh", "Drustamarsh Athletic", "m.0oi17ue")
