"""Answers from the recorded calls of an earlier run: the same run again, without a model, a key or a cent."""

from __future__ import annotations

import gzip
import json
import threading
from typing import TYPE_CHECKING, Any

from kgbench.contracts import Completion, ModelCard
from kgbench.errors import DataError, ModelUnavailable, PrerequisiteMissing, PromptTooLong, QuestionError, Refused
from kgbench.llm.prices import priced_name
from kgbench.llm.requests import messages_digest, wire_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kgbench.contracts import ModelRequest

CALLS_FILE = "calls.jsonl"
MANIFEST_FILE = "manifest.json"
_SHOWN_DIGITS = 12
_FINAL: dict[str, type[QuestionError]] = {error.status: error for error in (Refused, PromptTooLong)}
"""Recorded failures that are the model's answer to the request, and not a fault of the day."""


class ReplayModel:
    """Serves the replies that a run recorded.

    A request is looked up by :func:`kgbench.llm.requests.wire_digest`. Where a run sent it several times, the replies
    are served in their order and the last one again from then on.

    Each line of ``calls.jsonl`` is a JSON object with ``wire``, ``replies`` (texts), ``finish``, ``model`` and
    ``usage`` (``input_tokens``, ``output_tokens``, ``reasoning_tokens``, ``cached_tokens``; or under ``logical``, where
    the input counts once a sample of ``n``). With ``messages`` an unknown request can be explained better. Lines whose
    ``error`` is ``refused`` or ``prompt_too_long`` fail again in the same way; lines of other failures are left out.

    Args:
        run_folder: the folder of the run.

    Raises:
        PrerequisiteMissing: the folder has no recorded calls or no manifest.
        DataError: one of the two is malformed.
    """

    def __init__(self, run_folder: Path) -> None:
        self._folder = run_folder
        manifest = _read_manifest(run_folder / MANIFEST_FILE)
        recorded = ModelCard(name=str(manifest.get("name", "")), backend="", base_url=manifest.get("base_url"))
        self.priced_as = priced_name(recorded)
        """Name under which the tokens are priced: they were the recorded model's."""
        self._card = ModelCard(
            name=f"replay:{run_folder}",
            backend="replay",
            language_model=bool(manifest.get("language_model", True)),
            cacheable=False,
        )
        self._lock = threading.Lock()
        self._outcomes: dict[str, list[Completion | str]] = {}
        self._next: dict[str, int] = {}
        self._whole: set[str] = set()
        self._first: set[str] = set()
        for line in _read_calls(run_folder):
            outcome = line["error"] if line.get("error") else _completion(line)
            self._outcomes.setdefault(str(line["wire"]), []).append(outcome)
            self._remember_messages(line.get("messages"))

    @property
    def card(self) -> ModelCard:
        """What the model is."""
        return self._card

    def complete(self, request: ModelRequest) -> Completion:
        """Return the recorded reply.

        Raises:
            ModelUnavailable: the run never sent this request, or got no reply to it.
            Refused, PromptTooLong: the run was answered so.
        """
        digest = wire_digest(request)
        outcomes = self._outcomes.get(digest)
        if outcomes is None:
            raise ModelUnavailable(self._unknown(request))
        with self._lock:
            position = self._next.get(digest, 0)
            self._next[digest] = position + 1
        outcome = outcomes[min(position, len(outcomes) - 1)]
        if isinstance(outcome, Completion):
            return outcome
        raise _FINAL[outcome](f"replay:{self._folder}: the recorded run was answered so")

    def _remember_messages(self, messages: object) -> None:
        if isinstance(messages, list) and messages:
            self._whole.add(messages_digest(messages))
            self._first.add(messages_digest(messages[:1]))

    def _unknown(self, request: ModelRequest) -> str:
        """Say where an unknown request parts from the recorded ones."""
        first = messages_digest(request.messages[:1])
        if messages_digest(request.messages) in self._whole:
            reason = "the same messages were recorded with other sampling parameters or another number of samples"
        elif first in self._first:
            reason = (
                "calls that begin alike were recorded, so a later message differs: "
                "another question, trial, seed, pseudonym key, scenario or graph"
            )
        elif self._first:
            reason = "no recorded call begins like it: another method, template or version of one"
        else:
            reason = "method, parameters, questions, seed, pseudonym key, scenario and graph must be those of the run"
        return (
            f"replay:{self._folder}: this request was not recorded (digest {wire_digest(request)[:_SHOWN_DIGITS]}, "
            f"first message {first[:_SHOWN_DIGITS]}); {reason}"
        )


def _read_manifest(path: Path) -> Mapping[str, Any]:
    """The table ``model`` of a run's manifest."""
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise PrerequisiteMissing(f"{path} is missing: replay:RUN takes the folder of a finished run") from None
    except ValueError as error:
        raise DataError(f"{path} is not JSON: {error}") from error
    model = manifest.get("model") if isinstance(manifest, dict) else None
    if not isinstance(model, dict):
        raise DataError(f'{path} has no table "model"; it is no manifest of a run')
    return model


def _read_calls(folder: Path) -> Iterator[dict[str, Any]]:
    """The recorded calls in their order; a last line that a kill cut off is left out."""
    path = folder / CALLS_FILE
    packed = folder / f"{CALLS_FILE}.gz"
    if path.exists():
        lines = path.read_bytes().split(b"\n")
    elif packed.exists():
        lines = gzip.decompress(packed.read_bytes()).split(b"\n")
    else:
        raise PrerequisiteMissing(f"{path} is missing: the run recorded no calls that could be replayed")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            call = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                return
            raise DataError(f"{path}, line {number}: not JSON ({error})") from error
        if not isinstance(call, dict):
            raise DataError(f"{path}, line {number}: a call is a JSON object")
        if call.get("error") and call["error"] not in _FINAL:
            continue
        if "wire" not in call or not (call.get("error") or isinstance(call.get("replies"), list)):
            raise DataError(f"{path}, line {number}: a call needs the fields wire and replies (a list of texts)")
        yield call


def _completion(call: Mapping[str, Any]) -> Completion:
    usage: Mapping[str, Any] = call.get("usage") or {}
    usage = usage.get("logical") or usage
    # An estimate is no report: it is left out, so that it is estimated, and flagged, again.
    reported = not usage.get("estimated")
    samples = max(1, usage.get("calls") or 1)
    input_tokens = usage.get("input_tokens") if reported else None
    return Completion(
        texts=tuple(call["replies"]),
        finish=str(call.get("finish") or "stop"),
        model=str(call.get("model") or ""),
        input_tokens=None if input_tokens is None else input_tokens // samples,
        output_tokens=usage.get("output_tokens") if reported else None,
        reasoning_tokens=usage.get("reasoning_tokens") or 0,
        cached_tokens=usage.get("cached_tokens") or 0,
    )
