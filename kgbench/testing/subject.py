"""A method under test, and how it is run on the canary world."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kgbench.contracts import ModelCard
from kgbench.llm.backends.reader import readable
from kgbench.testing.canary import CanaryWorld, canary_world
from kgbench.testing.harness import RunArtifacts, build_method, run_once
from kgbench.testing.parrot import Parrot
from kgbench.types import Zone

if TYPE_CHECKING:
    from kgbench.contracts import ChatModel, Method, MethodCard


@dataclass(frozen=True)
class Subject:
    """A method under test."""

    method: str | type
    parameters: dict[str, Any]

    @cached_property
    def world(self) -> CanaryWorld:
        """The canary world, made once."""
        return canary_world()

    @cached_property
    def card(self) -> MethodCard:
        """The method's card."""
        return self.build().card

    def build(self) -> Method:
        """A fresh instance: no run may profit from an earlier one."""
        return build_method(self.method, self.parameters)

    @property
    def reader_can(self) -> bool:
        """True where ``builtin/reader`` has a reading for every template."""
        return all(readable(template.kind) for template in self.card.templates)

    @property
    def models(self) -> tuple[ChatModel | None, ...]:
        """The models that checks run with; None is ``builtin/reader``."""
        return (None, Parrot()) if self.reader_can else (Parrot(),)

    @cached_property
    def usual_runs(self) -> tuple[RunArtifacts, ...]:
        """One run a model with default settings, the parrot's last; made once, since many checks look at them."""
        return tuple(self.run(model) for model in self.models)

    def run(self, model: ChatModel | None = None, **settings: Any) -> RunArtifacts:
        """Run the method on the canary world; ``settings`` as :func:`kgbench.testing.harness.run_once` takes them."""
        defaults = {"graph": self.world.graph, "records": self.world.records}
        if model is None and not self.reader_can:
            model = Parrot()
        return run_once(self.build(), model=model, local_model=_LocalParrot(), **{**defaults, **settings})


class _LocalParrot(Parrot):
    card = ModelCard(name="parrot", backend="scripted", language_model=False, cacheable=False, zone=Zone.LOCAL)
