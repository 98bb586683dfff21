"""Grids of the toy world, made of text, and run with a model that a test scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgbench.contracts import ModelCard
from kgbench.data.records import Dataset, LoadReport
from kgbench.llm.retry import RetryPolicy
from kgbench.reproduce.execute import Execution
from kgbench.reproduce.execute import Outcome as Done
from kgbench.reproduce.grid_file import parse_grid
from kgbench.reproduce.jobs import Survey, survey
from kgbench.reproduce.opening import Opened
from kgbench.reproduce.result import GridResult, results
from kgbench.run.plan import Given
from kgbench.testing import TEST_KEY, ScriptedModel, toy_graph, toy_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kgbench.contracts import ChatModel, ModelRequest
    from kgbench.reproduce.grid import Grid
    from kgbench.reproduce.jobs import Job
    from kgbench.run.plan import Plan
    from kgbench.types import JsonObject

PRICED = "openai/gpt-4o-mini-2024-07-18"
KNOWN = "forward mediator"
"""The question whose answer ``knows_one`` knows without the graph."""
QUESTIONS = (KNOWN, "backward mediator", "homonyms")
TWO_ROWS = """
[[row]]
preset = "io-official"
[[row]]
preset = "cot-official"
"""


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str


def knows_one(request: ModelRequest) -> str:
    """Know where Brenka Moll works, and nothing else."""
    asked = request.messages[-1]["content"]
    return "{Ashgrove Works}" if "At which employer does Brenka Moll" in asked else "{unknown}"


def model(reply: Callable[[ModelRequest], str] = knows_one, name: str = PRICED) -> ScriptedModel:
    """A scripted language model with a price."""
    return ScriptedModel(reply, ModelCard(name=name, backend="scripted"))


def toy(name: str = "toy", questions: Sequence[str] = QUESTIONS) -> Dataset:
    """Questions of the toy world under a name."""
    records = tuple(toy_records(*questions))
    return Dataset(name, records, LoadReport("toy", "0" * 64, len(records), len(records)))


def opened(answering: ChatModel | None = None, dataset: Dataset | None = None, **parts: Any) -> Opened:
    """The toy world, ready for a grid."""
    given = Given(
        model=answering or model(),
        graph=toy_graph(),
        dataset=dataset or toy(),
        key=TEST_KEY,
        retries=RetryPolicy(retries=0),
        **parts,
    )
    return Opened(given=given)


def grid(text: str, name: str = "own") -> Grid:
    """A grid from the text of its file."""
    return parse_grid(text, name, f"{name}.toml")


@dataclass
class Heard:
    """A listener that keeps what it hears."""

    lines: list[str] = field(default_factory=list)
    interrupt_at: int | None = None
    """Press Ctrl-C when this many questions have been answered."""
    _answered: int = 0

    def grid_started(self, jobs: Sequence[Job], budget: float | None) -> None:
        """Keep it."""
        self.lines.append(f"grid of {len(jobs)}")

    def started(self, plan: Plan, run_id: str, done: int, total: int) -> None:
        """Keep it."""
        self.lines.append(f"{plan.spec.method} begins, {done}/{total}")

    def answered(self, record: JsonObject, hit: float | None) -> None:
        """Count it, and press Ctrl-C where it is time."""
        self._answered += 1
        if self._answered == self.interrupt_at:
            raise KeyboardInterrupt

    def finished(self, status: str) -> None:
        """Keep it."""
        self.lines.append(status)

    def left_out(self, job: Job, reason: str) -> None:
        """Keep it."""
        self.lines.append(f"left out {job.label}: {reason}")

    def grid_finished(self) -> None:
        """Keep it."""
        self.lines.append("over")


def surveyed(text: str, parts: Opened, **options: Any) -> Survey:
    """The runs of a grid, one question at a time and without a cache."""
    return survey([grid(text)], {"jobs": 1, "cache": "off", **options}, parts)


def run(text: str, parts: Opened, listener: Heard | None = None, **options: Any) -> tuple[Done, GridResult]:
    """Run a grid and return what became of it."""
    found = surveyed(text, parts, **options)
    done = Execution(found.jobs, parts, listener or Heard(), options.get("budget")).run()
    (result,) = results(found, done)
    return done, result


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a result but the one that names folders."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.name != "runs.json"}
