"""What a run shows to the remote model: scenario, pseudonyms, literals and topic names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kgbench.errors import UsageError
from kgbench.types import Phase, Scenario, Zone


class PseudonymMode(StrEnum):
    """What stands for an entity where its name is hidden."""

    KEYED = "keyed"
    """Handles from a keyed hash: one-to-one, unlinkable across questions."""
    SOURCE_ID = "source-id"
    """The graph's own ids, as published code sends them. Public ids are identifying; reports say so."""


class PseudonymScope(StrEnum):
    """How long a handle stands for the same entity."""

    QUESTION = "question"
    RUN = "run"
    """One map a run: exists to measure what unlinkability is worth."""


class LiteralPolicy(StrEnum):
    """How a literal is shown where names are hidden."""

    HANDLE = "handle"
    TYPED = "typed"
    """Handle with a word for its datatype; numbers, dates and booleans in clear."""
    PLAIN = "plain"


class TopicNames(StrEnum):
    """How a topic entity is shown."""

    MENTION = "mention"
    """By the question's own words for it."""
    LABEL = "label"
    """By the data set's name, as published code does; counted where the question does not say it."""
    MASK = "mask"
    """By its handle, in the question text too."""


@dataclass(frozen=True, slots=True)
class PrivacyPolicy:
    """The privacy settings of a run."""

    scenario: Scenario = Scenario.PRIVATE
    pseudonyms: PseudonymMode = PseudonymMode.KEYED
    scope: PseudonymScope = PseudonymScope.QUESTION
    literals: LiteralPolicy = LiteralPolicy.HANDLE
    topic_names: TopicNames = TopicNames.MENTION

    def exposes(self, phase: Phase, zone: Zone) -> bool:
        """Tell whether a prompt of ``phase`` to ``zone`` may show names."""
        return zone is Zone.LOCAL or self.scenario.exposes(phase)

    def check_graph(self, profile: str, opaque_ids: bool) -> None:
        """Refuse ``source-id`` on a graph whose ids are words.

        Raises:
            UsageError: the graph's profile does not say that its ids carry no words.
        """
        if self.pseudonyms is PseudonymMode.SOURCE_ID and not opaque_ids:
            raise UsageError(
                f'--pseudonyms source-id would print names: ids of profile "{profile}" may be words. '
                "Use --pseudonyms keyed, or --kg-profile freebase where the ids are Freebase's."
            )
