"""Published numbers as rows of a leaderboard: beside our own, or alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report import columns as c

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kgbench.report.published import Reported
    from kgbench.report.table import Cell

    Place = tuple[str, str, str]
    """Data set, setting and scenario."""

MARK = "reported"
REPORTED = (
    'Rows marked "reported" were published by others, under the conditions given as their source. They are neither ranked '
    "nor tested: question sets, models and prompts differ. What papers call Hits@1 is the substring test of tog_loose_arog, "
    "never hits1."
)


def beside(
    reported: Iterable[Reported], dataset: str, setting: str, scenario: str, group: Mapping[str, Cell]
) -> list[dict[str, Cell]]:
    """Return the rows to show beside runs: those on the same data set, in the same setting and scenario.

    A row without a scenario stands beside the runs of every one. Runs on a part of the questions only have another data
    set's name, ``webqsp[hops=2]``, and get none.

    Args:
        reported: published rows.
        dataset: name of the runs' data set.
        setting: their setting.
        scenario: their scenario.
        group: the grouping columns of their section.
    """
    place = (dataset, setting, scenario)
    return [_row(row, group) for row in reported if not group[c.SUBSET.key] and _belongs(row, place)]


def standing_alone(reported: Iterable[Reported]) -> list[tuple[str, list[dict[str, Cell]]]]:
    """Return title and rows of sections that hold published rows alone, by data set, setting and scenario."""
    sections: dict[Place, list[dict[str, Cell]]] = {}
    for row in reported:
        group: dict[str, Cell] = {"dataset": row.dataset, "setting": row.setting, "privacy": row.scenario}
        sections.setdefault((row.dataset, row.setting, row.scenario), []).append(_row(row, group))
    return [(", ".join(filter(None, place)) + ", as reported", rows) for place, rows in sections.items()]


def left_out(reported: Iterable[Reported], places: Sequence[Place]) -> list[str]:
    """Say which published rows stand beside no run, in one note or none.

    Args:
        reported: published rows.
        places: data set, setting and scenario of every section.
    """
    rows = [row for row in reported if not any(_belongs(row, place) for place in places)]
    if not rows:
        return []
    asked = dict.fromkeys(f"{row.dataset} {row.setting}" for row in rows)
    return [f"{len(rows)} reported rows are not shown, since no run here is on their data: {', '.join(asked)}."]


def _belongs(row: Reported, place: Place) -> bool:
    return (row.dataset, row.setting) == place[:2] and row.scenario in ("", place[2])


def _row(row: Reported, group: Mapping[str, Cell]) -> dict[str, Cell]:
    averaged = [f"mean of {row.trials} runs"] if row.trials and row.trials > 1 and "runs" not in row.conditions else []
    said = "; ".join([f'{row.source}, {row.table}, as "{row.published_as}"', row.conditions, *averaged])
    return {
        **group,
        c.METHOD.key: row.label,
        c.SCENARIO.key: row.scenario,
        c.MODEL.key: row.model,
        c.N.key: row.n,
        **row.values,
        c.GROUP.key: MARK,
        c.MARKS.key: f"{MARK}: {row.source}, {row.table}",
        c.SOURCE.key: said,
    }
