"""One failing check never stops the others, and nothing secret is shown."""

from __future__ import annotations

import json
import threading
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from doctor_desk import folder_graph, graph_with, jsonl, questions, rows_of

from kgbench import registry
from kgbench.cli.doctoring import doctor as doctor_command
from kgbench.cli.running import run as run_command
from kgbench.doctor import disk, extras
from kgbench.doctor.examine import CHECKS, Check, examine, exit_code
from kgbench.doctor.rows import CheckRow, State, ok
from kgbench.doctor.secrets import Secrets
from kgbench.errors import UsageError
from kgbench.run.plan import Given
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.testing.harness import dataset_of
from kgbench.testing.toy import toy_graph, toy_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from kgbench.doctor.case import Case

    Doctor = Callable[..., Any]

STATES = {"ok", "warning", "failed", "not checked"}


def test_the_demo_is_in_order(doctor: Doctor) -> None:
    done = doctor()
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[-2] == "15 rows: 15 ok"
    assert all(line.startswith("ok  ") for line in lines[:15])
    assert "not a language model" in done.out
    assert "107 of 107 topic entities are in the graph (100.0%)" in done.out


def test_nothing_is_left_behind(doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_KEY")
    before = sorted(tmp_path.rglob("*"))
    done = doctor()
    assert "none yet; the first run makes one" in done.out
    assert (done.code, sorted(tmp_path.rglob("*"))) == (0, before)


def test_json_has_every_row(doctor: Doctor) -> None:
    done = doctor("--json", "--dataset", "jsonl:nowhere.jsonl")
    content = json.loads(done.out)
    assert (done.code, content["exit_code"], content["ok"]) == (3, 3, False)
    assert sum(content["counts"].values()) == len(content["rows"])
    assert list(content["counts"]) == ["ok", "warning", "failed", "not checked"]
    for row in content["rows"]:
        assert set(row) == {"check", "state", "found", "next", "facts"}
        assert row["state"] in STATES
    states = {row["check"]: row["state"] for row in content["rows"]}
    assert states["questions"] == "failed"
    assert states["graph"] == states["topics"] == "not checked"
    assert states["model"] == states["embedder"] == "ok"


def test_wrong_settings_are_a_usage_error(doctor: Doctor) -> None:
    for arguments in (("--scenario", "privat"), ("--set", "run.nothing=1"), ("--nothing",)):
        done = doctor(*arguments)
        assert (done.code, "Traceback" in done.err) == (2, False)


def test_warnings_alone_exit_with_0(doctor: Doctor, tmp_path: Path) -> None:
    graph = folder_graph(tmp_path / "g", "boat1\tin\tyard\nbroken line\n")
    done = doctor("--kg", graph, "--dataset", f"jsonl:{jsonl(tmp_path / 'q.jsonl', ['boat1'])}")
    assert done.code == 0
    assert "warning      graph" in done.out


def test_the_wrong_graph_exits_with_3(doctor: Doctor, tmp_path: Path) -> None:
    graph = folder_graph(tmp_path / "g", "boat1\tin\tyard\n")
    done = doctor("--kg", graph, "--dataset", f"jsonl:{jsonl(tmp_path / 'q.jsonl', ['m.0abc', 'm.0abd'])}")
    assert done.code == 3
    assert "FAILED       topics          0 of 2 topic entities are in the graph (0.0%)" in done.out
    assert "wrong dump or wrong profile" in done.out
    assert "m.0abc" not in done.out


def test_an_empty_graph_fails(tmp_path: Path) -> None:
    rows = rows_of(RunSpec(kg=str(folder_graph(tmp_path / "g", ""))))
    assert rows["graph"].state is State.FAILED
    assert "is empty" in rows["graph"].found


def test_doctor_takes_the_options_of_run() -> None:
    wanted = set(run_command.__annotations__) - {"plan"}
    assert wanted <= set(doctor_command.__annotations__)


# --- Checks and their ends ---------------------------------------------------------------------------------------------


def fails(case: Case) -> list[CheckRow]:
    raise UsageError("something is wrong; mend it")


def crashes(case: Case) -> list[CheckRow]:
    raise KeyError("a name of the graph")


def works(case: Case) -> list[CheckRow]:
    return [ok("fine", "all well")]


def test_each_check_ends_in_rows() -> None:
    forever = threading.Event()

    def hangs(case: Case) -> list[CheckRow]:
        forever.wait()
        return []

    checks = (
        Check("one", fails),
        Check("two", crashes),
        Check("three", hangs, 0.05),
        Check("four", crashes, needed=False),
        Check("five", works),
    )
    rows = rows_of(checks=checks, seconds=None)
    forever.set()
    assert [row.state for row in rows.values()] == ["failed", "failed", "failed", "warning", "ok"]
    assert rows["one"].found == "something is wrong; mend it"
    assert "name of the graph" not in f"{rows}"
    assert "not done within 0.05 s" in rows["three"].found
    assert exit_code(list(rows.values())) == 3
    assert exit_code([rows["four"], rows["fine"]]) == 0


def test_a_time_limit_replaces_each_checks_own() -> None:
    forever = threading.Event()

    def hangs(case: Case) -> list[CheckRow]:
        forever.wait()
        return []

    (row,) = examine(RunSpec(), seconds=0.05, checks=(Check("slow", hangs, 300.0),))
    forever.set()
    assert "--time-limit" in row.next


def test_a_method_that_is_not_there_leaves_the_rest(doctor: Doctor) -> None:
    done = doctor("--method", "arrog")
    assert (done.code, "did you mean arog" in done.out) == (3, True)
    assert "14 ok, 1 failed" in done.out


def test_source_ids_on_a_graph_of_words_fail() -> None:
    given = Given(graph=toy_graph(), dataset=dataset_of(toy_records()))
    rows = rows_of(RunSpec(pseudonyms="source-id"), given)
    assert rows["privacy"].state is State.FAILED
    assert "would print names" in rows["privacy"].found


def test_an_adapter_that_refuses_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Given(graph=graph_with(["m.0a"]), dataset=dataset_of(questions(["m.0a"])))
    assert rows_of(given=given)["queries"].state is State.WARNING
    monkeypatch.setattr(type(given.graph), "select", lambda self, sparql: ())
    assert rows_of(given=given)["queries"].state is State.FAILED


# --- Key, folders, extras, plugins -------------------------------------------------------------------------------------


def test_the_key_is_named_by_its_id_and_never_shown(doctor: Doctor) -> None:
    done = doctor()
    assert f"key {MasterKey(bytes.fromhex('5c' * 32)).key_id}, from KGBENCH_KEY" in done.out
    assert "5c5c" not in done.out


def test_the_published_key_is_for_the_demo_alone(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGBENCH_KEY", "00" * 32)
    assert "ok           pseudonym key" in doctor().out
    own = doctor("--dataset", f"jsonl:{jsonl(tmp_path / 'q.jsonl', ['a'])}")
    assert "warning      pseudonym key" in own.out


def test_a_key_that_others_can_read_is_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("KGBENCH_KEY")
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: tmp_path / "settings")
    (tmp_path / "settings").mkdir()
    key = tmp_path / "settings" / "key"
    key.write_text("5c" * 32)
    key.chmod(0o600)
    assert rows_of()["pseudonym key"].state is State.OK
    key.chmod(0o640)
    row = rows_of()["pseudonym key"]
    assert (row.state, row.facts["mode"], row.next) == (State.WARNING, "640", f"chmod 600 {key}")
    key.write_text("no key")
    assert rows_of()["pseudonym key"].state is State.FAILED


def test_folders_that_cannot_be_written_fail(doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KGBENCH_CACHE", str(tmp_path / "file" / "cache"))
    done = doctor("--out", tmp_path / "file" / "runs")
    assert done.code == 3
    assert "FAILED       output folder" in done.out
    assert "FAILED       cache folder" in done.out
    assert "is no folder" in done.out


def test_a_folder_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    assert disk.why_not_writable(tmp_path / "new") == f"{tmp_path / 'new'} cannot be written: Permission denied"


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size, state in (("SCARCE", 1 << 62, "warning"), ("TOO_LITTLE", 1 << 62, "failed")):
        monkeypatch.setattr(disk, name, size)
        assert rows_of()["output folder"].state == state


def test_the_size_of_the_cache_is_told(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "replies.sqlite").write_bytes(bytes(5 << 20))
    row = rows_of()["cache folder"]
    assert row.facts["size_bytes"] == 5 << 20
    assert "5.0 MB in it" in row.found


def test_missing_extras_are_listed_with_what_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda module: None if module == "SPARQLWrapper" else object())
    row = rows_of()["extras"]
    assert row.state is State.OK
    assert "not installed: sparql (for graphs behind a SPARQL endpoint)" in row.found
    assert row.facts["missing"] == ["sparql"]


def test_every_extra_is_known() -> None:
    from importlib.metadata import metadata

    provided = set(metadata("kgbench").get_all("Provides-Extra") or ())
    assert set(extras.EXTRAS) == provided - {"all", "dev"}


def test_an_extra_that_the_run_needs_fails_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "SPARQLWrapper", None)
    rows = rows_of(RunSpec(kg="http://127.0.0.1:9/sparql"))
    assert rows["graph"].state is State.FAILED
    assert 'pip install "kgbench[sparql]"' in rows["graph"].found


