"""Texts by which a model says that it has no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.scoring.normalise import text_key

if TYPE_CHECKING:
    from kgbench.types import AnswerItem

ABSTENTIONS = frozenset({"", "null", "none", "unknown", "n/a", "nil"})
"""Texts, case-folded and stripped, that say that there is no answer."""
REFUSALS = (
    "i dont know",
    "i do not know",
    "im not sure",
    "i am not sure",
    "im sorry",
    "i am sorry",
    "im unable to",
    "i am unable to",
    "unable to answer",
    "unable to determine",
    "i cannot",
    "i cant",
    "cannot answer",
    "cannot be answered",
    "cannot be determined",
    "cannot determine",
    "not enough information",
    "insufficient information",
    "no information",
    "no answer",
    "as ai language model",
)
"""Phrases, as text keys, by which a model declines."""


def abstains(text: str) -> bool:
    """True for a text that says that there is no answer, such as ``unknown``."""
    return text.strip().strip("[](){}\"'.").strip().casefold() in ABSTENTIONS


def refuses(item: AnswerItem) -> bool:
    """True for an item that holds a refusal phrase and stands for no entity."""
    words = f" {text_key(item.text)} "
    return not item.ids and any(f" {phrase} " in words for phrase in REFUSALS)
