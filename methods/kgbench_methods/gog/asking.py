"""How GoG asks the model: one temperature for all calls, a limit on the prompt, and an end to the search where it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import Echo, LocalText
from kgbench.errors import PromptTooLong
from kgbench.prompts import Described, Fact, Word
from kgbench.types import ClassLabel, Entity, JoinedRelation, Literal, Question, Relation, Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench.contracts import Context, Reply
    from kgbench.prompts import FilledPrompt, SlotValue, Template
    from kgbench_methods.gog.parameters import GogParameters

MAX_TOKENS = 256
CHARACTERS_PER_TOKEN = 4
TOKENS_OF_A_NODE = 6
"""What a handle takes. A name counts the same: what is sent must not depend on the length of private names."""


class GaveUp(Exception):
    """The search cannot go on; the model is asked to answer from memory.

    Args:
        reason: one word for the record.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Asker:
    """Sends the prompts of one question."""

    ctx: Context
    parameters: GogParameters

    def ask(self, prompt: FilledPrompt, n: int = 1) -> Reply:
        """Send a prompt.

        Raises:
            GaveUp: the prompt is over the limit of the profile or does not fit the model.
        """
        limit = self.parameters.largest_prompt
        if limit is not None and estimated_tokens(prompt) >= limit:
            raise GaveUp("prompt_limit")
        try:
            return self.ctx.llm(prompt, n=n, temperature=self.parameters.temperature, max_tokens=MAX_TOKENS)
        except PromptTooLong:
            raise GaveUp("prompt_too_long") from None

    def ask_twice(self, template: Template, **slots: SlotValue | Sequence[SlotValue]) -> Reply:
        """Fill and send a template; once more where the model said nothing."""
        reply = self.ask(template.fill(remind=False, **slots))
        if reply.text.strip() or not self.may_ask_again(template):
            return reply
        return self.ask(template.fill(remind=True, **slots))

    def may_ask_again(self, template: Template) -> bool:
        """Tell whether a prompt may be asked a second time, and count it.

        The second request must differ from the first: in the reminder or, above temperature 0, in its seed. With quirk B2
        there is none.
        """
        differs = bool(template.reminder) or self.parameters.temperature > 0
        again = differs and not self.parameters.has("B2")
        self.ctx.note(f"retried:{template.stage}", int(again))
        return again


def estimated_tokens(prompt: FilledPrompt) -> int:
    """Estimate the tokens of a prompt without its names."""
    template = prompt.template
    fixed = sum(len(message["content"]) for message in template.fixed_messages)
    fixed += sum(len(text) for text, _ in template.segments)
    tokens = fixed / CHARACTERS_PER_TOKEN
    for value in prompt.values.values():
        items = value if isinstance(value, tuple) else (value,)
        tokens += sum(1 + _tokens(item) for item in items)
    return round(tokens)


def _tokens(item: SlotValue) -> float:
    if isinstance(item, (Entity, Literal)):
        return TOKENS_OF_A_NODE
    if isinstance(item, Described):
        return TOKENS_OF_A_NODE + sum(map(_tokens, item.concepts))
    if isinstance(item, Fact):
        return _tokens(item.triple) + sum(map(_tokens, (*item.subject, *item.object)))
    if isinstance(item, Triple):
        return 2 * TOKENS_OF_A_NODE + _tokens(item.relation)
    if isinstance(item, (Relation, JoinedRelation, ClassLabel)):
        return len(item.label) / CHARACTERS_PER_TOKEN
    if isinstance(item, (Question, Echo, LocalText, Word)):
        return len(item.text) / CHARACTERS_PER_TOKEN
    return 1
