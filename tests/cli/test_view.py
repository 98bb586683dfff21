from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    Cli = Callable[..., Any]


def test_view_writes_a_page_into_the_run_and_prints_its_path(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(demo_run, tmp_path / "run")
    done = cli("view", run)
    assert (done.code, done.out) == (0, f"{run}/page.html\n")
    page = (run / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '<body class="scrubbed">' in page
    assert "5 question(s)" in done.err
    assert "scrubbed" in done.err


def test_a_revealed_page_has_another_name(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    run = shutil.copytree(demo_run, tmp_path / "run")
    done = cli("view", run, "--reveal")
    assert (done.code, done.out) == (0, f"{run}/page.revealed.html\n")
    assert "REVEALED" in done.err
    assert not (run / "page.html").exists()


def test_reveal_with_another_key_is_refused(
    cli: Cli, demo_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGBENCH_KEY", "11" * 32)
    run = shutil.copytree(demo_run, tmp_path / "run")
    done = cli("view", run, "--reveal")
    assert (done.code, done.out) == (2, "")
    assert "another pseudonym key" in done.err
    assert not (run / "page.revealed.html").exists()


def test_several_runs_and_an_output_file(cli: Cli, demo_run: Path, closed_book_run: Path, tmp_path: Path) -> None:
    target = tmp_path / "both.html"
    done = cli("view", closed_book_run, demo_run, "--output", target, "--limit", 2, "--plain")
    assert (done.code, done.out) == (0, f"{target}\n")
    assert "2 question(s), 3 left out for --limit" in done.err
    assert "Runs side by side" in target.read_text(encoding="utf-8")


def test_what_cannot_be(cli: Cli, demo_run: Path, tmp_path: Path) -> None:
    assert cli("view", tmp_path / "none").code == 2
    assert cli("view", demo_run, "--output", tmp_path / "no" / "page.html").code == 3
    assert cli("view", demo_run, "--limit", 0).code == 2


def test_open_hands_the_file_to_the_browser(
    cli: Cli, demo_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    cli("view", demo_run, "--output", tmp_path / "a page.html", "--open")
    assert opened == [(tmp_path / "a page.html").as_uri()]
