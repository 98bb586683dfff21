"""Answer items: what a prediction offers as answers, ready for matching.

A method returns its answers as a list and the runner restores their names; nothing is split here. The items of a
prediction that came as text alone were read by :mod:`kgbench.scoring.foreign`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.scoring.abstention import abstains
from kgbench.scoring.foreign import FOREIGN_TEXT, unsplit_items
from kgbench.scoring.normalise import text_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.types import AnswerItem, RestoredPrediction


def answer_items(prediction: RestoredPrediction, *, split: bool = True) -> tuple[AnswerItem, ...]:
    """Return the answer items of a prediction: abstaining texts dropped, repeats merged, order kept.

    Args:
        prediction: the restored prediction.
        split: False gives a foreign text's items as they were before commas split them (column ``hits1_nosplit``).
    """
    items: Iterable[AnswerItem] = prediction.items
    if not split and FOREIGN_TEXT in prediction.flags:
        items = unsplit_items(prediction)
    distinct: dict[tuple[object, ...], AnswerItem] = {}
    for item in items:
        if item.ids or not abstains(item.text):
            distinct.setdefault(_identity(item), item)
    return tuple(distinct.values())


def _identity(item: AnswerItem) -> tuple[object, ...]:
    return ("ids", *sorted(item.ids)) if item.ids else ("text", text_key(item.text))
