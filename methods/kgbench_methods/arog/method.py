"""ARoG: abstraction reasoning on graph (AAAI 2026, arXiv 2508.08785), and its variant ARoG-R.

Entities become concepts named from their relations, the question becomes an abstract path, and retrieval matches the two:
so the model answers without seeing a name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kgbench.contracts import MethodCard
from kgbench_methods.arog.parameters import ArogParameters
from kgbench_methods.arog.prompts import RELATION_TEMPLATES, TEMPLATES
from kgbench_methods.arog.walk import Walk
from kgbench_methods.common.fallback import FALLBACK_TEMPLATES

if TYPE_CHECKING:
    from kgbench.contracts import Context
    from kgbench.types import Prediction, Question


def expected_calls(parameters: ArogParameters) -> tuple[float, float]:
    """Typical and largest number of calls a question, before retries (spec: 2 + D(W + W^2 + 1) without mediators).

    Typical: two iterations, with a relation call for each frontier entity and a concept a cluster. The largest counts
    every chosen label in both directions.
    """
    width, depth = parameters.width, parameters.depth
    concept_calls = width**2 if parameters.names_concepts else 0
    abstraction = 0 if parameters.sa == "off" else 1
    largest = abstraction + 1 + depth * (width + 2 * concept_calls + 1)
    typical = abstraction + 1 + (1 + concept_calls / width + 1) + (depth > 1) * (width + concept_calls + 1) * 0.8
    return typical, largest


def _expected_calls_r(parameters: ArogParameters) -> tuple[float, float]:
    typical, largest = expected_calls(replace(parameters, sa="off"))
    return typical + min(2, parameters.depth), largest + 2 * parameters.depth


CARD = MethodCard(
    name="arog",
    version="1",
    summary="Abstraction Reasoning on Graph: entities as concepts, the question as an abstract path",
    paper="arXiv 2508.08785 (AAAI 2026)",
    templates=(*TEMPLATES, FALLBACK_TEMPLATES[0]),
    parameters=ArogParameters,
    uses_graph=True,
    uses_embedder=True,
    expected_calls=expected_calls,
)

CARD_R = replace(
    CARD,
    name="arog-r",
    summary="ARoG-R: entities as concepts, the model itself chooses among the candidate triples",
    templates=(*RELATION_TEMPLATES, FALLBACK_TEMPLATES[0]),
    expected_calls=_expected_calls_r,
)


class Arog:
    """The method ``arog``."""

    card = CARD

    def __init__(self, parameters: ArogParameters | None = None) -> None:
        self.parameters = parameters or ArogParameters()

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question (spec: ARoG, section 4)."""
        return Walk(question, self.parameters, ctx).answer()


class ArogR(Arog):
    """The method ``arog-r``: no abstract path; selection by a call of the model."""

    card = CARD_R

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Answer one question (spec: ARoG, section 9)."""
        return Walk(question, self.parameters, ctx, by_model=True).answer()
