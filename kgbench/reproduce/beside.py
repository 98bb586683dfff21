"""Published numbers for the rows of a grid, and where a difference to them may be worked out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.errors import UsageError
from kgbench.report.published import published

if TYPE_CHECKING:
    from kgbench.report.published import PublishedTable, Reported
    from kgbench.reproduce.grid import Grid
    from kgbench.types import Scenario


@dataclass(frozen=True)
class Beside:
    """One published table, as it stands beside a grid."""

    publication: PublishedTable | None
    """None where the grid names none."""
    rows: tuple[Reported, ...] = ()

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets that the table reports, in its order."""
        return tuple(dict.fromkeys(row.dataset for row in self.rows))

    def row(self, label: str, scenario: Scenario, dataset: str, setting: str) -> Reported | None:
        """The published row of a label; one without a scenario stands beside every scenario."""
        for row in self.rows:
            if (row.label, row.dataset, row.setting) == (label, dataset, setting) and row.scenario in ("", scenario):
                return row
        return None

    def number(self, label: str, scenario: Scenario, dataset: str, setting: str, measure: str) -> float | None:
        """A published number, in the unit of the measure's column; None where none was reported."""
        row = self.row(label, scenario, dataset, setting)
        return None if row is None else row.values.get(measure)

    def questions(self, dataset: str) -> int | None:
        """How many questions of a data set the published totals are over; None where it does not say."""
        return next((row.n for row in self.rows if row.dataset == dataset and row.n is not None), None)


def beside(grid: Grid) -> Beside:
    """Read the published table that a grid names.

    Raises:
        UsageError: there are no such numbers, or they have no such table.
        DataError: their file breaks the format.
    """
    if not grid.published:
        return Beside(None)
    try:
        publication = published(grid.published)
    except UsageError as error:
        error.args = (f"{grid.source}: grid.published: {str(error).removeprefix('--reported: ')}",)
        raise
    rows = publication.select(table=grid.table)
    if not rows:
        raise UsageError(
            f'{grid.source}: grid.table: "{grid.published}" has no table "{grid.table}"; it has '
            f"{', '.join(publication.tables)}"
        )
    return Beside(publication, rows)
