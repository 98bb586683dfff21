"""The arrows between the parts, read off every import, and rules that no linter holds."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {
    "kgbench": ROOT / "kgbench",
    "kgbench_methods": ROOT / "methods" / "kgbench_methods",
    "kgbench_adapters": ROOT / "adapters" / "kgbench_adapters",
    "kgbench_configs": ROOT / "configs" / "kgbench_configs",
}
FOUNDATION = {"types", "text", "errors"}
LAYERS: tuple[set[str], ...] = (
    FOUNDATION,
    {"contracts"},
    {"spec", "config", "registry"},
    {"prompts"},
    {"seam"},
    {"llm", "kg", "embed", "data", "scoring"},
    {"run", "survey"},
    {"privacy"},
    {"report"},
    {"reproduce"},
    {"doctor"},
    {"testing"},
    {"cli"},
    {"__main__"},
)
"""A part imports itself and what stands in the lines above its own; of the parts in its own line only where named here."""
BESIDE = {("text", "types"), ("errors", "types"), ("config", "spec")}
FOR_PLUGINS = {"types", "text", "contracts", "prompts", "errors"}
MOST_LINES = 450
LONGER = {"kgbench.contracts": 600}
"""All contracts stand in one file, to be read in one go."""
HEAVY = {
    "torch",
    "sentence_transformers",
    "litellm",
    "openai",
    "datasets",
    "huggingface_hub",
    "pyarrow",
    "matplotlib",
    "pyoxigraph",
    "model2vec",
    "tokenizers",
    "SPARQLWrapper",
}


class Import(NamedTuple):
    """One import, wherever in a module it stands."""

    module: str
    line: int
    nested: bool
    """True inside a function or under ``TYPE_CHECKING``."""


def modules() -> Iterator[tuple[str, Path]]:
    """Dotted name and path of every module of the distribution."""
    for package, folder in SOURCES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join((package, *(part for part in parts if part != "__init__"))), path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[Import]:
    """Every import of a module, those in functions and for the type checker included."""
    yield from _imports(tree_of(path), nested=False)


def _imports(node: ast.AST, *, nested: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, nested) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: imports name their package in full"
            base = child.module or ""
            yield from (Import(f"{base}.{alias.name}", child.lineno, nested) for alias in child.names)
        inner = nested or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) or _for_types(child)
        yield from _imports(child, nested=inner)


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def part_of(module: str) -> str:
    """The part of the harness that a module belongs to: ``kgbench.llm.cache`` to ``llm``; the package itself to none."""
    return module.split(".")[1] if "." in module else ""


def layer_of(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def test_the_reader_of_imports_sees_all_of_them(tmp_path: Path) -> None:
    """This test has teeth only if nested imports are seen."""
    path = tmp_path / "m.py"
    path.write_text(
        "import a.b\nfrom c import d\nif TYPE_CHECKING:\n    import e\n"
        "class K:\n    def f(self):\n        if 1:\n            from g.h import i\n"
    )
    assert [(found.module, found.nested) for found in imports(path)] == [
        ("a.b", False),
        ("c.d", False),
        ("e", True),
        ("g.h.i", True),
    ]
    assert len(list(modules())) > 100


def test_every_part_of_the_harness_has_its_place() -> None:
    found = {part_of(name) for name, _ in modules() if name.startswith("kgbench.")}
    assert found <= set().union(*LAYERS)


def test_the_harness_keeps_its_arrows() -> None:
    wrong = []
    for name, path in modules():
        own = part_of(name)
        if not name.startswith("kgbench.") or not own:
            continue
        for found in imports(path):
            if not found.module.startswith("kgbench."):
                continue
            other = part_of(found.module)
            if other in (own, "__version__") or (own, other) in BESIDE:
                continue
            if layer_of(other) >= layer_of(own):
                wrong.append(f"{name}, line {found.line}: {own} imports {other}")
    assert wrong == []


def test_the_settings_stand_beside_the_contracts() -> None:
    allowed = {"types", "errors", "contracts", "spec"}
    for name, path in modules():
        if part_of(name) in ("spec", "config", "registry") and name.startswith("kgbench."):
            used = {part_of(found.module) for found in imports(path) if found.module.startswith("kgbench.")}
            assert used <= allowed, name


def test_the_harness_knows_no_method_and_no_adapter() -> None:
    for name, path in modules():
        if name.partition(".")[0] == "kgbench":
            used = {found.module.partition(".")[0] for found in imports(path)}
            assert not used & {"kgbench_methods", "kgbench_adapters"}, name


def test_methods_and_adapters_use_the_contracts_and_their_own_package_alone() -> None:
    wrong = []
    for name, path in modules():
        package = name.partition(".")[0]
        if package not in ("kgbench_methods", "kgbench_adapters"):
            continue
        for found in imports(path):
            top = found.module.partition(".")[0]
            if top == "kgbench" and part_of(found.module) not in FOR_PLUGINS:
                wrong.append(f"{name}, line {found.line}: {found.module}")
            if top.startswith("kgbench_") and top != package:
                wrong.append(f"{name}, line {found.line}: {found.module}")
    assert wrong == []


def test_no_method_imports_another() -> None:
    wrong = []
    for name, path in modules():
        if not name.startswith("kgbench_methods."):
            continue
        own = part_of(name)
        for found in imports(path):
            if found.module.startswith("kgbench_methods.") and part_of(found.module) not in (own, "common"):
                wrong.append(f"{name}, line {found.line}: {found.module}")
    assert wrong == []


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    """An adapter's modules are loaded when it is asked for; everything else is on the way of ``kgbench --help``."""
    wrong = [
        f"{name}, line {found.line}: {found.module}"
        for name, path in modules()
        if not name.startswith("kgbench_adapters.")
        for found in imports(path)
        if found.module.partition(".")[0] in HEAVY and not found.nested
    ]
    assert wrong == []


