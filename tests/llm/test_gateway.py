"""The gateway: what one call leaves in the ledgers and in its record, whatever the server does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kgbench.contracts import Completion, ModelCard, TransientFailure
from kgbench.errors import ModelUnavailable, Refused
from kgbench.llm.backends.failures import RefusedReply
from kgbench.llm.cache import ReplyCache
from kgbench.llm.exchange import Channel
from kgbench.llm.gateway import SHORTENED, QuestionGateway
from kgbench.llm.ledger import Ledger
from kgbench.llm.limits import ModelLimiter, ModelLimits
from kgbench.llm.retry import RetryPolicy
from kgbench.prompts import Slot, TaskKind, Template
from kgbench.seam.policy import PrivacyPolicy
from kgbench.seam.session import Session, SessionSeed
from kgbench.testing import TEST_KEY
from kgbench.types import Gold, Phase, Question, QuestionRecord, Usage, Zone

if TYPE_CHECKING:
    from pathlib import Path

    from kgbench.contracts import ModelRequest

ASK = Template(
    name="ask",
    kind=TaskKind.RECALL,
    phase=Phase.GENERATION,
    stage="asking",
    system="Answer.",
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write=str,
)


class Server:
    """A model that does what it is told, call by call."""

    card = ModelCard(name="openai/some-model", backend="openai")

    def __init__(self, *outcomes: Completion | Exception) -> None:
        self._outcomes = list(outcomes)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> Completion:
        self.requests.append(request)
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


class Desk:
    """One question's gateway over a server, with a clock that only sleeping moves."""

    def __init__(self, server: Server, cache: ReplyCache | None = None, text: str = "who knows?") -> None:
        self.slept: list[float] = []
        self.records: list[dict[str, Any]] = []
        self.question = Question("q", text)
        record = QuestionRecord(self.question, Gold("q", ()))
        self.session = Session(record, PrivacyPolicy(), TEST_KEY, SessionSeed("desk", 0, 0))
        self.ledger = Ledger(lambda model, usage: (usage.input_tokens + usage.output_tokens) / 1e6)
        channel = Channel(
            model=server,
            zone=Zone.REMOTE,
            limiter=ModelLimiter(ModelLimits(), clock=self.clock, sleep=self.slept.append),
            retries=RetryPolicy(retries=4),
            priced_as="some-model",
            count_tokens=lambda text: len(text.split()),
            sleep=self.slept.append,
            jitter=lambda: 0.0,
            cache=cache,
            clock=self.clock,
        )
        self.gateway = QuestionGateway(
            self.session,
            {Zone.REMOTE: channel, Zone.LOCAL: None},
            self.ledger,
            lambda zone, entry: self.records.append(entry),
            declared={ASK.digest},
        )

    def clock(self) -> float:
        return sum(self.slept)

    def ask(self, n: int = 1, **sampling: float) -> str:
        return self.gateway.ask(ASK.fill(question=self.question), n, sampling, Zone.REMOTE).text

    @property
    def logical(self) -> Usage:
        return self.ledger.total().logical

    @property
    def billed(self) -> Usage:
        return self.ledger.total().billed


def said(*texts: str | None, tokens: tuple[int | None, int | None] = (10, 2), **more: Any) -> Completion:
    return Completion(texts=texts, input_tokens=tokens[0], output_tokens=tokens[1], **more)


@pytest.mark.parametrize("tokens", [(None, None), (0, 0)])
def test_missing_and_zero_usage_become_a_flagged_estimate_with_a_cost(
    tokens: tuple[int | None, int | None],
) -> None:
    desk = Desk(Server(said("three whole words", tokens=tokens)))
    desk.ask()
    assert desk.logical.input_tokens > 0
    assert desk.logical.output_tokens == 3
    assert (desk.logical.estimated, desk.billed.estimated) == (1, 1)
    assert desk.ledger.total().billed_usd > 0
    assert desk.records[0]["usage"]["billed"]["estimated"] == 1


