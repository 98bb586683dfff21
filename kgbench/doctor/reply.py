"""One short reply, where it is asked for: the one check that costs money. Nothing of the graph or the questions is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.contracts import ModelRequest, TransientFailure
from kgbench.doctor.rows import CheckRow, failed, not_checked, ok, warning
from kgbench.errors import QuestionError
from kgbench.llm.prices import load_prices, priced_name
from kgbench.types import Usage

if TYPE_CHECKING:
    from kgbench.contracts import ChatModel, Completion
    from kgbench.doctor.case import Case

_CHECK = "reply"
_TRIES = 3
"""Most requests: a server may refuse a parameter, which the backend then leaves out. Refused requests cost nothing."""
_PROMPT = "Reply with the one word: ready"
_REPLY_TOKENS = 16


def check_reply(case: Case) -> list[CheckRow]:
    """Ask for one short reply, where ``--ask`` is given.

    Raises:
        FatalModelError: key, account or model will never work.
    """
    model = case.model
    if model is None or not model.card.language_model or model.card.backend == "replay":
        return []
    if not case.ask:
        return [not_checked(_CHECK, "nothing was asked, so nothing was spent", "--ask asks for one short reply")]
    try:
        completion = _reply(model)
    except (QuestionError, TransientFailure) as error:
        return [failed(_CHECK, str(error))]
    return [_row(model, completion)]


def _reply(model: ChatModel) -> Completion:
    request = ModelRequest(({"role": "user", "content": _PROMPT},), {"temperature": 0.0, "max_tokens": _REPLY_TOKENS})
    for _ in range(_TRIES - 1):
        try:
            return model.complete(request)
        except TransientFailure as failure:
            if getattr(failure, "kind", "") != "parameter":
                raise
    return model.complete(request)


def _row(model: ChatModel, completion: Completion) -> CheckRow:
    counted = completion.input_tokens is not None and completion.output_tokens is not None
    usage = Usage(1, completion.input_tokens or 0, completion.output_tokens or 0)
    cost = load_prices().cost(priced_name(model.card), usage) if counted else None
    facts = {
        "model": completion.model,
        "input_tokens": completion.input_tokens,
        "output_tokens": completion.output_tokens,
        "usd": cost,
    }
    found = f"{completion.model or model.card.name} replied"
    if counted:
        found += f": {usage.input_tokens} tokens in, {usage.output_tokens} out"
    found += ", price unknown" if cost is None else f", {cost:.6f} USD"
    if not any(completion.texts):
        next_step = (
            f"{_REPLY_TOKENS} tokens are too few for a model that reasons first; if it is none, try run --limit 1"
        )
        return warning(_CHECK, f"{found}; the reply was empty", next_step, **facts)
    if not counted:
        return warning(_CHECK, found, "it counts no tokens: a run will estimate them, and mark them so", **facts)
    return ok(_CHECK, found, **facts)
