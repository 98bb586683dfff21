"""How many of each thing a demo graph of a given number of triples holds."""

from __future__ import annotations

from dataclasses import dataclass

from kgbench.errors import UsageError

REFERENCE_TRIPLES = 5000
"""The size of the shipped graph; other sizes keep its proportions."""
SMALLEST = 3000
"""Below this, 120 different questions find no material."""


@dataclass(frozen=True)
class Sizes:
    """Numbers of nodes by class."""

    regions: int
    towns: int
    sites: int
    wards: int
    people: int
    projects: int
    suppliers: int
    models: int
    devices: int
    contracts: int
    incidents: int
    trainings: int


def sizes_for(triples: int) -> Sizes:
    """The numbers that give about `triples` triples, within three per cent.

    Raises:
        UsageError: below `SMALLEST` triples.
    """
    if triples < SMALLEST:
        raise UsageError(
            f"A demo graph of {triples} triples is too small for its questions; ask for {SMALLEST} or more."
        )

    def scaled(count: float) -> int:
        return max(3, round(count * triples / REFERENCE_TRIPLES))

    return Sizes(
        regions=scaled(3),
        towns=scaled(8),
        sites=scaled(8),
        wards=scaled(38),
        people=scaled(186),
        projects=scaled(22),
        suppliers=scaled(18),
        models=scaled(28),
        devices=scaled(174),
        contracts=scaled(28),
        incidents=scaled(56),
        trainings=scaled(18),
    )
