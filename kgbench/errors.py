"""Every error that kgbench raises on purpose.

Each message says what is wrong, where, and what to do next. Messages never hold a name, an alias, a literal or a source
id of a private graph: an error may end in a log or on a screen that others see.
"""

from __future__ import annotations

from typing import Any


class KgbenchError(Exception):
    """Base of all errors raised on purpose; the command line prints its text without a traceback."""

    exit_code = 1


class UsageError(KgbenchError):
    """The user asked for something that cannot be: an unknown name, a wrong value, a malformed file."""

    exit_code = 2


class PrerequisiteMissing(KgbenchError):
    """A file, key, server or package that the command needs is not there."""

    exit_code = 3


class MissingExtra(PrerequisiteMissing):
    """A part of kgbench needs an optional dependency that is not installed.

    Args:
        extra: name of the extra in ``pip install "kgbench[EXTRA]"``.
        needed_by: what the user asked for, in a few words.
    """

    def __init__(self, extra: str, needed_by: str) -> None:
        super().__init__(f'{needed_by} needs the extra "{extra}": pip install "kgbench[{extra}]"')
        self.extra = extra


class DataError(UsageError):
    """A data file breaks its format; the text names the file and, where there are lines, the line."""


class QuestionError(KgbenchError):
    """Ends one question with a named status; the run goes on."""

    status = "llm_error"


class ModelUnavailable(QuestionError):
    """The model did not answer within the bounded retries."""

    status = "llm_error"


class Refused(QuestionError):
    """The provider or the model declined to answer, by exception, null content or an empty choice list."""

    status = "refused"


class PromptTooLong(QuestionError):
    """The prompt does not fit the model's context window. A method may catch this to shorten its prompt."""

    status = "prompt_too_long"


class Truncated(QuestionError):
    """The reply was cut off before it said anything usable."""

    status = "truncated"


class UnparsableReply(QuestionError):
    """A reply broke its contract and the method has no fallback for it."""

    status = "parse_error"


class GraphError(QuestionError):
    """The graph could not be read: a time-out, an error page, a refused query. Never the same as "no neighbours"."""

    status = "kg_error"


class GraphPartial(GraphError):
    """A graph gave an incomplete answer: its time was up, or its pages do not add up.

    The gate goes on with what came and counts ``kg_partial`` in the record. Whoever reads without a gate ends the
    question with that status. Either way an incomplete answer is never taken for a complete one.

    Args:
        result: what the read would have returned, with the rows that came; at least one.
        reason: why it is incomplete, in a few words, without names.
    """

    status = "kg_partial"

    def __init__(self, result: Any, reason: str) -> None:
        super().__init__(
            f"the graph gave an incomplete answer: {reason}; ask for less at once, or open the graph with a larger "
            "time limit"
        )
        self.result = result
        self.reason = reason


class PrivacyBlocked(QuestionError):
    """A request would have shown a protected name; it was stopped before it left."""

    status = "privacy_blocked"


class BudgetExhausted(QuestionError):
    """The budget of the run is spent; the question stays open for a resumed run."""

    status = "skipped_budget"


class RunStopped(KgbenchError):
    """The user interrupted the run; it can be resumed."""

    exit_code = 130


class FatalModelError(PrerequisiteMissing):
    """The model cannot be used at all (wrong key, unknown model, no server): the run stops at once."""
