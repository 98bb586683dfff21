from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgbench.testing import ChatServer, ServerResponse, chat, failure

if TYPE_CHECKING:
    from collections.abc import Callable

    Cli = Callable[..., "Outcome"]

    from dataclasses import dataclass

    @dataclass
    class Outcome:
        code: int
        out: str
        err: str


SUMMARY_KEYS = """run_id spec_id signature method scenario dataset kg model lm n statuses hits1 hits1_ci hit_any f1 tog_loose
calls_per_question input_tokens_per_question output_tokens_per_question leaks echoes seconds""".split()


def test_a_run_ends_with_its_row_and_the_next_commands(cli: Cli) -> None:
    done = cli("run", "--limit", 5)
    assert done.code == 0
    head, row, *beneath = done.out.splitlines()
    assert head.split()[:6] == ["method", "scenario", "model", "LM", "n", "Hits@1"]
    assert row.split()[:5] == ["arog", "private", "builtin/reader", "no", "5"]
    text = "\n".join(beneath)
    folder = next(Path("runs").iterdir())
    assert f"run        {folder}" in text
    assert "signature  hits1@1|demo@" in text
    assert f"kgbench audit {folder}" in text
    assert "kgbench leaderboard runs/*" in text


def test_a_baseline_says_on_standard_error_that_it_is_no_language_model(cli: Cli) -> None:
    done = cli("run", "--limit", 1, "--method", "io")
    banners = [line for line in done.err.splitlines() if "not a language model" in line]
    assert len(banners) == 1
    assert banners[0].startswith("builtin/reader is not a language model: a retrieval baseline")
    assert "not a language model" not in done.out


def test_json_is_one_object_and_nothing_else_on_standard_output(cli: Cli) -> None:
    done = cli("run", "--limit", 2, "--json")
    row = json.loads(done.out)
    assert set(SUMMARY_KEYS) <= set(row)
    assert (row["n"], row["lm"], row["leaks"], row["statuses"]) == (2, False, 0, {"ok": 2})
    assert row["seconds"] > 0
    assert "not a language model" in done.err


def test_only_options_that_were_given_win_over_a_config(cli: Cli) -> None:
    Path("own.toml").write_text('[data]\nlimit = 3\n[method]\nname = "io"\nmax_tokens = 50\n[run]\nseed = 4\n')
    spec = json.loads(cli("run", "--config", "own.toml", "--seed", 7, "--plan", "--json").out)["spec"]
    assert (spec["limit"], spec["method"], spec["seed"], spec["parameters"]) == (3, "io", 7, {"max_tokens": 50})
    changed = cli(
        "run", "--config", "own.toml", "--set", "data.limit=2", "--set", "method.max_tokens=9", "--plan", "--json"
    )
    assert json.loads(changed.out)["spec"]["limit"] == 2
    assert json.loads(changed.out)["parameters"]["max_tokens"] == 9


def test_a_plan_spends_and_writes_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KGBENCH_KEY")
    monkeypatch.delenv("KGBENCH_CACHE")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd() / "home" / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path.cwd() / "home" / "cache"))
    done = cli("run", "--plan", "--limit", 4, "--model", "openai/gpt-4o-mini-2024-07-18")
    assert done.code == 0
    assert [path for path in Path.cwd().rglob("*") if path.is_file()] == []
    assert "questions  4 of demo" in done.out
    assert "120 records, 120 kept, 0 dropped" in done.out
    assert "graph      demo, profile plain, 4967 triples" in done.out
    assert "estimate" in done.out
    assert "USD" in done.out
    assert "OPENAI_API_KEY" in done.out


def test_a_plan_estimates_from_the_methods_own_count(cli: Cli) -> None:
    model = ("--model", "openai/gpt-4o-mini-2024-07-18")
    plan = json.loads(cli("run", "--plan", "--json", "--method", "cot-sc", "--limit", 10, "--trials", 2, *model).out)
    typical = plan["estimate"]["typical"]
    assert typical["calls"] == 100
    assert typical["input_tokens"] == 100 * 450
    assert typical["usd"] == pytest.approx((45_000 * 0.15 + 5_000 * 0.6) / 1e6, abs=1e-4)
    assert plan["estimate"]["largest"]["calls"] >= 100
    assert plan["spec"]["cache"] == "on"


def test_a_plan_names_an_unknown_price(cli: Cli) -> None:
    server = ("--model", "openai/own", "--base-url", "http://127.0.0.1:9/v1")
    assert "unknown price" in cli("run", "--plan", "--limit", 1, *server).out
    plan = json.loads(cli("run", "--plan", "--json", "--limit", 1, *server).out)
    assert plan["estimate"]["typical"]["usd"] is None


def test_a_filtered_plan_says_that_chain_of_thought_comes_first(cli: Cli) -> None:
    plan = json.loads(cli("run", "--plan", "--json", "--setting", "filtered", "--limit", 3).out)
    assert plan["spec_id"] is None
    assert any("chain of thought is asked first" in note for note in plan["notes"])


