from __future__ import annotations

import io
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from kgbench.cli.display import prepare_streams, show_table
from kgbench.cli.progress import LiveBar, PlainLines, ProgressListener
from kgbench.llm.ledger import Ledger
from kgbench.report.ranking import with_ranks
from kgbench.report.table import Column, Kind, Measured, make_table
from kgbench.types import Usage

if TYPE_CHECKING:
    from kgbench.report.table import Table

ODD = ["[/red]", "[bold]x[/bold]", ":smile:", "<b>", "=1+1", "a|b", "Łódź"]


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def drawn(table: Table, columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", str(columns))
    show_table(table)
    return re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue())


def wide_table(rows: int) -> Table:
    columns = [Column("name", "name"), Column("kind", "kind")]
    columns += [Column(f"number{place}", f"number{place}", Kind.SHARE) for place in range(12)]
    row = {"name": "arog", "kind": "private"} | {f"number{place}": 0.1234 + place for place in range(12)}
    return make_table(columns, [("", [row] * rows)])


def test_foreign_text_is_never_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table([Column("x", "x")], [("section [/red]", [{"x": text} for text in ODD])], ["note [/red]"])
    text = drawn(table, 100, monkeypatch)
    assert all(odd in text for odd in ODD)
    assert "section [/red]" in text
    assert "note [/red]" in text


def test_best_is_bold_and_second_underlined(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("name", "name"), Column("score", "score", Kind.SHARE, 1)]
    rows = [{"name": "a", "score": Measured(0.5, 0.25, 0.75)}, {"name": "b", "score": 0.4}, {"name": "c", "score": 0.1}]
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show_table(with_ranks(make_table(columns, [("", rows)]), [["x"] * 3]))
    assert "\x1b[1m0.5000\x1b[0m [0.2500" in terminal.getvalue()
    assert "\x1b[4m0.4000\x1b[0m" in terminal.getvalue()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("columns", [60, 80, 300])
def test_a_narrow_terminal_cuts_no_number(monkeypatch: pytest.MonkeyPatch, columns: int, rows: int) -> None:
    text = drawn(wide_table(rows), columns, monkeypatch)
    assert all(text.count(f" {0.1234 + place:.4f} ") == rows for place in range(12))
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= columns
    pieces = text.count("number0") and sum("┏" in line for line in text.splitlines())
    assert text.count(" arog ") == (rows * pieces if rows > 1 else 1)


def test_a_long_text_is_folded_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = "|".join(f"part{number:02d}" for number in range(30))
    text = drawn(make_table([Column("s", "s")], [("", [{"s": signature}])]), 60, monkeypatch)
    assert "".join(line.strip("│ ") for line in text.splitlines() if line.startswith("│")) == signature


def test_streams_escape_what_they_cannot_say(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    sys.stdout.write("Łódź \ud800\n")
    sys.stdout.flush()
    assert raw.getvalue() == b"\\u0141\\xf3d\\u017a \\ud800\n"


@dataclass
class FakeSpec:
    method: str = "arog"
    out: str = "runs"


@dataclass
class FakePlan:
    """What a listener reads of a plan."""

    spec: FakeSpec = field(default_factory=FakeSpec)
    ledger: Ledger = field(default_factory=lambda: Ledger(lambda _model, usage: usage.calls * 0.5))


def record(status: str = "ok", leaks: int = 0) -> dict[str, Any]:
    return {"status": status, "audit": {"leaks": leaks}, "total": {"logical": {"calls": 3}}}


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_plain_lines_come_when_both_time_and_share_have_passed(capsys: pytest.CaptureFixture[str]) -> None:
    clock, plan = Clock(), FakePlan()
    listener = ProgressListener(PlainLines(clock))
    listener.started(plan, "run-1", 0, 40)  # type: ignore[arg-type]
    plan.ledger.record("answer", "model", billed=Usage(calls=2))
    clock.now += 31
    listener.answered(record(), 1.0)  # 31 s, but 1 of 40
    assert capsys.readouterr().err == "run-1: 40 questions\n"
    listener.answered(record("refused"), None)
    listener.answered(record("privacy_blocked", leaks=2), None)
    listener.answered(record(), 0.0)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["run-1: 4/40  Hits@1 0.250  errors 2  leaks 2  calls 12  1.0000 USD  about 279 s left"]
    clock.now += 29
    for _ in range(30):  # enough questions, but 29 s
        listener.answered(record(), 1.0)
    assert capsys.readouterr().err == ""
    listener.finished("finished")
    assert capsys.readouterr().err.startswith("run-1: finished, 34/40  Hits@1 0.912  errors 2")


def test_an_unknown_price_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    plan = FakePlan(ledger=Ledger(lambda _model, _usage: None))
    plan.ledger.record("answer", "model", billed=Usage(calls=2))
    listener = ProgressListener(PlainLines(Clock()))
    listener.started(plan, "run-1", 3, 4)  # type: ignore[arg-type]
    listener.finished("finished")
    shown = capsys.readouterr().err
    assert "4 questions, 3 of them answered before" in shown
    assert "Hits@1 -  errors 0  leaks 0  calls 0  price unknown" in shown


def test_the_bar_shows_the_running_numbers_and_reads_no_markup() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    listener = ProgressListener(LiveBar(console))
    plan = FakePlan(FakeSpec(method="[/red]odd"))
    for _ in range(2):  # chain of thought first, then the method
        listener.started(plan, "run-1", 1, 3)  # type: ignore[arg-type]
        listener.answered(record(), 1.0)
        listener.finished("finished")
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "[/red]odd" in shown
    assert "2/3" in shown
    assert "Hits@1 1.000  errors 0  leaks 0  calls 3  0.0000 USD" in shown


def test_a_listener_remembers_the_folder_of_a_run_that_failed() -> None:
    listener = ProgressListener(PlainLines(Clock()))
    listener.started(FakePlan(), "run-1", 0, 1)  # type: ignore[arg-type]
    listener.finished("failed")
    assert str(listener.failed) == "runs/run-1"
    listener.started(FakePlan(), "run-2", 0, 1)  # type: ignore[arg-type]
    listener.finished("finished")
    assert listener.failed is None
