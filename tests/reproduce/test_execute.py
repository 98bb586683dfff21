"""Working off a grid: what is there is used, what was begun goes on, one failure or one budget is no end of it all."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from grid_desk import KNOWN, TWO_ROWS, Heard, knows_one, model, opened, run, surveyed, toy

from kgbench.errors import FatalModelError, ModelUnavailable, PrerequisiteMissing, RunStopped, UsageError
from kgbench.reproduce.opening import Opened
from kgbench.reproduce.shelf import standing_of
from kgbench.run import plan as planning
from kgbench.run.store import CALLS, RECORDS, RunFolder
from kgbench.testing import OTHER_KEY

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import ModelRequest
    from kgbench.testing import ScriptedModel

THREE_ROWS = """
[[row]]
preset = "io-official"
[[row]]
preset = "cot-sc-official"
[[row]]
preset = "cot-official"
"""


def fails_for(words: str, error: type[Exception] = FatalModelError) -> ScriptedModel:
    """A model that ends the run when a prompt holds some words."""

    def reply(request: ModelRequest) -> str:
        if request.n > 1:
            raise error(words)
        return knows_one(request)

    return model(reply)


def test_two_rows_that_are_one_run_are_run_once() -> None:
    text = TWO_ROWS + '[[row]]\nlabel = "io again"\nmethod = { name = "io", profile = "official", max_tokens = 256 }\n'
    answering = model()
    done, result = run(text, opened(answering))
    assert len(done.runs) == 2
    assert answering.calls == 6
    assert [line.label for line in result.lines] == ["io-official", "cot-official", "io again"]
    assert result.lines[0].spec_id == result.lines[2].spec_id != result.lines[1].spec_id


def test_what_is_finished_is_not_asked_again_not_even_by_another_grid() -> None:
    first = model()
    run(TWO_ROWS, opened(first))
    second, listener = model(), Heard()
    done, result = run(THREE_ROWS, opened(second), listener)
    assert len(done.runs) == 3
    assert {request.n for request in second.requests} <= {1, 6}
    assert [line for line in listener.lines if "begins" in line] == ["cot-sc begins, 0/3"]
    assert all(line.ours.value is not None for line in result.lines)


def test_a_run_by_another_key_is_another_run() -> None:
    run(TWO_ROWS, opened())
    parts = opened()
    parts.given = replace(parts.given, key=OTHER_KEY)
    assert [job.standing for job in surveyed(TWO_ROWS, parts).jobs] == [None, None]


def test_an_interrupted_grid_says_how_to_go_on_and_goes_on() -> None:
    interrupted, listener = model(), Heard(interrupt_at=4)
    with pytest.raises(RunStopped, match=r"stopped; 1 of 2 runs are finished.* Go on with the same command\."):
        run(TWO_ROWS, opened(interrupted), listener)
    assert listener.lines[-2:] == ["stopped", "over"]
    rest, listener = model(), Heard()
    done, result = run(TWO_ROWS, opened(rest), listener)
    assert listener.lines == ["grid of 2", "cot begins, 1/3", "finished", "over"]
    assert interrupted.calls + rest.calls == 6
    assert all(standing_of(path).finished for path in done.runs.values())
    assert [line.n for line in result.lines] == [3, 3]


def test_a_run_that_ended_as_the_grid_was_stopped_is_counted() -> None:
    class Impatient(Heard):
        def finished(self, status: str) -> None:
            raise KeyboardInterrupt

    with pytest.raises(RunStopped, match=r"stopped; 1 of 2 runs are finished"):
        run(TWO_ROWS, opened(), Impatient())


def test_leaks_of_an_earlier_start_stand_with_its_run() -> None:
    done, _ = run(TWO_ROWS, opened())
    path = next(iter(done.runs.values()))
    assert standing_of(path).leaks == 0
    lines = (path / RECORDS).read_text(encoding="utf-8").splitlines()
    changed = json.loads(lines[0])
    changed["audit"]["leaks"] = 2
    (path / RECORDS).write_text("\n".join([json.dumps(changed), *lines[1:]]) + "\n", encoding="utf-8")
    assert standing_of(path).leaks == 2


def test_questions_that_the_server_failed_are_asked_again_by_the_same_command() -> None:
    def down(request: ModelRequest) -> str:
        if "At which employer" in request.messages[-1]["content"]:
            raise ModelUnavailable("the server is down")
        return knows_one(request)

    _, result = run(TWO_ROWS, opened(model(down)))
    assert [line.marks for line in result.lines] == [("33.3% errors",), ("33.3% errors",)]
    again, listener = model(), Heard()
    _, result = run(TWO_ROWS, opened(again), listener)
    assert [line for line in listener.lines if "begins" in line] == ["io begins, 2/3", "cot begins, 2/3"]
    assert again.calls == 2
    assert [line.marks for line in result.lines] == [(), ()]


def test_a_run_that_fails_stops_no_other() -> None:
    listener = Heard()
    done, result = run(THREE_ROWS, opened(fails_for("the disk is full", PrerequisiteMissing)), listener)
    failed = [line for line in result.lines if line.label == "cot-sc-official"]
    assert list(done.failed.values()) == ["the disk is full"]
    assert failed[0].marks[0] == "failed: the disk is full"
    assert [line.ours.value for line in result.lines] == [pytest.approx(1 / 3), 0.0, pytest.approx(1 / 3)]
    assert "3 of 3 open, counted as misses" in failed[0].marks
    assert "left out cot-sc-official: the disk is full" in listener.lines
    assert result.troubles == {"cot-sc-official, private, toy": "failed: the disk is full"}


def test_a_model_that_cannot_be_used_ends_the_rest() -> None:
    done, result = run(THREE_ROWS, opened(fails_for("wrong key")))
    assert list(done.failed.values()) == ["wrong key"]
    assert list(done.unstarted.values()) == ["the model cannot be used"]
    assert result.lines[2].marks == ("not run: the model cannot be used",)
    assert result.lines[2].ours.value is None


def test_a_wrong_parameter_is_named_with_its_row_before_anything_is_asked() -> None:
    answering = model()
    with pytest.raises(UsageError, match=r'method "io" has no parameter "widht".* \(own\.toml: row 3, io\)'):
        run(TWO_ROWS + '[[row]]\nmethod = { name = "io", widht = 3 }', opened(answering))
    assert answering.calls == 0


def test_an_unknown_method_is_an_error_and_an_optional_one_a_line() -> None:
    row = '[[row]]\nmethod = { name = "kb-bindr" }\n'
    with pytest.raises(UsageError, match=r'there is no method "kb-bindr".* \(own\.toml: row 1, kb-bindr\)'):
        run(row, opened())
    _, result = run(TWO_ROWS + row + "optional = true", opened())
    assert result.lines[2].marks == ("not in this version",)
    with pytest.raises(UsageError, match="none of the rows can be run"):
        run("[[row]]\noptional = true\n" + 'method = { name = "kb-bindr" }\n', opened())


# --- one budget over all runs ----------------------------------------------------------------------------------------------


def cost_of(done_runs: list[Path]) -> float:
    return sum(standing_of(path).usd or 0.0 for path in done_runs)


def test_one_budget_holds_for_all_runs_and_a_higher_one_goes_on() -> None:
    whole, _ = run(THREE_ROWS, opened(), out="whole")
    price = cost_of(list(whole.runs.values()))
    spent = model()
    done, result = run(THREE_ROWS, opened(spent), budget=price / 2)
    assert price / 2 <= cost_of(list(done.runs.values())) < price
    assert "the budget is spent" in done.unstarted.values()
    assert any("open, counted as misses" in mark or "not run" in mark for line in result.lines for mark in line.marks)
    again = model()
    run(THREE_ROWS, opened(again), budget=price / 2)
    assert again.calls == 0  # what earlier starts have cost counts
    rest = model()
    done, result = run(THREE_ROWS, opened(rest), budget=price * 2)
    assert not done.unstarted
    assert cost_of(list(done.runs.values())) == pytest.approx(price)
    assert all(line.marks == () for line in result.lines)


def test_the_cost_of_calls_whose_question_was_interrupted_counts() -> None:
    done, _ = run(TWO_ROWS, opened())
    (path, *_) = done.runs.values()
    whole = standing_of(path).usd
    folder = RunFolder(path)
    kept = list(folder.lines(RECORDS))[:1]
    folder.write_lines(RECORDS, kept)
    folder.write_manifest({**folder.manifest(), "status": "started"})
    assert whole is not None
    assert standing_of(path).usd == pytest.approx(whole)
    assert (standing_of(path).answered, standing_of(path).finished) == (1, False)
    assert len(list(folder.lines(CALLS))) == 3


# --- parts are opened once -------------------------------------------------------------------------------------------------


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often planning opened what."""
    counts: Counter[str] = Counter()
    names = {"open_dataset": "data", "open_service": "embedder", "open_model": "model", "open_source": "graph"}
    for name, counted in names.items():
        original = getattr(planning, name)

        def counting(*args: object, _original: Any = original, _counted: str = counted, **keywords: object) -> object:
            counts[_counted] += 1
            return _original(*args, **keywords)

        monkeypatch.setattr(planning, name, counting)
    return counts


