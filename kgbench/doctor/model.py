"""The models: their keys and servers, whether these know the models' names, and what tokens cost. Asking costs nothing."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING

from kgbench.contracts import TransientFailure
from kgbench.doctor.rows import CheckRow, failed, not_checked, ok, warning
from kgbench.doctor.window import check_window
from kgbench.errors import KgbenchError
from kgbench.llm.backends.served import ServedModel
from kgbench.llm.ledger import Budget, Ledger
from kgbench.llm.models import READER, open_model
from kgbench.llm.prices import load_prices, priced_name
from kgbench.run.plan import check_kinds

if TYPE_CHECKING:
    from kgbench.contracts import ChatModel
    from kgbench.doctor.case import Case
    from kgbench.llm.backends.catalogue import Catalogue

_NO_MODEL = "the model could not be opened"


def check_model(case: Case) -> list[CheckRow]:
    """Open the model and look for its key; nothing is sent.

    Raises:
        KgbenchError: no such model, or its extra or key is missing.
    """
    if case.spec.model == READER and case.embeddings is None and case.given.model is None:
        return [not_checked("model", f"{READER} reads with the embedder, which did not load")]
    model = case.given.model or open_model(case.spec.model, case.spec.base_url, case.embeddings)
    if case.method is not None:
        check_kinds(model, case.method.card)
    case.model = model
    card = model.card
    where = f" at {card.base_url}" if card.base_url else ""
    facts = {"name": card.name, "language_model": card.language_model, "base_url": card.base_url}
    if not card.language_model:
        found = f"{card.name} is not a language model: a retrieval baseline, free, that knows nothing beside the prompt"
        return [ok("model", found, **facts)]
    return [ok("model", f"{card.name}{where}", **facts), *_key_rows(model)]


def _key_rows(model: ChatModel) -> list[CheckRow]:
    if not isinstance(model, ServedModel):
        return []
    check = getattr(model, "check", None)
    variable = model.key_variable
    try:
        if check is not None:
            check()
    except KgbenchError as error:
        return [failed("model key", str(error), variable=variable)]
    is_set = bool(os.environ.get(variable, "").strip())
    to = model.card.base_url or "the provider"
    if is_set:
        return [ok("model key", f"{variable} is set; it is sent to {to}", variable=variable, set=True)]
    return [ok("model key", f"{variable} is not set; {to} is asked without a key", variable=variable, set=False)]


def check_server(case: Case) -> list[CheckRow]:
    """Ask the server which models it serves and how long their prompts may be; this costs nothing."""
    if case.model is None:
        return [not_checked("model server", _NO_MODEL), not_checked("context window", _NO_MODEL)]
    ask = getattr(case.model, "catalogue", None)
    if ask is None:
        return []
    try:
        catalogue: Catalogue = ask()
    except (KgbenchError, TransientFailure) as error:
        # These texts hold no key and nothing of a server's own words, by their contract.
        row = failed("model server", str(error), _next_of(error))
        return [row, not_checked("context window", "the server did not answer")]
    return [
        _server_row("model server", case.model, catalogue),
        check_window(case.method, catalogue, case.model.card.context_window),
    ]


def _next_of(error: Exception) -> str:
    return "look whether the server runs and --base-url is right" if isinstance(error, TransientFailure) else ""


def _server_row(check: str, model: ChatModel, catalogue: Catalogue) -> CheckRow:
    name = model.card.name.partition("/")[2]
    known, product = catalogue.knows(name), catalogue.product or "the server"
    facts = {"product": catalogue.product, "knows_model": known, "models": list(catalogue.models or ())}
    if known:
        return ok(check, f"{product} answers and serves {name}", **facts)
    if catalogue.models is None:
        next_step = "kgbench doctor --ask asks for one short reply, which costs money"
        return not_checked(check, f"whether {name} is served: {catalogue.silence}", next_step, **facts)
    if known is None:
        served = ", ".join(catalogue.models)
        next_step = "name the model as what it is: the name stands in every record and signature"
        return warning(
            check, f"{product} answers to any name, also to {name}; what it serves is {served}", next_step, **facts
        )
    near = difflib.get_close_matches(name, catalogue.models, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it serves {', '.join(catalogue.models[:5]) or 'none'}"
    return failed(check, f"{product} answers, but does not serve {name}", f"{hint} Give the name with --model", **facts)


def check_local_model(case: Case) -> list[CheckRow]:
    """Open the model of the trusted zone, where there is one, and ask its server for it.

    Raises:
        KgbenchError: no such model, or its extra or key is missing.
    """
    if case.spec.local_model is None and case.given.local_model is None:
        return []
    check, name = "local model", case.spec.local_model or ""
    model = case.given.local_model or open_model(name, None, case.embeddings)
    ask = getattr(model, "catalogue", None)
    if ask is None:
        return [ok(check, model.card.name)]
    try:
        return [_server_row(check, model, ask())]
    except TransientFailure as failure:
        return [failed(check, str(failure), _next_of(failure))]


def check_price(case: Case) -> list[CheckRow]:
    """Look up what the model's tokens cost.

    Raises:
        UsageError: a budget cannot be kept, for the price is unknown.
        DataError: the user's price file is malformed.
    """
    if case.model is None:
        return [not_checked("price", _NO_MODEL)]
    name = getattr(case.model, "priced_as", None) or priced_name(case.model.card)
    prices = load_prices()
    Ledger(prices.cost, Budget(usd=case.spec.budget)).require_price(name)
    price = prices.price(name)
    if price is None:
        own = "@" in name
        found = f"unknown for {name}; costs stay empty, and --budget is refused"
        facts = {"priced_as": name, "known": False}
        if own:
            return [ok("price", found, **facts)]
        return [warning("price", found, "state it in a file that $KGBENCH_PRICES names", **facts)]
    if not price.input and not price.output:
        return [ok("price", "free", priced_as=name, known=True, input=0.0, output=0.0)]
    found = f"{price.input:g} USD a million tokens in, {price.output:g} out (list of {prices.date}, or your own)"
    return [ok("price", found, priced_as=name, known=True, input=price.input, output=price.output)]