def test_a_filtered_run_says_what_was_dropped(cli: Cli) -> None:
    done = cli("run", "--setting", "filtered", "--limit", 2)
    assert done.code == 0
    assert "filtered   0 question(s) dropped, which cot-private-demo-" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--method", "aarog"), 2, 'kgbench: there is no method "aarog"; did you mean arog'),
        (("--set", "method.widht=2"), 2, 'method "arog" has no parameter "widht"; did you mean width?'),
        (("--scenario", "p-x"), 2, "privacy.scenario"),
        (("--pseudonyms", "source-id"), 2, "--pseudonyms source-id would print names"),
        (("--where", "hop=2"), 2, 'no record has the tag "hop"; did you mean "hops"?'),
        (("--jobs", "0"), 2, "run.jobs must be at least 1"),
        (("--shield", "names"), 2, "shields are not in this version"),
        (("--config", "arog-papr"), 2, "did you mean arog-paper"),
        (("--dataset", "webqsp"), 3, "webqsp needs the file WebQSP.json"),
        (("--kg", "nowhere"), 3, 'there is no graph at "nowhere"'),
        (("--model", "gpt-4o"), 2, "did you mean openai/gpt-4o?"),
    ],
)
def test_errors_are_one_message_with_its_exit_code(
    cli: Cli, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = cli("run", *arguments)
    assert done.code == code
    assert done.out == ""
    assert message in done.err
    assert done.err.startswith("kgbench: ")
    assert "Traceback" not in done.err
    assert not Path("runs").exists()


def test_a_value_of_the_wrong_type_is_a_usage_error(cli: Cli) -> None:
    done = cli("run", "--limit", "many")
    assert done.code == 2
    assert "--limit" in done.err


def test_an_unexpected_error_tells_its_kind_alone(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("Brenka Moll lives in Port Velm")

    monkeypatch.setattr("kgbench.run.plan.make_plan", broken)
    done = cli("run")
    assert done.code == 1
    assert done.err == "kgbench: an unexpected RuntimeError; run again with --debug to see where it came from\n"
    assert "Traceback" in cli("run", "--debug").err


def test_ctrl_c_before_the_first_question(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kgbench.run.plan.make_plan", stopped)
    done = cli("run")
    assert (done.code, done.err) == (130, "kgbench: stopped\n")


def test_more_errors_than_allowed_exit_with_one_and_an_alarm(cli: Cli) -> None:
    def reply(_request: object) -> ServerResponse:
        return chat("{x}", finish="content_filter")

    with ChatServer(reply) as server:
        arguments = ("run", "--method", "io", "--limit", 3, "--model", "openai/x", "--base-url", server.base_url)
        done = cli(*arguments)
        assert done.code == 1
        assert "refused 3" in done.out
        assert "ALARM: 3 of 3 questions ended in refused" in done.out
        assert "over --max-errors 0.05" in done.out
        assert cli(*arguments, "--max-errors", 1).code == 0


def test_a_wrong_key_stops_at_once_and_names_the_way_on(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    with ChatServer(lambda _request: failure(401, "no such key")) as server:
        done = cli(
            "run", "--method", "io", "--limit", 3, "--jobs", 1, "--model", "openai/x", "--base-url", server.base_url
        )
        assert len(server.requests) == 1
    assert done.code == 3
    assert done.out == ""
    assert "What was answered is kept; go on with: kgbench resume runs/io-private-demo-" in done.err
    assert done.err.splitlines()[-1].startswith("kgbench: ")
    assert "sk-not-a-key" not in done.err


def test_resume_works_on_what_failed_and_keeps_the_rest(cli: Cli) -> None:
    answers = iter([chat("{a}"), failure(400, "odd"), *[chat("{b}")] * 9])
    with ChatServer(lambda _request: next(answers)) as server:
        model = ("--model", "openai/x", "--base-url", server.base_url)
        first = json.loads(
            cli("run", "--method", "io", "--limit", 3, "--jobs", 1, "--json", "--cache", "off", *model).out
        )
        assert first["statuses"] == {"llm_error": 1, "ok": 2}
        asked = len(server.requests)
        again = cli("resume", first["run_id"], "--jobs", 2, "--json")
        assert json.loads(again.out)["statuses"] == {"ok": 3}
        assert len(server.requests) > asked
        calls = len(server.requests)
        nothing_left = cli("resume", Path("runs") / first["run_id"])
        assert nothing_left.code == 0
        assert len(server.requests) == calls


def test_resume_refuses_what_is_no_run_and_wrong_values(cli: Cli) -> None:
    assert cli("resume", "nowhere").code == 2
    run_id = json.loads(cli("run", "--method", "io", "--limit", 1, "--json").out)["run_id"]
    done = cli("resume", run_id, "--jobs", 0)
    assert (done.code, "run.jobs must be at least 1" in done.err) == (2, True)


def test_a_budget_leaves_the_rest_open_and_says_so(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("prices.toml").write_text("[models]\n")
    with ChatServer(lambda _request: chat("{a}")) as server:
        Path("prices.toml").write_text(f'[models]\n"openai/x@{server.base_url}" = {{ input = 1000.0, output = 0.0 }}\n')
        monkeypatch.setenv("KGBENCH_PRICES", "prices.toml")
        done = cli(
            *("run", "--method", "io", "--limit", 3, "--jobs", 1, "--budget", 0.001),
            *("--model", "openai/x", "--base-url", server.base_url),
        )
    assert done.code == 0
    assert "skipped_budget 2" in done.out
    assert "2 question(s) left out for want of budget; go on with: kgbench resume" in done.out


def test_a_leak_exits_with_four(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from kgbench.seam.audit import Auditor

    monkeypatch.setattr(Auditor, "_taint", lambda _self, rendered: int(bool(rendered.spans)))
    done = cli("run", "--method", "io", "--limit", 2, "--max-errors", 1)
    assert done.code == 4
    assert "privacy_blocked 2" in done.out
    assert "LEAK: the audit found 2 protected string(s) and stopped these requests before they left" in done.out
    assert "kgbench audit runs/io-private-demo-" in done.out
