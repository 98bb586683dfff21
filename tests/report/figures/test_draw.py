"""The files: equal bytes each time, foreign text as text, whatever the user's own settings are."""

from __future__ import annotations

import html
import re
import xml.dom.minidom
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from kgbench.errors import MissingExtra, PrerequisiteMissing, UsageError
from kgbench.report.figures import FORMATS, RunScores, draw
from kgbench.report.figures.draw import FIGURES
from kgbench.report.figures.words import number, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Change = Callable[..., RunScores]

mpl = pytest.importorskip("matplotlib", reason="figures need matplotlib")
ODD = (
    "$x^2$",
    "\\alpha_{1}",
    "_hidden",
    "a <b>&amp; --> -- c",
    "名前 \U0001f512",
    "=1+1",
    "a\nb\u202ec",
    "n" * 300,
    "%s {0}",
)


def digest(path: Path) -> str:
    """Of a file's bytes; comparing the bytes themselves would print them."""
    return sha256(path.read_bytes()).hexdigest()


def texts(figure: bytes) -> str:
    """The texts of an SVG: matplotlib writes them as comments beside the shapes of their letters."""
    document = xml.dom.minidom.parseString(figure)  # noqa: S318 - made a moment ago
    found: list[str] = []

    def walk(node: Any) -> None:
        for child in node.childNodes:
            if child.nodeType == child.COMMENT_NODE:
                found.append(html.unescape(child.data.strip()))
            walk(child)

    walk(document)
    return "\n".join(found)


@pytest.mark.parametrize(("name", "formats"), [("scenarios", FORMATS), *((name, ["svg"]) for name in FIGURES)])
def test_two_drawings_have_equal_bytes(
    name: str, formats: Sequence[str], runs: list[RunScores], tmp_path: Path
) -> None:
    first = draw(name, runs, tmp_path / "a", formats=formats)
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "text.parse_math": True}):
        second = draw(name, runs[::-1], tmp_path / "b", formats=formats)
    assert [path.name for path in first] == [f"{name}.{form}" for form in (*formats, "csv")]
    for one, other in zip(first, second, strict=True):
        assert digest(one) == digest(other), one.name


def test_the_files_are_what_their_names_say(runs: list[RunScores], tmp_path: Path) -> None:
    draw("stages", runs[:1], tmp_path)
    for form, start in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("csv", b"panel,")):
        assert (tmp_path / f"stages.{form}").read_bytes().startswith(start)


def test_no_date_and_no_machine_in_the_files(runs: list[RunScores], tmp_path: Path) -> None:
    for path in draw("scenarios", runs, tmp_path):
        content = path.read_bytes()
        assert not re.search(rb"20[2-9]\d-[01]\d-[0-3]\dT|CreationDate|Matplotlib v", content), path.name


def test_the_picture_says_that_there_is_no_language_model(runs: list[RunScores], tmp_path: Path) -> None:
    draw("scenarios", runs, tmp_path, formats=["svg"])
    found = texts((tmp_path / "scenarios.svg").read_bytes()).splitlines()
    assert "LM: no" in found
    assert "builtin/reader, LM: no" in "\n".join(found)
    assert any("cannot show the price of privacy" in line for line in found)


def test_a_missing_value_is_written_and_a_zero_has_its_0(
    runs: list[RunScores], changed: Change, tmp_path: Path
) -> None:
    absent = changed(runs[1], at={"hits1": {"value": None, "ci": None, "n": 5}})
    zero = changed(runs[0], at={"hits1": {"value": 0.0, "ci": [0.0, 0.0], "n": 5}})
    other = changed(runs[2], at={"hits1": {"value": 0.4, "ci": [0.2, 0.6], "n": 5}}), runs[3]
    draw("scenarios", [zero, absent, *other], tmp_path, formats=["svg"])
    found = texts((tmp_path / "scenarios.svg").read_bytes()).splitlines()
    assert "no value" in found
    assert "0" in found


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in ("width-depth", "abstraction")])
def test_odd_names_are_text_and_harm_nothing(
    name: str, runs: list[RunScores], changed: Change, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    named = [changed(run, method=odd, dataset="$d$ <&>", model="_m") for odd in ODD for run in runs[:2]]
    draw(name, named, tmp_path, formats=["svg"])
    found = "".join(texts((tmp_path / f"{name}.svg").read_bytes()).split())
    assert "$d$<&>" in found
    for odd in ODD:  # a label may be broken into lines, and matplotlib parts two hyphens in its comments
        assert "".join(plain(odd).replace("--", "- -").split()) in found, odd
    assert not re.search(r"(^|,)=1", (tmp_path / f"{name}.csv").read_text(), re.MULTILINE)
    assert [str(one.message) for one in recwarn] == []


def test_a_picture_grows_with_its_legend(
    runs: list[RunScores], changed: Change, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    many = [changed(runs[0], method=f"a method with a long name {number:02}") for number in range(40)]
    heights = []
    for count in (1, 40):
        draw("cost", many[:count], tmp_path, formats=["svg"])
        height = re.search(r'height="([0-9.]+)pt"', (tmp_path / "cost.svg").read_text())
        assert height is not None
        heights.append(float(height[1]))
    assert heights[1] - heights[0] > 15 * 10, "15 rows of three names, with room for letters of 7.5 points"
    assert [str(one.message) for one in recwarn] == [], "matplotlib complains of panels without room"


def test_dollar_signs_are_no_formula(runs: list[RunScores], changed: Change, tmp_path: Path) -> None:
    draw("stages", [changed(runs[0], method="$x$")], tmp_path, formats=["svg"])
    figure = (tmp_path / "stages.svg").read_text()
    found = re.findall(r"<!-- \$x\$ -->(.*?)<!--", figure, re.DOTALL)
    assert [one.count('href="#DejaVuSans') for one in found] == [3, 3], "both signs are drawn, in both panels"
    assert "Oblique" not in figure, "and the letter is none of a formula"


def test_words_and_numbers() -> None:
    assert plain("a\n b\u202e") == "a b"
    assert plain("名") == "\\u540d"
    assert len(plain("x" * 99)) == 44
    assert plain("x" * 99).endswith("…")
    assert [number(value) for value in (0, 0.05, 1.0, 16.14, 999, 22290.525)] == [
        "0",
        "0.05",
        "1",
        "16.1",
        "999",
        "22,291",
    ]


def test_an_unknown_format(runs: list[RunScores], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='there is no format "gif"'):
        draw("stages", runs, tmp_path, formats=["gif"])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be(runs: list[RunScores], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PrerequisiteMissing, match=r"cannot write to .*choose another --out"):
        draw("stages", runs, tmp_path / "file" / "x", formats=["svg"])


def test_without_matplotlib_it_is_said_in_one_line(
    runs: list[RunScores], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(
        MissingExtra, match=r'^kgbench figures needs the extra "figures": pip install "kgbench\[figures\]"$'
    ):
        draw("stages", runs, tmp_path)