def test_graph_data_and_embedder_are_opened_once_for_all_runs(openings: Counter[str]) -> None:
    text = TWO_ROWS + '[[row]]\npreset = "arog-paper"\n'
    done, _ = run(text, Opened(), limit=1)
    assert len(done.runs) == 3
    assert openings == {"graph": 1, "data": 1, "embedder": 1, "model": 1}


def test_two_choices_of_questions_are_runs_of_their_own_over_one_file(openings: Counter[str]) -> None:
    text = '[[dataset]]\nname = "demo"\nlimit = 2\n[[dataset]]\nname = "demo"\nwhere = "hops=2"\nlimit = 1\n' + TWO_ROWS
    _, result = run(text, Opened())
    assert [(line.label, line.n) for line in result.lines] == [
        ("io-official", 2),
        ("cot-official", 2),
        ("io-official", 1),
        ("cot-official", 1),
    ]
    assert openings == {"graph": 1, "data": 1, "embedder": 1, "model": 1}


def test_the_first_trial_of_chain_of_thought_decides_the_split() -> None:
    """A server that changes its mind moves the row's score, not the split."""
    asked: list[str] = []

    def fickle(request: ModelRequest) -> str:
        text = request.messages[-1]["content"]
        asked.append(text)
        return knows_one(request) if asked.count(text) == 1 else "{Brenka Moll | Tamsin Orrel | Ashgrove Works}"

    text = '[grid]\nmeasures = ["tog_loose_arog"]\nsettings = ["total", "filtered"]\nfilter = "cot-official"\n'
    text += '[[row]]\npreset = "cot-official"\n'
    _, result = run(text, opened(model(fickle), toy()), trials=2)
    split = result.splits["toy"]
    assert (split.dropped, len(split.kept)) == ((KNOWN,), 2)
    total, filtered = result.lines
    assert (total.n, filtered.n) == (3, 2)
    assert filtered.ours.value is not None
    assert 0 < filtered.ours.value < 1  # drift, shown and not hidden
    assert filtered.ours.std is not None
