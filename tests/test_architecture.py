"""The arrows between packages, read from the imports, and rules that hold for every file."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = (
    {"types", "text", "errors"},
    {"contracts"},
    {"prompts", "spec", "registry"},
    {"config"},
    {"seam"},
    {"llm", "kg", "embed", "data", "scoring"},
    {"run"},
    {"privacy"},
    {"report"},
    {"testing"},
    {"cli"},
)
"""Rooms of the harness from the ground up: each may import what lies below it, and itself."""
SIDE_BY_SIDE = {("llm", "embed"), ("embed", "llm"), ("scoring", "data"), ("kg", "data")}
METHODS_MAY = {"types", "text", "contracts", "prompts", "errors"}
LONGEST_MODULE = 450
ONE_ROOM = {"kgbench/contracts.py"}
"""The contracts stand in one file, so that an author reads one file."""
PACKAGES = ("kgbench", "methods/kgbench_methods", "adapters/kgbench_adapters", "configs/kgbench_configs")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, inside functions and for type checking too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner if node.module == "kgbench" else {node.module or ""}
    return found


def room(module: str) -> str | None:
    """The part of the harness that a module belongs to; None for the package itself and for others."""
    parts = module.split(".")
    return parts[1] if parts[0] == "kgbench" and len(parts) > 1 and not parts[1].startswith("__") else None


def layer(name: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if name in names)


@pytest.mark.parametrize("path", [path for path in FILES if path.is_relative_to(ROOT / "kgbench")], ids=str)
def test_the_harness_imports_downwards_only(path: Path) -> None:
    parts = path.relative_to(ROOT / "kgbench").with_suffix("").parts
    here = parts[0]
    if here.startswith("__"):
        return
    for module in imported(path):
        assert not module.startswith(("kgbench_methods", "kgbench_adapters")), f"{path} knows a method or an adapter"
        there = room(module)
        if there is None or there == here:
            continue
        below = layer(there) < layer(here)
        assert below or (here, there) in SIDE_BY_SIDE, f"{here} imports {there} ({module}): that arrow points upwards"


@pytest.mark.parametrize(
    "path", [path for path in FILES if "kgbench_methods" in path.parts or "kgbench_adapters" in path.parts], ids=str
)
def test_methods_and_adapters_see_contracts_only_and_never_one_another(path: Path) -> None:
    package = next(part for part in ("kgbench_methods", "kgbench_adapters") if part in path.parts)
    own = path.parts[path.parts.index(package) + 1]
    for module in imported(path):
        parts = module.split(".")
        if parts[0] == "kgbench":
            assert room(module) in METHODS_MAY, f"{path} reaches into kgbench.{room(module)}"
        elif parts[0] == "kgbench_methods":
            assert package == "kgbench_methods" and parts[1] in {own, "common"}, f"{path} imports method {module}"
        elif parts[0] == "kgbench_adapters":
            assert package == "kgbench_adapters", f"{path} imports an adapter"


def test_modules_stay_short() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in FILES}
    long = {name: count for name, count in lines.items() if count > LONGEST_MODULE and name not in ONE_ROOM}
    assert not long, f"a room that holds two ideas? {long}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_foreign_text_is_evaluated_and_only_displays_write_out(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec"}, f"{path}:{node.lineno}"
            assert node.func.id != "print" or "cli" in path.parts, f"{path}:{node.lineno} prints"
    assert not imported(path) & {"pickle", "marshal", "shelve"}, path


def test_help_imports_nothing_heavy() -> None:
    heavy = "litellm openai torch datasets matplotlib pyoxigraph sentence_transformers model2vec SPARQLWrapper".split()
    script = (
        "import sys\nfrom kgbench.cli.app import app\nfrom typer.testing import CliRunner\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print(*(name for name in {heavy!r} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    workplace = re.compile(r"(?<![\w.])/(?:work|farm|root)/|\.library\b|\bissue \d+\b", re.IGNORECASE)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt"} and path.is_file() and path != Path(__file__):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                assert not workplace.search(line), f"{name}:{number}: {line.strip()[:100]}"
