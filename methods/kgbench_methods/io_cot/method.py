"""The methods ``io``, ``cot`` and ``cot-sc``: what a model knows without any graph.

Only the question's text is sent, so prompts are equal to the byte in all privacy scenarios.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench.errors import UsageError
from kgbench.types import Source
from kgbench_methods.common.answers import Group
from kgbench_methods.common.asking import MAX_TOKENS, ClosedBook, ask, prediction
from kgbench_methods.common.chain_of_thought import CHAIN_OF_THOUGHT, chain_of_thought
from kgbench_methods.common.profiles import Profile, check_profile
from kgbench_methods.io_cot.prompts import DIRECT
from kgbench_methods.io_cot.voting import Vote, vote_by_item, vote_by_set, vote_by_text

if TYPE_CHECKING:
    from kgbench.contracts import Context
    from kgbench.types import Prediction, Question

_LARGEST_SAMPLE = 100


@dataclass(frozen=True)
class ClosedBookParameters:
    """Knobs of ``io`` and ``cot``."""

    profile: Profile = "clean"
    """``clean`` asks for braces in so many words and once more where they are missing; ``official`` has exemplars only."""
    quirks: tuple[str, ...] = ()
    """Faults of the published script to repeat; there are none to choose from."""
    temperature: float = 0.0
    max_tokens: int = MAX_TOKENS
    """Most tokens of a reply."""

    def __post_init__(self) -> None:
        check_profile("io or cot", self.profile, self.quirks)


@dataclass(frozen=True)
class SelfConsistencyParameters:
    """Knobs of ``cot-sc``."""

    profile: Profile = "clean"
    """``clean`` votes on normalised sets of answers; ``official`` on strings, as the published script."""
    quirks: tuple[str, ...] = ()
    """Faults of the published script to repeat; there are none to choose from."""
    n: int | None = None
    """Samples a question; by profile 5 (clean) or 6 (official)."""
    temperature: float | None = None
    """Sampling temperature; by profile 0.7 (clean) or 0 (official)."""
    max_tokens: int = MAX_TOKENS
    """Most tokens of a reply."""
    per_item_vote: bool = False
    """True: each answer votes by itself, and those with half of the votes are returned (clean only)."""

    def __post_init__(self) -> None:
        check_profile("cot-sc", self.profile, self.quirks)
        if not 1 <= self.samples <= _LARGEST_SAMPLE:
            raise UsageError(f"cot-sc takes 1 to {_LARGEST_SAMPLE} samples, not {self.n}; change --set method.n")
        if self.per_item_vote and self.profile == "official":
            raise UsageError(
                "cot-sc votes on strings in profile official; drop method.per_item_vote or use profile clean"
            )

    @property
    def samples(self) -> int:
        """Samples a question."""
        return self.n if self.n is not None else {"clean": 5, "official": 6}[self.profile]

    @property
    def sampling_temperature(self) -> float:
        """Temperature of each sample."""
        return self.temperature if self.temperature is not None else {"clean": 0.7, "official": 0.0}[self.profile]


def _calls_of_one_reply(parameters: ClosedBookParameters) -> tuple[float, float]:
    return (1.0, 2.0 if parameters.profile == "clean" else 1.0)


def _calls_of_a_vote(parameters: SelfConsistencyParameters) -> tuple[float, float]:
    calls = float(parameters.samples)
    return (calls, 2.0) if parameters.samples == 1 and parameters.profile == "clean" else (calls, calls)


class Io:
    """Answer at once, without reasoning (Brown et al. 2020)."""

    card = MethodCard(
        name="io",
        version="1",
        summary="Ask the model, answer only: no graph, no reasoning",
        paper="arXiv 2005.14165",
        templates=tuple(DIRECT.values()),
        parameters=ClosedBookParameters,
        uses_graph=False,
        expected_calls=_calls_of_one_reply,
    )

    def __init__(self, parameters: ClosedBookParameters) -> None:
        self._asking = ClosedBook(
            DIRECT[parameters.profile], Group.FIRST, parameters.temperature, parameters.max_tokens
        )

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question in one call; two where the clean profile asks again."""
        return ask(self._asking, question, ctx)


class Cot:
    """Reason in a sentence or two, then answer (Wei et al. 2022)."""

    card = MethodCard(
        name="cot",
        version="1",
        summary="Ask the model to reason first: no graph; defines the filtered setting",
        paper="arXiv 2201.11903",
        templates=tuple(CHAIN_OF_THOUGHT.values()),
        parameters=ClosedBookParameters,
        uses_graph=False,
        expected_calls=_calls_of_one_reply,
    )

    def __init__(self, parameters: ClosedBookParameters) -> None:
        self._asking = chain_of_thought(
            parameters.profile, temperature=parameters.temperature, max_tokens=parameters.max_tokens
        )

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question in one call; two where the clean profile asks again."""
        return ask(self._asking, question, ctx)


class CotSc:
    """Sample several chains of thought and let them vote (Wang et al. 2023)."""

    card = MethodCard(
        name="cot-sc",
        version="1",
        summary="Sample several chains of thought and let them vote: no graph",
        paper="arXiv 2203.11171",
        templates=tuple(CHAIN_OF_THOUGHT.values()),
        parameters=SelfConsistencyParameters,
        uses_graph=False,
        expected_calls=_calls_of_a_vote,
    )

    def __init__(self, parameters: SelfConsistencyParameters) -> None:
        self._parameters = parameters
        self._asking = chain_of_thought(
            parameters.profile, temperature=parameters.sampling_temperature, max_tokens=parameters.max_tokens
        )

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question in n calls; a single sample is the chain of thought itself."""
        if self._parameters.samples == 1:
            return ask(self._asking, question, ctx)
        vote = self._count_votes(self._sample(question, ctx))
        if vote.unparsable:
            ctx.note(f"parse_failure:{self._asking.template.stage}", vote.unparsable)
        return prediction(vote.raw, vote.reading, Source.MODEL)

    def _sample(self, question: Question, ctx: Context) -> tuple[str, ...]:
        sampling: dict[str, float] = {"temperature": self._asking.temperature, "max_tokens": self._asking.max_tokens}
        if self._parameters.profile == "clean":
            sampling["top_p"] = 1.0
        prompt = self._asking.template.fill(question=question)
        reply = ctx.llm(prompt, n=self._parameters.samples, **sampling)
        return reply.samples or (reply.text,)

    def _count_votes(self, samples: tuple[str, ...]) -> Vote:
        if self._parameters.profile == "official":
            return vote_by_text(samples)
        return vote_by_item(samples) if self._parameters.per_item_vote else vote_by_set(samples)
