"""The method with its parameters, and whether its privacy settings can hold on this graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgbench.doctor.rows import CheckRow, not_checked, ok
from kgbench.run.plan import load_method, privacy_policy
from kgbench.types import Phase

if TYPE_CHECKING:
    from kgbench.doctor.case import Case


def check_method(case: Case) -> list[CheckRow]:
    """Load the method and build its parameters.

    Raises:
        UsageError: no such method, a broken one, or a parameter that it does not take.
    """
    case.method = case.given.method or load_method(case.spec.method, dict(case.spec.parameters))
    card = case.method.card
    changed = ", ".join(f"{name}={value}" for name, value in sorted(case.spec.parameters.items()))
    return [ok("method", f"{card.name} {card.version}" + (f" with {changed}" if changed else ""), name=card.name)]


def check_privacy(case: Case) -> list[CheckRow]:
    """Tell what the settings protect.

    Raises:
        UsageError: they cannot hold on this graph.
    """
    policy = privacy_policy(case.spec)
    if case.graph is None and policy.pseudonyms == "source-id":
        return [not_checked("privacy", "whether ids of the graph may be shown depends on the graph, which is not open")]
    if case.graph is not None:
        profile = case.graph.card.profile
        policy.check_graph(profile.name, profile.opaque_ids)
    shown = [str(phase) for phase in (Phase.RETRIEVAL, Phase.GENERATION) if case.spec.scenario.exposes(phase)]
    names = f"names in {' and '.join(shown)} prompts" if shown else "no names of the graph in prompts"
    ids = "the graph's own ids" if policy.pseudonyms == "source-id" else "keyed handles"
    found = f"scenario {case.spec.scenario}: {names}; entities go by {ids}"
    return [ok("privacy", found, scenario=str(case.spec.scenario), pseudonyms=str(policy.pseudonyms))]
