"""Which parameters a server takes, learned from its own refusals.

Some models refuse what others need: reasoning models want ``max_completion_tokens`` and no temperature, small servers
give one choice a request. A refusal that names such a parameter is remembered and the request is worth another try,
which the gateway makes and counts. So nothing is dropped in silence and no table of models goes out of date.
"""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any

from kgbench.llm.backends.failures import Endpoint, ServerFailure, Transient

if TYPE_CHECKING:
    from kgbench.contracts import ModelRequest

SAMPLING = ("temperature", "max_tokens", "top_p", "seed", "presence_penalty", "frequency_penalty")
"""Sampling parameters of the chat completions API."""
_WHOLE = ("max_tokens", "seed")
_LONG_NAME = "max_completion_tokens"
_COMPLAINT = re.compile(
    r"unsupported_(parameter|value)|unsupported (parameter|value)|unrecognized (request )?argument|not supported"
    r"|unsupportedparams|unknown parameter|extra (inputs|fields)|is not allowed",
    re.IGNORECASE,
)
_ONE_CHOICE = re.compile(r"only one completion|\bn (must|should) be 1\b|multiple (choices|completions)", re.IGNORECASE)


class Dialect:
    """Translates sampling parameters for one server. Thread safe; it only ever learns, so repeats end.

    Args:
        endpoint: the server, for messages.
        known: parameters that it is known to take; None: all of :data:`SAMPLING`.
    """

    def __init__(self, endpoint: Endpoint, known: tuple[str, ...] | None = None) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._refused: set[str] = set()
        self._long_name = False
        self._one_choice = False
        if known is not None:
            self._long_name = "max_tokens" not in known and _LONG_NAME in known
            self._refused.update(name for name in SAMPLING if name not in known and not self._covers(name, known))
            self._one_choice = "n" not in known

    def parameters(self, request: ModelRequest) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the parameters to send and the names of those of ``request`` that are not sent, sorted."""
        with self._lock:
            sent: dict[str, Any] = {}
            dropped = []
            for name, value in sorted(request.sampling.items()):
                if name not in SAMPLING or name in self._refused:
                    dropped.append(name)
                else:
                    sent[self._name(name)] = int(value) if name in _WHOLE else value
            if request.n > 1 and not self._one_choice:
                sent["n"] = request.n
        return sent, tuple(dropped)

    def learn(self, failure: ServerFailure, sent: dict[str, Any]) -> Transient | None:
        """Learn from a refused request.

        Args:
            failure: what the server said.
            sent: the parameters that were sent, from :meth:`parameters`.

        Returns:
            A failure that is worth another try where one of them is to blame, else None.
        """
        if failure.status not in (400, 422):
            return None
        name = self._to_blame(failure, sent)
        if name is None:
            return None
        with self._lock:
            if name == "n":
                self._one_choice = True
                what = "asked for one choice at a time"
            elif name == "max_tokens" and _LONG_NAME in failure.message:
                self._long_name = True
                what = f"sent as {_LONG_NAME}"
            else:
                self._refused.add("max_tokens" if name == _LONG_NAME else name)
                what = "left out"
        return Transient(
            f"{self._endpoint.model}: the server does not take the parameter {name} as sent; from now on {what}",
            "parameter",
        )

    @staticmethod
    def _to_blame(failure: ServerFailure, sent: dict[str, Any]) -> str | None:
        if "n" in sent and (failure.parameter == "n" or _ONE_CHOICE.search(failure.message)):
            return "n"
        if not _COMPLAINT.search(failure.words):
            return None
        if failure.parameter:
            return failure.parameter if failure.parameter in sent else None
        named = [name for name in sent if re.search(rf"(?<!\w){name}(?!\w)", failure.message)]
        # With two names it would be a guess which one is meant.
        return named[0] if len(named) == 1 else None

    def _name(self, name: str) -> str:
        return _LONG_NAME if name == "max_tokens" and self._long_name else name

    @staticmethod
    def _covers(name: str, known: tuple[str, ...]) -> bool:
        return name == "max_tokens" and _LONG_NAME in known
