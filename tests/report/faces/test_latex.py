from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from odd_tables import COLUMNS, NAME, SCORE, odd_table, tables, texts

from kgbench.report.faces import Face, read, to_latex
from kgbench.report.faces.latex_text import _PUNCTUATION, _UNSET, escape_latex, unescape_latex
from kgbench.report.table import Column, Kind, Table, make_table
from kgbench.seam.render import one_line

if TYPE_CHECKING:
    from pathlib import Path

PASSED = [chr(code) for code in range(0xA1, 0x17F) if chr(code) not in _UNSET and chr(code).isprintable()]
_PROGRAM = shutil.which("pdflatex")
compiled = pytest.mark.skipif(_PROGRAM is None, reason="no pdflatex (apt install texlive-latex-recommended)")


def compile_latex(folder: Path, text: str) -> str:
    """Compile a document and return the log."""
    (folder / "board.tex").write_text(text, encoding="utf-8")
    command = [str(_PROGRAM), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "board.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=150, check=False)
    log = (folder / "board.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    return log


@given(texts)
def test_a_text_survives_both_ways(text: str) -> None:
    for breaks in (False, True):
        assert unescape_latex(escape_latex(text, breaks=breaks)) == one_line(text)


@given(texts)
def test_no_special_character_is_left(text: str) -> None:
    escaped = escape_latex(text, breaks=True)
    rest = re.sub(r"\\[a-z]+(\{[0-9A-F]*\})?|\\[{}$&#_%]|\{[\[\]*]\}|[-,]\{\}", " ", escaped)
    assert not re.search(r"[\\{}$&#^_~%\"'`<>|*\[\]]|--|,,", rest)


def test_what_pdflatex_cannot_set_shows_its_code_point() -> None:
    assert escape_latex("日Ħé") == r"\kgbenchchar{65E5}\kgbenchchar{0126}é"


@pytest.mark.parametrize("rows", [0, 1, 43, 44, 45, 130])
def test_long_tables_are_cut_and_read_back_whole(rows: int) -> None:
    table = make_table((NAME, SCORE), [("long", [{"name": f"row {n}", "score": 0.5} for n in range(rows)])])
    text = to_latex(table)
    assert read(text, Face.LATEX, COLUMNS) == table
    assert text.count(r"\begin{table}") == max(1, -(-rows // 44))


def test_a_wide_table_is_cut_between_columns_and_its_rows_are_numbered() -> None:
    columns = [NAME, *(Column(f"c{n}", f"column number {n}", Kind.SHARE, 1) for n in range(20))]
    rows = [{"name": f"row {n}", **{f"c{place}": place / 20 for place in range(20)}} for n in range(3)]
    table = make_table(columns, [("wide", rows)])
    text = to_latex(table)
    assert text.count(r"\begin{tabular}{rl") == text.count(r"\begin{tabular}") > 2
    assert read(text, Face.LATEX, columns) == table


def test_signatures_stand_beneath_and_not_in_the_table() -> None:
    table = make_table(COLUMNS, [("t", [{"name": "x", "signature": "hits1@1|demo/plain|" + "long" * 40}])])
    inside, beneath = to_latex(table).split(r"\end{table}")
    assert "long" not in inside
    assert r"\textbar{}\allowbreak{}demo/\allowbreak{}plain" in beneath


def test_a_fragment_says_its_packages_and_a_document_loads_them() -> None:
    table = make_table((NAME,), [("t", [])])
    fragment, document = to_latex(table), to_latex(table, standalone=True)
    assert r"\documentclass" not in fragment
    packages = re.findall(r"%   (\\usepackage\S+)", fragment)
    assert r"\usepackage{booktabs}" in packages
    assert all(package in document.split(r"\begin{document}")[0] for package in packages)


@compiled
def test_every_character_that_passes_is_set(tmp_path: Path) -> None:
    passed = [*PASSED, *sorted(_PUNCTUATION), *map(chr, range(0x21, 0x7F))]
    assert all(escape_latex(char) == char for char in [*PASSED, *_PUNCTUATION])
    table = make_table((NAME,), [("t", [{"name": " ".join(passed[n : n + 12])} for n in range(0, len(passed), 12)])])
    log = compile_latex(tmp_path, to_latex(table, standalone=True))
    assert "Missing character" not in log


@compiled
def test_odd_texts_compile_and_nothing_sticks_out(tmp_path: Path) -> None:
    log = compile_latex(tmp_path, to_latex(odd_table(), standalone=True))
    assert "Overfull" not in log
    assert "Float too large" not in log


@compiled
def test_a_fragment_compiles_in_a_narrow_column(tmp_path: Path) -> None:
    fragment = to_latex(odd_table())
    (tmp_path / "fragment.tex").write_text(fragment, encoding="utf-8")
    packages = "\n".join(re.findall(r"%   (\\usepackage\S+)", fragment))
    inner = "\\begin{document}\nText.\\input{fragment}\\input{fragment}\\listoftables\n\\end{document}\n"
    compile_latex(tmp_path, f"\\documentclass[twocolumn]{{article}}\n{packages}\n{inner}")


@given(tables())
def test_lines_have_as_many_cells_as_their_head(table: Table) -> None:
    for tabular in re.findall(r"\\begin\{tabular\}\{([lr]*)\}(.*?)\\end\{tabular\}", to_latex(table), re.DOTALL):
        lines = [line for line in tabular[1].splitlines() if line.endswith(r"\\")]
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {len(tabular[0])}
