"""Asking PoG's questions: one call, one reading, one more call where the form was missed, and a limit on calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from kgbench.contracts import Echo
from kgbench.errors import UnparsableReply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import SlotValue, Template
    from kgbench_methods.pog.parameters import PogParameters

Value = TypeVar("Value")

MANY_CALLS = 60
"""A question that makes more calls is counted as ``many_calls``: the number has a heavy tail."""
RESERVED = 2
"""Calls that are kept back for the answer, and its second try, where there is a limit."""


class OutOfCalls(Exception):
    """The limit on calls is reached: the question is answered from what was found."""


class Asked(NamedTuple):
    """The slots of one prompt and how its reply is read."""

    template: Template
    slots: dict[str, SlotValue | Sequence[SlotValue]]


@dataclass
class Asker:
    """Sends the prompts of one question."""

    ctx: Context
    parameters: PogParameters
    calls: int = 0

    def ask(
        self,
        asked: Asked,
        read: Callable[[Reply], Value | None],
        *,
        closing: bool = False,
        losing: bool = False,
    ) -> tuple[Reply, Value | None]:
        """Ask and read; a reply without the form is asked for once more, with a reminder of it.

        The second call is a stage of its own, ``STAGE_retry``. The official profile asks once.

        Args:
            asked: what to send.
            read: returns None for a reply without the form.
            closing: this call gives the final answer; calls are kept back for it where there is a limit.
            losing: with quirk B1, a reply without the form loses the question.

        Returns:
            The last reply and what was read of it, or None.

        Raises:
            OutOfCalls: the limit on calls is reached.
            UnparsableReply: quirk B1.
        """
        if not self._may_call(closing):
            raise OutOfCalls
        reply, value = self._once(asked, read, remind=False)
        lost = losing and self.parameters.has("B1")
        if value is None and not (lost or self.parameters.official) and self._may_call(closing):
            self.ctx.note(f"retried:{asked.template.stage}")
            reply, value = self._once(asked, read, remind=True)
        if value is None and lost:
            raise UnparsableReply(
                f"the reply of stage {asked.template.stage} has not the form asked for, and quirk B1 gives no second try; "
                "leave B1 out (--set method.quirks=-B1)"
            )
        return reply, value

    def _once(self, asked: Asked, read: Callable[[Reply], Value | None], *, remind: bool) -> tuple[Reply, Value | None]:
        template = asked.template
        if remind:
            template = replace(template, stage=f"{template.stage}_retry")
        prompt = template.fill(remind=remind, **asked.slots)
        reply = self.ctx.llm(prompt, temperature=self.parameters.temperature, max_tokens=self.parameters.max_tokens)
        self.calls += 1
        if self.calls == MANY_CALLS + 1:
            self.ctx.note("many_calls")
        value = read(reply)
        if value is None:
            self.ctx.note(f"parse_failure:{asked.template.stage}")
        return reply, value

    def _may_call(self, closing: bool) -> bool:
        """The call that answers is always allowed: calls are kept back for it and for its second try."""
        limit = self.parameters.max_calls_per_question
        return closing or not limit or self.calls < limit - RESERVED


def echo_of(reply: Reply, text: str) -> SlotValue | None:
    """Words of a reply for a later prompt; None where they are not the reply's own, or repeat an exemplar."""
    if "exemplar_echo" in reply.flags:
        return None
    try:
        echo = reply.echo(text)
    except ValueError:  # an escape in its JSON was decoded, say
        return None
    return echo if isinstance(echo, Echo) else None
