"""The text encoder: whether it loads, and which weights it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kgbench.doctor.rows import CheckRow, failed, ok
from kgbench.embed import open_service

if TYPE_CHECKING:
    from kgbench.doctor.case import Case


def check_embedder(case: Case) -> list[CheckRow]:
    """Load the embedder and encode a word. A model of the hub that is not on this machine is downloaded, as a run would.

    Raises:
        KgbenchError: no such embedder, its extra is not installed, or its weights are not to be had.
    """
    embeddings = case.given.embeddings or open_service(case.spec.embedder)
    rows = embeddings.encode(["river"])
    card = embeddings.card
    if rows.shape != (1, card.dimensions) or not np.isclose(float(np.linalg.norm(rows[0])), 1.0, atol=1e-3):
        return [
            failed("embedder", f"{card.name} gives no unit vectors of {card.dimensions} dimensions", "use another one")
        ]
    case.embeddings = embeddings
    found = f"{card.name}, revision {card.revision[:12]}, {card.dimensions} dimensions"
    return [ok("embedder", found, name=card.name, revision=card.revision, dimensions=card.dimensions)]