def test_every_broken_plugin_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry._all_plugins()
    entries = [EntryPoint(name, "kgbench_no_such_module:Odd", "kgbench.methods") for name in ("odd", "odder")]
    broken = [registry.Plugin(each.name, "methods", "strange-pack", "1.2", each.value, each) for each in entries]
    monkeypatch.setattr(registry, "_all_plugins", lambda: (*found, *broken))
    rows = list(examine(RunSpec(), checks=tuple(check for check in CHECKS if check.name == "plugins")))
    assert [(row.check, row.state, row.facts["name"]) for row in rows] == [
        ("plugins", State.WARNING, "odd"),
        ("plugins", State.WARNING, "odder"),
    ]
    assert all("strange-pack 1.2" in row.found for row in rows)
    assert exit_code(rows) == 0


# --- Secrets -----------------------------------------------------------------------------------------------------------

CANARY = "zq-canary-4711"


def test_secrets_of_the_machine_are_taken_out_of_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRANGE_API_KEY", CANARY)
    monkeypatch.setenv("STRANGE_TOKEN", f"{CANARY}-longer")

    def tells(case: Case) -> list[CheckRow]:
        return [
            CheckRow("it", State.OK, f"a {CANARY} b", f"{CANARY}-longer", {"list": [CANARY, {"in": CANARY}], "n": 1})
        ]

    (row,) = examine(RunSpec(), checks=(Check("it", tells),))
    assert CANARY not in f"{row}"
    assert (row.found, row.next, row.facts) == ("a *** b", "***", {"list": ["***", {"in": "***"}], "n": 1})


def test_secrets_of_an_address_are_known() -> None:
    kg = f"http://user:{CANARY}%21@host/sparql?apikey={CANARY}2&default-graph-uri=http://example.org/g"
    blanked = Secrets.of(RunSpec(kg=kg)).blanked(ok("x", f"{CANARY}! {CANARY}%21 {CANARY}2 http://example.org/g"))
    assert blanked.found == "*** *** *** http://example.org/g"


def test_no_password_of_an_endpoint_is_shown(doctor: Doctor) -> None:
    done = doctor("--kg", f"http://user:{CANARY}@127.0.0.1:9/sparql?key={CANARY}", "--json")
    assert (done.code, CANARY in done.out + done.err) == (3, False)


def test_every_check_has_a_bound() -> None:
    assert all(0 < check.seconds <= 300 for check in CHECKS)