def test_modules_stay_short() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules()}
    assert {name: length for name, length in lengths.items() if length >= LONGER.get(name, MOST_LINES)} == {}


def test_nothing_prints_but_the_command_line() -> None:
    wrong = [
        f"{name}, line {node.lineno}"
        for name, path in modules()
        if part_of(name) != "cli"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert wrong == []


def test_nothing_is_evaluated_or_unpickled() -> None:
    wrong = []
    for name, path in modules():
        wrong += [f"{name}: {found.module}" for found in imports(path) if _unpickles(found.module)]
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                in_shell = any(keyword.arg == "shell" for keyword in node.keywords)
                if called in ("eval", "exec", "compile", "__import__") or in_shell:
                    wrong.append(f"{name}, line {node.lineno}")
    assert wrong == []


def _unpickles(module: str) -> bool:
    return module.partition(".")[0] in {"pickle", "dill", "marshal", "shelve", "cloudpickle", "joblib"}


MACHINE = tuple(name[::-1] for name in ("krow", "toor", "ved/pmt"))
"""Folders of the machine on which something was written; spelt backwards so that this file does not match itself."""
WORKPLACE = re.compile(rf"(?<![\w.])/(?:{'|'.join(MACHINE)})/|\.\./shared/(?!data)")
TEXT = {".py", ".md", ".toml", ".txt", ".json", ".jsonl", ".tsv", ".cfg", ".yml", ".yaml", ".sh", ""}


def repository_files() -> Iterator[Path]:
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part != ".ci" for part in inside)
        made = any(part in ("__pycache__", "build", "dist", "runs") or part.endswith(".egg-info") for part in inside)
        if path.is_file() and path.suffix in TEXT and not hidden and not made:
            yield path


def test_the_repository_speaks_of_no_machine() -> None:
    wrong = []
    for path in repository_files():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if WORKPLACE.search(line):
                wrong.append(f"{path.relative_to(ROOT)}, line {number}")
    assert wrong == []


@pytest.mark.parametrize("folder", MACHINE)
def test_paths_of_a_machine_are_recognised(folder: str) -> None:
    assert WORKPLACE.search(f"(see /{folder}/x)")
    assert not WORKPLACE.search(f"at {folder}/home, in a/{folder}/, or https://example.org/{folder}/")


def test_folders_of_tests_are_no_packages() -> None:
    """They are imported by path: two tests of one name may stand in two folders."""
    found = [path for path in (ROOT / "tests").rglob("__init__.py") if "plugins" not in path.parts]
    assert found == []
