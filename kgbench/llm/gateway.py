"""The gateway: the only way from a method to a model.

For every call, in this order: render the prompt for (scenario, phase, zone), audit it, look into what a resumed run has
recorded, then into the cache, check the budget, wait for the model's limits, send with bounded retries, count into both
ledgers, record. Nothing else in kgbench sends a request.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Completion, ModelRequest, Reply
from kgbench.errors import KgbenchError, PrivacyBlocked, QuestionError, RunStopped, UsageError
from kgbench.llm.exchange import Exchanged, exchange
from kgbench.llm.requests import request_digest, wire_digest
from kgbench.llm.retry import attempts_of
from kgbench.llm.text import estimate_tokens, strip_reasoning
from kgbench.prompts import FilledPrompt
from kgbench.seam.audit import Auditor, Verdict, contains, tokens_of, wire_tokens
from kgbench.seam.render import Renderer
from kgbench.types import Usage, Zone

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Collection, Iterable, Mapping

    from kgbench.llm.exchange import Channel
    from kgbench.llm.ledger import Ledger
    from kgbench.prompts import Template
    from kgbench.seam.render import Rendered
    from kgbench.seam.session import Session
    from kgbench.types import JsonObject

DEFAULT_SAMPLING: Mapping[str, float] = {"temperature": 0.0, "max_tokens": 256}
_SAMPLING = frozenset({"temperature", "max_tokens", "top_p", "seed", "frequency_penalty", "presence_penalty"})
SHORTENED = "prompt_shortened_by_server"
"""The event that a record counts where a server cut a prompt."""
_SHORTENED_SHARE = 0.5
"""A server that reports less than this share of the expected prompt tokens has cut the prompt silently."""
_SHORTENED_FLOOR = 500


@dataclass
class CallTotals:
    """Sums over the calls of one question, for its record."""

    retries: int = 0
    waiting_seconds: float = 0.0
    audit: dict[str, int] = field(default_factory=dict)
    leaks: int = 0

    def add_audit(self, verdict: Verdict) -> None:
        """Add what the audit found in one request."""
        self.leaks += verdict.leaks
        for kind, count in verdict.counts.items():
            self.audit[kind] = self.audit.get(kind, 0) + count


class QuestionGateway:
    """The gateway as one question uses it.

    Args:
        session: the question's local memory.
        channels: the untrusted model, and the one of the trusted zone where there is one.
        ledger: the question's ledger (its parent is the run's).
        record: takes one call record; the first argument is the zone.
        declared: digests of the templates on the method's card.
        recorded: calls that an earlier, interrupted run of the same question has finished.
        stop: set when the run is being stopped.
    """

    def __init__(
        self,
        session: Session,
        channels: Mapping[Zone, Channel | None],
        ledger: Ledger,
        record: Callable[[Zone, JsonObject], None],
        *,
        declared: Collection[str],
        recorded: Iterable[JsonObject] = (),
        stop: threading.Event | None = None,
    ) -> None:
        self._session = session
        self._channels = channels
        self._renderers = {zone: Renderer(session, zone) for zone in Zone}
        self._auditor = Auditor(session, declared)
        self._ledger = ledger
        self._record = record
        self._stop = stop
        self._calls = 0
        self.totals = CallTotals()
        self._recorded: dict[str, deque[JsonObject]] = {}
        for call in recorded:
            if call.get("error") is None:
                self._recorded.setdefault(str(call["wire"]), deque()).append(call)

    def ask(self, prompt: object, n: int, sampling: Mapping[str, float], zone: Zone) -> Reply:
        """Send a prompt and return the reply; see :meth:`kgbench.contracts.Context.llm` for its errors.

        Raises:
            PrivacyBlocked: the audit found a protected name; nothing was sent.
        """
        if not isinstance(prompt, FilledPrompt):
            raise TypeError(f"a prompt is a filled kgbench.prompts.Template, not a {type(prompt).__name__}")
        channel = self._channels[zone]
        if channel is None:
            raise UsageError(
                "the method asks a model of the trusted zone and none is configured; name one with --local-model"
            )
        if self._stop is not None and self._stop.is_set():
            raise RunStopped("the run was stopped; go on with: kgbench resume RUN")
        self._calls += 1
        self._session.calls = self._calls
        try:
            rendered = self._renderers[zone].render(prompt)
        except PrivacyBlocked:  # graph content where the phase allows none: it was not even rendered
            self.totals.leaks += 1
            self._record(zone, self._blocked_entry(prompt, Verdict(1, {}), zone))
            raise
        verdict = self._auditor.audit(prompt, rendered, zone)
        self.totals.add_audit(verdict)
        if verdict.leaks:
            self._blocked(prompt, verdict, zone)
        request = ModelRequest(rendered.messages, self._sampling(prompt, n, sampling), n, rendered.task)
        call = _Call(prompt, rendered, verdict, request, wire_digest(request), self._calls)
        completion = self._replayed(call) or self._fetched(call, channel)
        return self._reply(call, completion, zone)

    def _sampling(self, prompt: FilledPrompt, n: int, given: Mapping[str, float]) -> dict[str, float]:
        unknown = set(given) - _SAMPLING
        if unknown:
            raise TypeError(
                f"unknown sampling parameter {', '.join(sorted(unknown))}; known: {', '.join(sorted(_SAMPLING))}"
            )
        sampling = {**DEFAULT_SAMPLING, **given}
        if sampling["temperature"] > 0 and "seed" not in sampling:
            key = ("llm", prompt.name, str(self._calls), str(n))
            sampling["seed"] = self._session.seed.random(self._session.question.id, *key).randrange(2**31)
        return sampling

    def _blocked(self, prompt: FilledPrompt, verdict: Verdict, zone: Zone) -> None:
        """Record that a request was stopped and end the question."""
        self._record(zone, self._blocked_entry(prompt, verdict, zone))
        raise PrivacyBlocked(
            f'a request of stage "{prompt.stage}" held {verdict.leaks} protected string(s) and was stopped before it left'
        )

    def _blocked_entry(self, prompt: FilledPrompt, verdict: Verdict, zone: Zone) -> JsonObject:
        """What is recorded of a request that was stopped: not its text."""
        entry = self._entry(prompt, zone, self._calls)
        return entry | {"error": "privacy_blocked", "audit": {"leaks": verdict.leaks, **verdict.counts}}

    # --- where a reply comes from --------------------------------------------------------------------------------------

    def _replayed(self, call: _Call) -> Completion | None:
        """The reply that an interrupted run of this question has already paid for; it is not recorded again."""
        waiting = self._recorded.get(call.wire)
        if not waiting:
            return None
        entry = waiting.popleft()
        usage = entry["usage"]
        self._ledger.record(
            call.prompt.stage,
            usage["priced_as"],
            logical=Usage(**usage["logical"]),
            billed=Usage(**usage["billed"]),
        )
        self.totals.retries += len(entry["waits"])
        self._session.note(SHORTENED, entry.get("shortened", False))
        return Completion(texts=tuple(entry["replies"]), finish=entry["finish"], model=entry["model"])

    def _fetched(self, call: _Call, channel: Channel) -> Completion:
        digest, completion = "", None
        if channel.cache is not None and channel.model.card.cacheable:
            card = channel.model.card
            digest = request_digest(
                call.request,
                backend=card.backend,
                model=card.name,
                base_url=card.base_url,
                trial=self._session.seed.trial,
            )
            completion = channel.cache.get(digest)
        began = channel.clock()
        if completion is not None:
            self._count(call, channel, Exchanged(completion, 0, (), 0), "hit", channel.clock() - began)
            return completion
        self._ledger.check_budget()
        exchanged = self._sent(call, channel, began)
        if digest and channel.cache is not None:
            channel.cache.put(digest, exchanged.completion)
        self._count(call, channel, exchanged, "miss" if digest else "off", channel.clock() - began)
        return exchanged.completion

    def _sent(self, call: _Call, channel: Channel, began: float) -> Exchanged:
        """Send the request, within limits and retries; a final failure is recorded before it goes on."""
        try:
            exchanged = exchange(channel, call.request)
        except (QuestionError, KgbenchError) as error:
            attempts = attempts_of(error)
            self.totals.retries += attempts.retries
            entry = self._sent_entry(call, channel, attempts.requests, channel.clock() - began)
            entry |= {"error": getattr(error, "status", "fatal")}
            paid = getattr(error, "completion", None)
            if isinstance(paid, Completion):  # a refusal that came as a reply has its price
                entry |= {"usage": self._paid_refusal(call, channel, paid, attempts.requests)}
            self._record(channel.zone, entry)
            raise
        self.totals.retries += len(exchanged.waits)
        self.totals.waiting_seconds += sum(wait.seconds for wait in exchanged.waits)
        return exchanged

    def _paid_refusal(self, call: _Call, channel: Channel, paid: Completion, requests: int) -> JsonObject:
        usage, estimated = self._usage(call, channel, paid)
        logical = Usage(1, usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, 0, estimated)
        billed = Usage(1, usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, 0, estimated, requests)
        self._ledger.record(call.prompt.stage, channel.priced_as, logical=logical, billed=billed)
        return {"logical": logical.to_json(), "billed": billed.to_json(), "priced_as": channel.priced_as}

    # --- counting and recording ----------------------------------------------------------------------------------------

    def _count(self, call: _Call, channel: Channel, exchanged: Exchanged, cache: str, seconds: float) -> None:
        n, completion = call.request.n, exchanged.completion
        usage, estimated = self._usage(call, channel, completion)
        logical = Usage(n, usage.input_tokens * n, usage.output_tokens, usage.reasoning_tokens, 0, estimated * n)
        billed = Usage()
        if cache != "hit" and channel.billed:
            billed = Usage(
                n,
                usage.input_tokens * exchanged.prompts_billed,
                usage.output_tokens,
                usage.reasoning_tokens,
                usage.cached_tokens,
                estimated,
                exchanged.requests,
            )
        self._ledger.record(call.prompt.stage, channel.priced_as, logical=logical, billed=billed)
        entry = self._sent_entry(call, channel, exchanged.requests, seconds)
        entry |= {
            "replies": list(completion.texts),
            "finish": completion.finish,
            "model": completion.model or channel.model.card.name,
            "cache": cache,
            "usage": {"logical": logical.to_json(), "billed": billed.to_json(), "priced_as": channel.priced_as},
            "waits": [[wait.kind, round(wait.seconds, 3)] for wait in exchanged.waits],
            "dropped": list(completion.dropped),
            "shortened": self._was_shortened(call, channel, completion),
        }
        self._session.note(SHORTENED, entry["shortened"])
        self._record(channel.zone, entry)

    def _was_shortened(self, call: _Call, channel: Channel, completion: Completion) -> bool:
        """True where the server reports so few prompt tokens that it must have cut the prompt silently."""
        reported = completion.input_tokens
        characters = sum(len(message["content"]) for message in call.request.messages)
        if not reported or reported >= _SHORTENED_SHARE * characters / 8:  # no text has tokens that long: cheap first
            return False
        expected = estimate_tokens(call.request.messages, channel.count_tokens)
        return expected > _SHORTENED_FLOOR and reported < _SHORTENED_SHARE * expected

    def _usage(self, call: _Call, channel: Channel, completion: Completion) -> tuple[Usage, int]:
        """Usage of one request: as reported, else a local estimate; an estimate is flagged by the second value."""
        reported_in, reported_out = completion.input_tokens, completion.output_tokens
        estimated = 0
        if not reported_in:
            reported_in, estimated = estimate_tokens(call.request.messages, channel.count_tokens), 1
        if not reported_out and any(completion.texts):
            reported_out, estimated = sum(channel.count_tokens(text) for text in completion.texts if text), 1
        usage = Usage(
            1, reported_in, reported_out or 0, completion.reasoning_tokens, completion.cached_tokens, estimated
        )
        return usage, estimated

    def _entry(self, prompt: FilledPrompt, zone: Zone, number: int) -> JsonObject:
        return {
            "question_id": self._session.question.id,
            "trial": self._session.seed.trial,
            "call": number,
            "stage": prompt.stage,
            "template": prompt.name,
            "phase": str(prompt.phase),
            "zone": str(zone),
        }

    def _sent_entry(self, call: _Call, channel: Channel, requests: int, seconds: float) -> JsonObject:
        entry = self._entry(call.prompt, channel.zone, call.number)
        entry |= {
            "wire": call.wire,
            "messages": list(call.rendered.messages),
            "spans": [list(span) for span in call.rendered.spans],
            "exposed": call.rendered.exposed,
            "sampling": dict(call.request.sampling),
            "n": call.request.n,
            "audit": {"leaks": call.verdict.leaks, **call.verdict.counts},
            "requests": requests,
            "seconds": round(seconds, 4),
            "error": None,
        }
        return entry

    # --- the reply -----------------------------------------------------------------------------------------------------

    def _reply(self, call: _Call, completion: Completion, zone: Zone) -> Reply:
        stripped = [strip_reasoning(text or "") for text in completion.texts]
        texts = tuple(item.text for item in stripped)
        finish = "length" if any(item.cut_off for item in stripped) else completion.finish
        if finish == "length":
            self._session.note(f"cut_off:{call.prompt.stage}")
        flags: list[str] = []
        for text in texts:
            self._session.hear(text)
            if _repeats_exemplar(call.prompt.template, text, call.rendered):
                self._session.echoed_exemplar.add(text)
                self._session.note(f"exemplar_echo:{call.prompt.stage}")
                flags.append("exemplar_echo")
        return Reply(
            text=texts[0] if texts else "",
            samples=texts,
            finish=finish,
            local=zone is Zone.LOCAL,
            exposed=call.rendered.exposed,
            flags=tuple(dict.fromkeys(flags)),
            shown=call.rendered.shown,
        )


@dataclass(frozen=True, slots=True)
class _Call:
    prompt: FilledPrompt
    rendered: Rendered
    verdict: Verdict
    request: ModelRequest
    wire: str
    number: int


@lru_cache(maxsize=256)
def _invented_tokens(invented: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tokens for text in invented if (tokens := tokens_of(text)))


def _repeats_exemplar(template: Template, text: str, rendered: Rendered) -> bool:
    """True if a reply holds an invented name of its prompt's exemplars that neither question nor slots hold."""
    invented = _invented_tokens(template.invented)
    if not invented:
        return False
    tokens = wire_tokens(text)
    found = [name for name in invented if contains(tokens, name)]
    if not found:
        return False
    shown: list[Any] = [wire_tokens(value) for value in (*rendered.texts, rendered.messages[-1]["content"])]
    if template.flat:
        shown = shown[:-1]
    return any(not any(contains(value, name) for value in shown) for name in found)
