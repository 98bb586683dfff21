"""The reader of TSV files and the files of a graph folder."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from kgbench.errors import DataError, PrerequisiteMissing
from kgbench.types import Literal
from kgbench_adapters.files import ReadReport, digest_of, read_rows
from kgbench_adapters.folder import Fact, GraphFolder, Listed, RelationRow, Settings, Typed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeFolder = Callable[..., Path]


def rows_of(path: Path, report: ReadReport) -> list[tuple[int, list[str]]]:
    return list(read_rows(path, "triples", range(3, 4), report))


def test_good_lines_are_read_whatever_ends_them(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_bytes("\ufeffa\tr\tb\r\n\nc\tr\u2028x\td\ne\tr\tf".encode())
    report = ReadReport(strict=True)
    assert rows_of(path, report) == [(1, ["a", "r", "b"]), (3, ["c", "r\u2028x", "d"]), (4, ["e", "r", "f"])]


def test_bad_lines_are_skipped_and_named_without_their_content(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_bytes(b"secret\tr\na\tr\tb\n\tr\tb\na\xff\tr\tb\na\tr\tb\tc\n")
    report = ReadReport()
    assert [number for number, _ in rows_of(path, report)] == [2]
    assert report.skipped_count == 4
    assert [(entry.file, entry.line) for entry in report.skipped] == [("triples.tsv", line) for line in (1, 3, 4, 5)]
    assert [entry.reason.split(" (")[0] for entry in report.skipped] == [
        "2 fields in place of 3",
        "empty id",
        "not UTF-8",
        "4 fields in place of 3",
    ]
    (warning,) = report.all_warnings()
    assert warning.startswith("skipped 4 bad lines of the graph's files, the first: triples.tsv, line 1: 2 fields")
    assert "secret" not in warning


def test_strict_reading_stops_at_the_first_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_text("a\tr\tb\na\tr\n")
    with pytest.raises(DataError, match=r"^triples\.tsv, line 2: 2 fields in place of 3"):
        rows_of(path, ReadReport(strict=True))


def test_a_report_holds_the_first_hundred_and_counts_all(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_text("bad\n" * 250)
    report = ReadReport()
    assert rows_of(path, report) == []
    assert (report.skipped_count, len(report.skipped)) == (250, 100)


def test_an_empty_file_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.touch()
    report = ReadReport(strict=True)
    assert rows_of(path, report) == []
    assert report.all_warnings() == ["triples.tsv is empty"]


@pytest.mark.parametrize(
    "content", [b"no gzip at all", gzip.compress(b"a\tr\tb\n" * 9999)[:60], b"\x1f\x8b\x08\x00bad"]
)
def test_a_damaged_gzip_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "triples.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"triples\.tsv\.gz cannot be"):
        rows_of(path, ReadReport())


def test_the_fingerprint_is_that_of_the_content_alone(tmp_path: Path) -> None:
    content = b"a\tr\tb\nbad\n"
    prints = []
    for name in ("one.tsv", "two.tsv.gz"):
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        report = ReadReport()
        rows_of(tmp_path / name, report)
        assert report.digests["triples"] == digest_of(tmp_path / name)
        prints.append(report.fingerprint)
    assert prints[0] == prints[1]
    (tmp_path / "one.tsv").write_bytes(content + b"c\tr\tb\n")
    report = ReadReport()
    rows_of(tmp_path / "one.tsv", report)
    assert report.fingerprint != prints[0]


def test_the_rows_of_a_folder(graph_folder: MakeFolder) -> None:
    folder = graph_folder(
        triples=[r"a\tb	r\n1	c", 'a\tr\t"x\\ty\\\\n"@EN', 'a\tr\t"Blue" Ann\\tx', "a\t\tb", "a\tr\t"],
        entities=["a", "b\tBe", "c\t", "d\tDe | no alias\tOne| |Two", "e\tE\t\tx", r"f	F\nG	"],
        types=["a\tx.y|z", "b\t", "c"],
        relations=["range\trelation\tnote\tinverse", "t\tr\tn\t-r", "t\tr"],
    )
    found, report = GraphFolder.find(folder), ReadReport()
    assert list(found.facts(report)) == [
        Fact("a\tb", "r\n1", "c", 1),
        Fact("a", "r", Literal("x\ty\\n", "", "en"), 2),
        Fact("a", "r", '"Blue" Ann\tx', 3),
    ]
    assert list(found.entities(report)) == [
        Listed("b", "Be", (), 2),
        Listed("c", "", (), 3),
        Listed("d", "De | no alias", ("One", "Two"), 4),
        Listed("f", "F\nG", (), 6),
    ]
    assert list(found.types(report)) == [Typed("a", ("x.y", "z"), 1), Typed("b", (), 2)]
    assert list(found.relations(report)) == [RelationRow("r", "-r", "", "t", 2)]
    assert [(entry.file, entry.line) for entry in report.skipped] == [
        ("triples.tsv", 4),
        ("triples.tsv", 5),
        ("entities.tsv", 1),
        ("entities.tsv", 5),
        ("types.tsv", 3),
        ("relations.tsv", 3),
    ]


def test_a_relation_table_needs_its_header(graph_folder: MakeFolder) -> None:
    folder = GraphFolder.find(graph_folder(triples="", relations=["r\t\td\tr"]))
    with pytest.raises(DataError, match=r"relations\.tsv, line 1: a header"):
        list(folder.relations(ReadReport()))


def test_a_folder_without_triples_is_an_error_that_says_what_belongs_there(graph_folder: MakeFolder) -> None:
    folder = graph_folder(entities="a\tA\n")
    with pytest.raises(PrerequisiteMissing, match=r"neither triples\.tsv nor triples\.tsv\.gz is there"):
        GraphFolder.find(folder)
    (folder / "small.triples.tsv").touch()
    with pytest.raises(PrerequisiteMissing, match=r"there are small\.triples\.tsv: give the path of one"):
        GraphFolder.find(folder)


def test_companions_of_a_triples_file_share_its_prefix(tmp_path: Path) -> None:
    for name in ("one.triples.tsv", "one.entities.tsv.gz", "entities.tsv"):
        (tmp_path / name).touch()
    found = GraphFolder.find(tmp_path / "one.triples.tsv")
    assert found.name == "one"
    assert {role: path.name for role, path in found.files.items()} == {
        "triples": "one.triples.tsv",
        "entities": "one.entities.tsv.gz",
    }


def test_a_file_both_plain_and_packed_is_an_error(tmp_path: Path) -> None:
    for name in ("triples.tsv", "triples.tsv.gz"):
        (tmp_path / name).touch()
    with pytest.raises(DataError, match=r"both triples\.tsv and triples\.tsv\.gz"):
        GraphFolder.find(tmp_path)


def test_settings(graph_folder: MakeFolder) -> None:
    toml = 'name = "n"\nprofile = "plain"\nmediator_classes = ["a.b"]\nunlisted_are_mediators = false\n'
    folder = GraphFolder.find(graph_folder(triples="", toml=toml))
    assert folder.settings(ReadReport()) == Settings("n", "plain", ("a.b",), False)
    assert GraphFolder.find(graph_folder(triples="")).settings(ReadReport()) == Settings()


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("name = ", "not valid TOML"),
        ("nam = 1", 'unknown key "nam"; known are: name, profile'),
        ("name = 1", '"name" must be a str'),
        ("mediator_classes = [1]", "must be a list of class labels"),
    ],
)
def test_faulty_settings_are_named(graph_folder: MakeFolder, toml: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        GraphFolder.find(graph_folder(triples="", toml=toml)).settings(ReadReport())
