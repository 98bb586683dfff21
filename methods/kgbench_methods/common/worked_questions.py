"""Six questions with their reasoning: the exemplars of every closed-book prompt.

Public, uncontroversial facts in two steps each. Neither a question nor its topic belongs to a data set that kgbench reads,
and the reasoning ends at the answer that stands in the braces.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkedQuestion:
    """A question about public facts with its reasoning and its one answer."""

    question: str
    topic: str
    """What the question starts from; its words stand in the question."""
    reasoning: str
    """One or two sentences that lead to the answer and name it."""
    answer: str


WORKED_QUESTIONS = (
    WorkedQuestion(
        question="Which country of the United Kingdom do the islands belong to where the village of Skara Brae was found?",
        topic="Skara Brae",
        reasoning="Skara Brae was found on the Orkney islands. Orkney belongs to Scotland.",
        answer="Scotland",
    ),
    WorkedQuestion(
        question="In which ocean lies the island on which the dodo lived?",
        topic="dodo",
        reasoning="The dodo lived on Mauritius and nowhere else. Mauritius lies in the Indian Ocean.",
        answer="Indian Ocean",
    ),
    WorkedQuestion(
        question="With what money does one pay in the country where the temple of Borobudur stands?",
        topic="Borobudur",
        reasoning="The temple of Borobudur stands on Java, in Indonesia. Indonesia's money is the Indonesian rupiah.",
        answer="Indonesian rupiah",
    ),
    WorkedQuestion(
        question="In which city was the writer born who invented Captain Nemo?",
        topic="Captain Nemo",
        reasoning="Captain Nemo was invented by Jules Verne. Jules Verne was born in Nantes.",
        answer="Nantes",
    ),
    WorkedQuestion(
        question="Which planet gave its name to the element that Martin Heinrich Klaproth discovered in 1789?",
        topic="Martin Heinrich Klaproth",
        reasoning="The element that Klaproth discovered in 1789 is uranium. Uranium is named after the planet Uranus.",
        answer="Uranus",
    ),
    WorkedQuestion(
        question="Into which sea flows the longest of the three rivers that meet at Passau?",
        topic="Passau",
        reasoning="Danube, Inn and Ilz meet at Passau, and the Danube is the longest. It flows into the Black Sea.",
        answer="Black Sea",
    ),
)
