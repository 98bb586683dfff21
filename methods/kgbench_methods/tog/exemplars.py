"""Exemplars of ToG's prompts: an invented world of orchestras and ships.

Names are whole nonsense words, and codes hold a vowel, which no issued handle does: a reply that repeats one is recognised.
"""

from __future__ import annotations

from dataclasses import dataclass

INVENTED = (
    "Vellmark",
    "Marrodan",
    "zelph",
    "Olwetter",
    "Ishbarrow",
    "Prellany",
    "Sallimore",
    "Thurnovel",
    "Brisketh",
    "Corsteadle",
    "Yaldrune",
    "Grellith",
    "Quandrith",
    "Tirravel",
    "Wexolane",
    "Bromfeth",
    "Dastrimor",
    "Pelvoran",
    "m.0uk31ta",
    "m.0ae52ou",
)
"""What the exemplars name; none of it stands in a graph or a question."""

CHOICE_QUESTION = "Through which sea did the ship sail that was built in the harbour of Yaldrune?"
CHOICE_ENTITY = "Yaldrune"
CHOICE_RELATIONS = (
    "boats.ship.place_built",
    "boats.shipyard.ships_built",
    "location.location.adjoins",
    "location.location.area",
    "location.location.containedby",
    "location.location.people_born_here",
    "location.location.time_zones",
    "organization.organization.headquarters",
    "protected_sites.site.established",
    "travel.destination.attractions",
    "travel.destination.how_to_get_here",
    "travel.harbour.vessels_launched",
)
CHOSEN = (
    ("boats.ship.place_built", 0.5, "it leads from the harbour to a ship that was built there."),
    ("travel.harbour.vessels_launched", 0.3, "a ship that was built there was launched there too."),
    ("boats.shipyard.ships_built", 0.2, "the harbour may be recorded as a shipyard."),
)
"""Label, score and reason, best first."""

SCORE_QUESTION = "Which opera about a lighthouse did Grellith Quandrith compose?"
SCORE_RELATION = "music.composer.compositions"
SCORE_CANDIDATES = (
    "Bromfeth Mass",
    "Songs of Dastrimor",
    "The Lamp of Tirravel",
    "Pelvoran Suite",
    "Wexolane Waltz",
    "Serenade for Yaldrune",
)
SCORES = (0.05, 0.05, 0.75, 0.05, 0.05, 0.05)
SCORE_REASON = "The third is the only title that speaks of a lamp; a mass, songs, a suite and dances are no operas."


@dataclass(frozen=True, slots=True)
class Case:
    """A question with facts that answer it or do not."""

    question: str
    triples: tuple[str, ...]
    reason: str
    answer: str | None = None
    """None where the facts do not suffice."""


CASES = (
    Case(
        "Which instrument does the conductor of the Vellmark orchestra play?",
        (
            "Vellmark orchestra, music.orchestra.conductor, Isket Marrodan",
            "Isket Marrodan, music.musician.instruments_played, zelph horn",
        ),
        "The conductor is Isket Marrodan, who plays the zelph horn.",
        "zelph horn",
    ),
    Case(
        "Who designed the theatre in which Karn Olwetter first stood on a stage?",
        ("Karn Olwetter, theatre.actor.first_stage, m.0uk31ta",),
        "The theatre is m.0uk31ta, and who designed it is not among the triples.",
    ),
    Case(
        "With what money does one pay in the country in which the Ishbarrow Dam stands?",
        (
            "Ishbarrow Dam, location.location.containedby, Prellany",
            "Ishbarrow Dam, location.location.area, Prellany Valley",
        ),
        "The country is Prellany, and no triple tells what money is used there.",
    ),
    Case(
        "Which newspaper did Dorveth Sallimore found?",
        ("Thurnovel Lantern, book.newspaper.founders, Dorveth Sallimore",),
        "The newspaper that has Dorveth Sallimore among its founders is the Thurnovel Lantern.",
        "Thurnovel Lantern",
    ),
    Case(
        "Since when has Ulvane Brisketh been the mayor of Corsteadle?",
        (
            "Corsteadle, government.jurisdiction.officials, m.0ae52ou",
            "m.0ae52ou, government.term.office_holder, Ulvane Brisketh",
        ),
        "The term of office m.0ae52ou is found, and when it began is not.",
    ),
)
