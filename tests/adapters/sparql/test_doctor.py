"""What ``kgbench doctor`` finds at real servers; here, since one server of a make serves all tests of this folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from typer.testing import CliRunner

from kgbench.cli.app import app
from kgbench.data.demo import demo_folder
from kgbench_adapters.files import ReadReport
from kgbench_adapters.oxigraph.opening import open_location

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def demo_dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's graph as N-Triples."""
    opened = open_location(str(demo_folder()), None, None, ReadReport())
    path = tmp_path_factory.mktemp("dump") / "demo.nt"
    opened.store.dump(str(path), format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    return path


@pytest.mark.parametrize(
    ("fixture", "product", "cap"), [("oxigraph_server", "oxigraph", None), ("virtuoso_server", "Virtuoso", 2_000)]
)
def test_a_real_server_in_order(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    demo_dump: Path,
    fixture: str,
    product: str,
    cap: int | None,
) -> None:
    address = request.getfixturevalue(fixture)(demo_dump)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KGBENCH_KEY", "5c" * 32)
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path / "cache"))
    arguments = ["doctor", "--kg", address, "--set", f'kg.schema="{demo_folder()}"', "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.stdout
    rows = {row["check"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["server"]["facts"]["product"] == product
    assert rows["server"]["facts"]["row_cap"] == cap
    assert rows["topics"]["facts"]["share"] == rows["answers"]["facts"]["share"] == 1.0
    assert rows["queries"]["state"] == "ok"
