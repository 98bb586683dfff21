"""Run folders that stay, made by the real runner over the canary world and the toy world."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import ModelCard
from kgbench.embed import open_service
from kgbench.llm.retry import RetryPolicy
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.spec import RunSpec
from kgbench.testing import TEST_KEY, Parrot, canary_world
from kgbench.testing.harness import build_method, dataset_of
from kgbench.types import Scenario, Zone

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.testing import CanaryWorld
    from kgbench.types import QuestionRecord

_BLOCK = re.compile(r'<script type="(application/[^"]*)" id="([^"]*)">(.*?)</script>', re.DOTALL)


class LocalParrot(Parrot):
    card = ModelCard(name="parrot", backend="scripted", language_model=False, cacheable=False, zone=Zone.LOCAL)


@dataclass(frozen=True)
class Page:
    """A page read back: its blocks of data, unpacked."""

    html: str
    blocks: dict[str, str]
    """Name -> JSON."""

    @property
    def meta(self) -> dict[str, Any]:
        return json.loads(self.blocks["meta"])

    @property
    def index(self) -> list[dict[str, Any]]:
        return json.loads(self.blocks["index"])

    @property
    def chunks(self) -> list[dict[str, Any]]:
        return [json.loads(text) for name, text in self.blocks.items() if name.startswith("chunk-")]

    @property
    def everything(self) -> str:
        """All bytes of the page, with compressed blocks unpacked and escapes resolved."""
        return "\n".join(
            [self.html, *(json.dumps(json.loads(text), ensure_ascii=False) for text in self.blocks.values())]
        )

    def question(self, number: int) -> dict[str, Any]:
        return next(one for chunk in self.chunks for one in chunk["questions"] if one["number"] == number)

    def text_of(self, number: int) -> str:
        """Everything that the page holds of one question: its row, its traces and the texts that these point into."""
        chunk = next(one for one in self.chunks if any(q["number"] == number for q in one["questions"]))
        row = next(row for row in self.index if row["number"] == number)
        return json.dumps([row, self.question(number), chunk["texts"]], ensure_ascii=False)


def read_page(html: str) -> Page:
    """Read the data of a page."""
    blocks = {}
    for kind, name, data in _BLOCK.findall(html):
        packed = kind == "application/octet-stream"
        blocks[name] = zlib.decompress(base64.b64decode(data)).decode() if packed else data
    return Page(html, blocks)


@pytest.fixture(scope="session")
def world() -> CanaryWorld:
    return canary_world()


@pytest.fixture(scope="session")
def make_canary_run(tmp_path_factory: pytest.TempPathFactory, world: CanaryWorld) -> Callable[..., Path]:
    """Run a method over the canary world with a model that repeats what it sees, and keep the folder."""

    def make(
        method: str,
        scenario: str,
        *,
        records: Sequence[QuestionRecord] | None = None,
        model: Any = None,
        **settings: Any,
    ) -> Path:
        out = tmp_path_factory.mktemp("runs")
        spec = RunSpec(
            **{"method": method, "jobs": 1, "cache": "off", "out": str(out), **settings}, scenario=Scenario(scenario)
        )
        given = Given(
            model=model or Parrot(),
            local_model=LocalParrot(),
            graph=world.graph,
            dataset=dataset_of(world.records if records is None else records),
            method=build_method(method, {}),
            embeddings=open_service("builtin/static"),
            key=TEST_KEY,
            retries=RetryPolicy(retries=0),
        )
        return Path(start(make_plan(spec, given)).path)

    return make


@pytest.fixture(scope="session")
def page_of() -> Callable[..., Page]:
    """Build a page and read it back."""
    from kgbench.report.page import build_page

    def make(*paths: Path, **options: Any) -> Page:
        return read_page(build_page(paths, **options).html)

    return make
