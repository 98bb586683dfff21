"""``kgbench run --plan``: what a run would do and cost, without spending or writing anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kgbench.config import method_parameters, parameter_values
from kgbench.embed import open_service
from kgbench.errors import KgbenchError
from kgbench.run.plan import Given, Plan, make_plan
from kgbench.seam.pseudonyms import MasterKey
from kgbench.types import Usage

if TYPE_CHECKING:
    from kgbench.spec import RunSpec

INPUT_TOKENS_PER_CALL = 450
OUTPUT_TOKENS_PER_CALL = 50
_DROPPED_SHOWN = 5
_NO_KEY = MasterKey(bytes(32))
"""Stands in for the installation's key, which planning neither needs nor makes."""


@dataclass(frozen=True)
class Estimate:
    """One expectation of calls, tokens and cost over all questions and trials."""

    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    """None where the model's price is unknown."""


@dataclass(frozen=True)
class PlanView:
    """What ``--plan`` shows."""

    plan: Plan
    spec: RunSpec
    """As asked for and resolved, with the cache setting that a run would have."""

    @property
    def parameters(self) -> Any:
        """The method's parameter object."""
        return method_parameters(self.plan.card.parameters, self.spec.parameters, self.spec.method)

    def estimates(self) -> dict[str, Estimate] | None:
        """The typical and the largest expectation; None where the method states none."""
        card = self.plan.card
        if card.expected_calls is None:
            return None
        typical, largest = card.expected_calls(self.parameters)
        return {"typical": self._estimate(typical), "largest": self._estimate(largest)}

    def _estimate(self, calls_per_question: float) -> Estimate:
        calls = round(calls_per_question * len(self.plan.records) * self.spec.trials)
        usage = Usage(
            calls=calls, input_tokens=calls * INPUT_TOKENS_PER_CALL, output_tokens=calls * OUTPUT_TOKENS_PER_CALL
        )
        cost = self.plan.prices.cost(self.plan.remote.priced_as, usage)
        return Estimate(calls, usage.input_tokens, usage.output_tokens, None if cost is None else round(cost, 4))

    def notes(self) -> list[str]:
        """What to know before the run."""
        notes = list(self.plan.warnings)
        if self.spec.setting == "filtered":
            notes.append(
                "filtered: chain of thought is asked first, a call a question; what it answers is then dropped"
            )
        check = getattr(self.plan.remote.model, "check", None)
        if check is not None:
            try:
                check()
            except KgbenchError as error:
                notes.append(str(error))
        return notes

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        estimates = self.estimates()
        report, graph = self.plan.dataset.report, self.plan.graph
        return {
            "spec_id": None if self.spec.setting == "filtered" else self.plan.spec_id,
            "spec": self.spec.to_json(),
            "parameters": parameter_values(self.parameters),
            "questions": len(self.plan.records),
            "trials": self.spec.trials,
            "data": {
                "name": self.plan.dataset.name,
                "file": report.file,
                "sha256": report.sha256,
                "records": report.records,
                "kept": report.kept,
                "dropped": [list(entry) for entry in report.dropped],
            },
            "kg": None
            if graph is None
            else {
                "name": graph.card.name,
                "profile": graph.card.profile.name,
                "fingerprint": graph.card.fingerprint,
                "triples": graph.card.triples,
            },
            "model": self.plan.remote.model.card.name,
            "lm": self.plan.remote.model.card.language_model,
            "estimate": None
            if estimates is None
            else {
                name: {
                    "calls": one.calls,
                    "input_tokens": one.input_tokens,
                    "output_tokens": one.output_tokens,
                    "usd": one.usd,
                }
                for name, one in estimates.items()
            },
            "estimated_with": {
                "input_tokens_per_call": INPUT_TOKENS_PER_CALL,
                "output_tokens_per_call": OUTPUT_TOKENS_PER_CALL,
                "prices_of": self.plan.prices.date,
            },
            "notes": self.notes(),
        }

    def lines(self) -> list[str]:
        """Text for people."""
        return [
            *self._settings(),
            *self._data(),
            *self._graph(),
            *self._expected(),
            *(f"note       {note}" for note in self.notes()),
            "Nothing was sent or written. Leave out --plan to run it.",
        ]

    def _settings(self) -> list[str]:
        settings = [f"{key}={value}" for key, value in self.spec.to_json().items() if value not in (None, "", [], {})]
        parameters = [f"{key}={value}" for key, value in parameter_values(self.parameters).items()]
        card = self.plan.remote.model.card
        kind = "language model" if card.language_model else "no language model: a retrieval baseline"
        lines = [
            f"settings   {', '.join(settings)}",
            f"method     {self.spec.method} with {', '.join(parameters) or 'no parameters'}",
            f"model      {card.name} ({kind})" + (f" at {card.base_url}" if card.base_url else ""),
        ]
        return lines if self.spec.setting == "filtered" else [*lines, f"spec_id    {self.plan.spec_id}"]

    def _data(self) -> list[str]:
        report, count = self.plan.dataset.report, len(self.plan.records)
        lines = [
            f"questions  {count} of {self.plan.dataset.name}, {self.spec.trials} trial(s); {report.file}: "
            f"{report.records} records, {report.kept} kept, {len(report.dropped)} dropped"
        ]
        lines += [f"dropped    {place}: {reason}" for place, reason in report.dropped[:_DROPPED_SHOWN]]
        if len(report.dropped) > _DROPPED_SHOWN:
            lines.append(f"dropped    and {len(report.dropped) - _DROPPED_SHOWN} more; --json lists them all")
        return lines

    def _graph(self) -> list[str]:
        if self.plan.graph is None:
            return ["graph      none"]
        card = self.plan.graph.card
        size = "size unknown" if card.triples is None else f"{card.triples} triples"
        return [f"graph      {card.name}, profile {card.profile.name}, {size}, content {card.fingerprint[:8]}"]

    def _expected(self) -> list[str]:
        estimates = self.estimates()
        if estimates is None:
            return ["expected   the method does not state its calls"]
        lines = [
            f"{name:<11}{one.calls} calls, {one.input_tokens} tokens in, {one.output_tokens} tokens out, {_usd(one)}"
            for name, one in estimates.items()
        ]
        lines.append(
            f"estimate   from the method's own count of calls, at {INPUT_TOKENS_PER_CALL} tokens in and "
            f"{OUTPUT_TOKENS_PER_CALL} out a call; prices of {self.plan.prices.date}"
        )
        return lines


def _usd(estimate: Estimate) -> str:
    return "unknown price" if estimate.usd is None else f"{estimate.usd:.4f} USD"


def plan_view(spec: RunSpec) -> PlanView:
    """Plan a run without opening a cache or making a key.

    Raises:
        KgbenchError: what planning a run raises.
    """
    given = Given(embeddings=open_service(spec.embedder), key=_NO_KEY)
    plan = make_plan(replace(spec, cache="off"), given)
    return PlanView(plan, replace(plan.spec, cache=spec.cache))
