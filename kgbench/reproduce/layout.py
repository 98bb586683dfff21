"""The result of a grid as a table: one section for each data set, setting and measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.report import columns as c
from kgbench.report.run_row import NO_LANGUAGE_MODEL, UTILITY_ONLY, yes_or_no
from kgbench.report.table import Column, Measured, Part, make_table
from kgbench.types import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kgbench.report.table import Cell, Table
    from kgbench.reproduce.lines import Line
    from kgbench.reproduce.numbers import Number
    from kgbench.reproduce.result import GridResult

OTHER_DATA = (
    "The published numbers are of other data sets. They stand here as reported; no difference is worked out across data "
    "sets."
)
NO_PUBLISHED = "Nothing is published for this grid: the numbers are ours alone."
_SPEC_DIGITS = 8
"""Of a spec id, as in the name of a run's folder."""
_GROUPING = (
    Column("dataset", "data set", grouping=True, part=Part.LABEL),
    Column("setting", "setting", grouping=True, part=Part.LABEL),
    Column("measure", "measure", grouping=True, part=Part.LABEL),
)
_LABEL = Column("row", "row", part=Part.LABEL)
_SCENARIO = Column("scenario", "scenario", part=Part.LABEL)
_MODEL = Column("model", "model", part=Part.LABEL)
_LM = Column("lm", "LM", part=Part.LABEL)
_PROFILE = Column("profile", "profile", part=Part.LABEL)
_MARKS = Column("marks", "marks", part=Part.CHECK)
_SPEC = Column("spec", "run of", part=Part.CHECK)


def result_table(result: GridResult) -> Table:
    """Lay out the result of a grid."""
    columns = tuple(_columns(result))
    sections = []
    for (dataset, setting, measure), lines in result.sections:
        rows = [_row(line) for line in lines]
        sections.append((f"{dataset}, {setting}: {measure}", rows))
    return make_table(columns, sections, _notes(result))


def _columns(result: GridResult) -> Iterator[Column]:
    lines, grid = result.lines, result.grid
    kind = c.MEASURES[grid.measures[0]].kind
    better = c.MEASURES[grid.measures[0]].better
    yield from (*_GROUPING, _LABEL)
    if len({line.scenario for line in lines}) > 1:
        yield _SCENARIO
    if any(line.profile for line in lines):
        yield _PROFILE
    yield from (_MODEL, _LM, c.N)
    yield Column("ours", "ours [95 %]", kind, better)
    if any(line.ours.std is not None for line in lines):
        yield Column("std", "std of trials", kind)
    if any(line.dataset in result.beside.datasets for line in lines):
        yield Column("published", "published", kind, better)
        yield Column("difference", "difference", kind)
    for dataset in _elsewhere(result):
        yield Column(f"reported_{dataset}", f"reported: {dataset}", kind)
    for name in grid.beside:
        yield Column(f"beside_{name}", name, c.MEASURES[name].kind, c.MEASURES[name].better)
    yield from (_MARKS, _SPEC)


def _elsewhere(result: GridResult) -> list[str]:
    found = {dataset for line in result.lines for dataset in line.elsewhere}
    return [dataset for dataset in result.beside.datasets if dataset in found]


def _row(line: Line) -> dict[str, Cell]:
    return {
        "dataset": line.dataset,
        "setting": line.setting,
        "measure": line.measure,
        "row": line.label,
        "scenario": str(line.scenario),
        "profile": line.profile,
        "model": line.model,
        "lm": "" if line.lm is None else yes_or_no(line.lm),
        "n": line.n,
        "ours": _cell(line.ours),
        "std": line.ours.std,
        "published": line.published,
        "difference": line.difference,
        **{f"reported_{dataset}": value for dataset, value in line.elsewhere.items()},
        **{f"beside_{name}": number.value for name, number in line.others.items()},
        "marks": "; ".join(line.marks),
        "spec": line.spec_id[:_SPEC_DIGITS],
    }


def _cell(number: Number) -> Cell:
    if number.value is None or number.low is None or number.high is None:
        return number.value
    return Measured(number.value, number.low, number.high)


def _notes(result: GridResult) -> Iterator[str]:
    grid, publication = result.grid, result.beside.publication
    if grid.title:
        yield grid.title
    if publication is None:
        yield NO_PUBLISHED
    else:
        conditions = "; ".join(dict.fromkeys(row.conditions for row in result.beside.rows))
        yield f"published: {publication.source}, {grid.table} ({publication.url}): {conditions}"
    for one in result.conditions:
        yield f"differs: {one.what}: published {one.published}, here {one.ours}"
    if any(line.elsewhere for line in result.lines):
        yield OTHER_DATA
    for name, split in result.splits.items():
        yield (
            f"filtered: of {len(split.kept) + len(split.dropped)} questions of {name}, {grid.filter} answers "
            f"{len(split.dropped)} alone by {split.metric}; {len(split.kept)} are kept"
        )
    yield from grid.notes
    if any(line.lm is False for line in result.lines):
        yield NO_LANGUAGE_MODEL
        yield from grid.notes_without_lm
    if any(line.scenario is not Scenario.PRIVATE for line in result.lines):
        yield UTILITY_ONLY
