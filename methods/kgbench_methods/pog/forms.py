"""The forms of PoG's prompts that profile and quirks ask for.

``clean`` sends exemplars as chat turns, numbers lists of entities and asks for numbers. ``official`` sends all in one
message, as the published code does, lists entities in brackets and asks for their names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from kgbench.prompts import Example, Layout, Slot, Template
from kgbench_methods.common.lists import write_list
from kgbench_methods.pog import exemplars
from kgbench_methods.pog.prompts import (
    ADD_ENTITIES,
    ANSWER,
    ANSWER_DEPTH,
    COT,
    DECOMPOSE,
    ENT_PRUNE,
    JUDGE,
    REL_SELECT,
    UPDATE_MEMORY,
    write_labels,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgbench_methods.pog.parameters import PogParameters


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates that one setting sends."""

    decompose: Template
    rel_select: Template
    ent_prune: Template
    update_memory: Template
    answer_depth: Template
    judge: Template
    add_entities: Template
    answer: Template
    cot: Template
    numbered: bool = True
    """True where lists of entities are numbered, and numbers asked for."""

    @property
    def templates(self) -> tuple[Template, ...]:
        """All of them."""
        return (
            self.decompose,
            self.rel_select,
            self.ent_prune,
            self.update_memory,
            self.answer_depth,
            self.judge,
            self.add_entities,
            self.answer,
            self.cot,
        )


CLEAN = Prompts(DECOMPOSE, REL_SELECT, ENT_PRUNE, UPDATE_MEMORY, ANSWER_DEPTH, JUDGE, ADD_ENTITIES, ANSWER, COT)


def prompts_of(parameters: PogParameters) -> Prompts:
    """The templates that these parameters send."""
    return _prompts(parameters.official, parameters.has("B8"), parameters.has("B13"))


@lru_cache(maxsize=8)
def _prompts(official: bool, mixed_triples: bool, bare_question: bool) -> Prompts:
    prompts = _official() if official else CLEAN
    if mixed_triples:
        prompts = _with_mixed_triples(prompts)
    if bare_question:
        prompts = replace(prompts, cot=replace(prompts.cot, name=f"{prompts.cot.name}.b13", turn="\n{question}"))
    return prompts


def _official() -> Prompts:
    """All in one message; entities in brackets, asked for by name."""
    return Prompts(
        decompose=_flat(DECOMPOSE),
        rel_select=_flat(REL_SELECT),
        ent_prune=_flat(_names_instead_of_numbers(ENT_PRUNE, [exemplars.FILMS[exemplars.CHOSEN_FILM - 1]])),
        update_memory=_flat(UPDATE_MEMORY),
        answer_depth=_flat(ANSWER_DEPTH),
        judge=_flat(JUDGE),
        add_entities=_flat(_names_instead_of_numbers(ADD_ENTITIES, exemplars.ADDED)),
        answer=_flat(ANSWER),
        cot=_flat(COT),
        numbered=False,
    )


def _flat(template: Template) -> Template:
    return replace(template, name=f"{template.name}.official", flat=True)


def _names_instead_of_numbers(template: Template, chosen: Sequence[str]) -> Template:
    (example,) = template.examples
    return replace(
        template,
        system=template.system.replace("the numbered candidates", "the candidates")
        .replace("numbered candidates", "candidates")
        .replace("bracketed list of their numbers", "bracketed list of them, quoted, exactly as they are written"),
        turn=template.turn.replace("Candidates:\n{candidates}", "Candidates: [{candidates}]"),
        slots={**template.slots, "candidates": Slot("items", Layout.COMMA)},
        write=write_labels,
        examples=(Example(example.slots, write_list(chosen)),),
        reminder="Reply with one bracketed list of quoted entities from the list above.",
    )


def _with_mixed_triples(prompts: Prompts) -> Prompts:
    """Quirk B8: an exemplar says "Triplets" where the prompt says "Triples", and triples are listed in three ways.

    What stands inside a triple is the gateway's, so the layouts differ between triples.
    """
    (example,) = prompts.ent_prune.examples
    ent_prune = replace(
        prompts.ent_prune,
        name=f"{prompts.ent_prune.name}.b8",
        turn=prompts.ent_prune.turn.replace("\nPattern: ", "\n{label}: "),
        slots={**prompts.ent_prune.slots, "label": Slot()},
        examples=(Example({**example.slots, "label": "Triplets"}, example.reply),),
    )
    return replace(
        prompts,
        ent_prune=ent_prune,
        answer_depth=_laid_out(prompts.answer_depth, Layout.COMMA),
        answer=_laid_out(prompts.answer, Layout.INLINE),
        judge=_laid_out(prompts.judge, Layout.INLINE),
    )


def _laid_out(template: Template, layout: Layout) -> Template:
    return replace(
        template,
        name=f"{template.name}.b8",
        turn=template.turn.replace("Triples:\n", "Triples: "),
        slots={**template.slots, "triples": Slot("triples", layout)},
    )


TEMPLATES: tuple[Template, ...] = tuple(
    {
        template.name: template
        for official, mixed, bare in product((False, True), repeat=3)
        for template in _prompts(official, mixed, bare).templates
    }.values()
)
"""Every template that some setting sends, clean ones first."""
