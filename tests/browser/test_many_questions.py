"""Five thousand questions: what is in the document stays bounded, whatever the list holds."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Browser = Any

MANY = 5_000
BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "page.py"


@pytest.fixture(scope="module")
def large(runs: Callable[..., Path], write: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("many")
    runpy.run_path(str(BENCHMARK))["repeat"](runs("cot"), run, MANY)
    return write(run, packed=True)


def test_the_list_holds_the_rows_in_sight_alone(browser: Browser, large: Path) -> None:
    browser.open(large, "#questions")
    rows, nodes = browser.count("[role=option]"), browser.count("*")
    assert browser.run("return document.querySelector('[role=option]').ariaSetSize") == str(MANY)
    assert rows < 60
    heights = "const l=document.querySelector('#list');"
    for share in (0.25, 0.5, 1):
        browser.run(heights + "l.scrollTop=l.scrollHeight*arguments[0]", share)
        browser.wait(f"Number(document.querySelector('[role=option] .number').textContent) > {int(MANY * share * 0.9)}")
        assert browser.count("[role=option]") < 60
        assert browser.count("*") < 2 * nodes
    assert browser.run("return document.querySelector('[role=option]:last-child .number').textContent") == str(MANY)


def test_filter_search_and_steps_work_at_this_size(browser: Browser, large: Path) -> None:
    browser.open(large, "#questions")
    browser.set("#filter-status", "no_answer")
    assert browser.text("#count") == "5\u202f000 questions"
    browser.set("#search", "#4321")
    assert browser.run("return document.querySelector('[role=option]').ariaSetSize") == "1"
    browser.press("j")
    browser.wait("document.querySelector('#trace-title')?.textContent === 'Question 4321'")
    assert browser.count("[role=option]") == 1
    browser.run("document.querySelector('[type=reset]').click()")
    browser.wait("document.querySelector('#count').textContent.startsWith('5')")
    assert browser.run("return document.querySelector('[aria-selected=true] .number').textContent") == "4321"


def test_traces_are_unpacked_when_looked_at(browser: Browser, large: Path) -> None:
    """The chunks lie in the file as base64; no more than a few are in memory as values."""
    browser.open(large, "#q2500")
    browser.wait("document.querySelector('#trace-title')?.textContent === 'Question 2500'")
    assert browser.count("script[type='application/octet-stream']") > 5
    browser.press("/")
    browser.set("#search", "answer is {unknown}")
    browser.run("document.querySelector('#deep').click()")
    browser.wait("document.querySelector('#count').textContent === '5\\u202f000 questions'")