def test_reported_usage_is_no_estimate() -> None:
    desk = Desk(Server(said("yes")))
    desk.ask()
    assert (desk.logical.input_tokens, desk.logical.output_tokens, desk.logical.estimated) == (10, 2, 0)


def test_a_timeout_then_a_429_then_a_reply_is_one_logical_call_with_two_retries() -> None:
    server = Server(TransientFailure("timed out"), TransientFailure("slow down", retry_after=2.0), said("yes"))
    desk = Desk(server)
    assert desk.ask() == "yes"
    assert len(server.requests) == 3
    assert max(desk.slept) >= 2.0
    assert (desk.logical.calls, desk.billed.requests, desk.gateway.totals.retries) == (1, 3, 2)
    assert len(desk.records) == 1
    assert len(desk.records[0]["waits"]) == 2


def test_a_server_that_stays_away_ends_the_question_and_is_recorded() -> None:
    desk = Desk(Server(*(TransientFailure("down") for _ in range(5))))
    with pytest.raises(ModelUnavailable):
        desk.ask()
    assert (desk.records[0]["error"], desk.records[0]["requests"]) == ("llm_error", 5)
    assert desk.billed == Usage()


def test_samples_in_one_reply_are_three_calls_and_one_paid_prompt() -> None:
    desk = Desk(Server(said("a", "b", "c", tokens=(10, 6))))
    desk.ask(n=3, temperature=0.7)
    assert (desk.logical.calls, desk.logical.input_tokens, desk.logical.output_tokens) == (3, 30, 6)
    assert (desk.billed.input_tokens, desk.billed.requests) == (10, 1)


def test_samples_that_come_one_by_one_are_asked_for_with_other_seeds_and_all_paid() -> None:
    server = Server(said("a"), said("b"), said("c"))
    desk = Desk(server)
    desk.ask(n=3, temperature=0.7)
    assert desk.records[0]["replies"] == ["a", "b", "c"]
    assert [request.n for request in server.requests] == [3, 2, 1]
    assert len({request.sampling["seed"] for request in server.requests}) == 3
    assert (desk.logical.calls, desk.logical.input_tokens, desk.billed.input_tokens) == (3, 30, 30)
    assert (desk.billed.requests, desk.gateway.totals.retries) == (3, 0)


def test_a_refusal_that_came_as_a_reply_is_paid_for() -> None:
    desk = Desk(Server(RefusedReply("declined", said(None, tokens=(10, 4)))))
    with pytest.raises(Refused):
        desk.ask()
    assert (desk.billed.input_tokens, desk.billed.output_tokens) == (10, 4)
    assert desk.records[0]["error"] == "refused"


@pytest.mark.parametrize("reply", [Completion(texts=()), said("so", finish="content_filter")])
def test_no_choice_and_a_filters_mark_are_refusals(reply: Completion) -> None:
    with pytest.raises(Refused):
        Desk(Server(reply)).ask()


def test_a_cached_reply_counts_at_its_tokens_and_is_not_paid_again(tmp_path: Path) -> None:
    with ReplyCache(tmp_path / "cache.sqlite") as cache:
        Desk(Server(said("yes")), cache).ask()
        again = Desk(Server(), cache)
        assert again.ask() == "yes"
    assert (again.logical.calls, again.logical.input_tokens) == (1, 10)
    assert again.billed == Usage()
    assert again.records[0]["cache"] == "hit"


def test_a_prompt_that_the_server_cut_is_noted() -> None:
    long = "word " * 2000
    cut, whole = (
        Desk(Server(said("yes", tokens=(100, 1))), text=long),
        Desk(Server(said("yes", tokens=(2000, 1))), text=long),
    )
    cut.ask()
    whole.ask()
    assert (cut.session.notes[SHORTENED], whole.session.notes[SHORTENED]) == (1, 0)


def test_a_bare_text_is_no_prompt() -> None:
    desk = Desk(Server())
    with pytest.raises(TypeError, match="filled"):
        desk.gateway.ask("who knows?", 1, {}, Zone.REMOTE)
    assert desk.records == []
