"""The prompts of PoG: typed templates, in the form of profile clean, each with the inverse of its parser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kgbench.prompts import Choice, Example, Judgement, Layout, Slot, TaskKind, Template, Word
from kgbench.types import Direction, Phase
from kgbench_methods.common.answers import write_answers as braced
from kgbench_methods.common.lists import write_list
from kgbench_methods.common.worked_questions import WORKED_QUESTIONS
from kgbench_methods.pog import exemplars
from kgbench_methods.pog.exemplars import INVENTED, verdict_reply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FACT_PATTERNS: Mapping[Direction, Word] = {
    Direction.OUT: Word("entity, relation, candidate"),
    Direction.IN: Word("candidate, relation, entity"),
}
"""How a candidate stands to the entity that leads to it."""
NO_MEMORY = Word("{}")
NOTHING = Word("")
NO_REASON = Word("more evidence is needed")
TRIPLES_LABEL = Word("Triples")

_VERDICT_FORM = (
    'one JSON object {"A": {"Sufficient": "Yes" or "No", "Answer": "..." or ["...", "..."]}, "R": "..."}: whether it is '
    'enough, the answer or the list of answers, each written exactly as in the triples, or "null" where it is not '
    "enough, and the reason in one sentence"
)


def write_labels(choices: Sequence[Choice]) -> str:
    """Write chosen items by their text."""
    return write_list([choice.text for choice in choices])


def write_numbers(choices: Sequence[Choice]) -> str:
    """Write chosen items by their numbers."""
    return write_list([choice.position for choice in choices])


def write_memory(lines: Sequence[str]) -> str:
    """Write noted lines as a memory: one entry, one line each, so that their order changes no line."""
    items = "".join(f", {json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    return f'{{"1": ["known"\n{items}]\n}}'


def write_verdict(judgement: Judgement) -> str:
    """Write whether the evidence of a depth suffices, with the answers where it does."""
    if not judgement.sufficient:
        return verdict_reply("Sufficient", False, (), "a step of the question is not covered yet")
    return verdict_reply("Sufficient", True, _spelt(judgement.answers), "the triples lead to what is asked")


def write_correction(judgement: Judgement) -> str:
    """Write whether entities should be added: not where the evidence suffices."""
    if judgement.sufficient:
        return json.dumps({"Add": "No", "Reason": "what is asked lies ahead"})
    return json.dumps({"Add": "Yes", "Reason": "a step of the question is not covered yet"})


def write_answers(answers: Sequence[str] | None) -> str:
    """Write final answers; none is a reply that knows no answer."""
    return verdict_reply("Sufficient", bool(answers), _spelt(answers), "read from the triples")


def write_known(answers: Sequence[str] | None) -> str:
    """Write closed-book answers; None is a reply that knows no answer."""
    return verdict_reply("Known", bool(answers), _spelt(answers), "from memory")


def _spelt(answers: Sequence[str] | None) -> tuple[str, ...]:
    """Answers with whatever the parser would read as structure, or as "unknown", escaped."""
    return tuple(braced([answer])[1:-1] for answer in answers or ())


# --- Retrieval --------------------------------------------------------------------------------------------------------

DECOMPOSE = Template(
    name="pog.decompose",
    kind=TaskKind.PATH,
    phase=Phase.RETRIEVAL,
    stage="decompose",
    system=(
        "You split a question into the smaller objectives that must be met, one after the other, to answer it. Reply with "
        "one JSON list of short strings and nothing else; a simple question has a list of one."
    ),
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write=write_list,
    examples=(Example({"question": exemplars.PRIZES}, write_list(exemplars.OBJECTIVES)),),
    reminder="Reply with one JSON list of short strings.",
    invented=INVENTED,
)

REL_SELECT = Template(
    name="pog.rel_select",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="rel_select",
    system=(
        "You search a knowledge graph for the answer to a question. From the relations of one entity pick those that may "
        "lead to the answer or to one of the objectives: as many as are useful, and no more. Copy each label exactly as it "
        "is listed. Reply with one bracketed list of quoted labels and nothing else."
    ),
    turn="Question: {question}\nObjectives: {objectives}\nEntity: {entity}\nRelations: {relations}",
    slots={
        "question": Slot("question"),
        "objectives": Slot(),
        "entity": Slot("query_entity"),
        "relations": Slot("items", Layout.INLINE),
    },
    write=write_labels,
    examples=(
        Example(
            {
                "question": exemplars.PRIZES,
                "objectives": write_list(exemplars.OBJECTIVES),
                "entity": "The Saxomere Lantern",
                "relations": exemplars.FILM_RELATIONS,
            },
            write_list(exemplars.CHOSEN_RELATIONS),
        ),
    ),
    reminder="Reply with one bracketed list of quoted labels from the list above.",
    invented=INVENTED,
)

ENT_PRUNE = Template(
    name="pog.ent_prune",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="ent_prune",
    system=(
        "You search a knowledge graph for the answer to a question. A relation of an entity leads to the numbered "
        "candidates; the pattern tells which of them is the subject. Pick the candidates that matter for the question: as "
        "many as are useful, and no more. Reply with one bracketed list of their numbers, [] if none matters, and nothing "
        "else."
    ),
    turn=(
        "Question: {question}\nPattern: {pattern}\nEntity: {entity}\nRelation: {relation}\nCandidates:\n{candidates}"
    ),
    slots={
        "question": Slot("question"),
        "pattern": Slot(),
        "entity": Slot("query_entity"),
        "relation": Slot(),
        "candidates": Slot("items", Layout.NUMBERED),
    },
    write=write_numbers,
    examples=(
        Example(
            {
                "question": exemplars.MARSHES,
                "pattern": FACT_PATTERNS[Direction.OUT].text,
                "entity": "Ulvarrick",
                "relation": "film.director.film",
                "candidates": exemplars.FILMS,
            },
            write_list([exemplars.CHOSEN_FILM]),
        ),
    ),
    reminder="Reply with one bracketed list of numbers from the list above.",
    invented=INVENTED,
)

JUDGE = Template(
    name="pog.judge",
    kind=TaskKind.JUDGE,
    phase=Phase.RETRIEVAL,
    stage="judge",
    system=(
        "A search in a knowledge graph has not answered a question yet. Judge whether it is enough to go on from the "
        "entities at hand, or whether entities that were met before should be added to them. Reply with one JSON object "
        '{"Add": "Yes" or "No", "Reason": "..."} and nothing else.'
    ),
    turn="Question: {question}\nNotes: {memory}\nEntities at hand:\n{tails}\nTriples:\n{triples}",
    slots={
        "question": Slot("question"),
        "tails": Slot("", Layout.LINES),
        "memory": Slot(),
        "triples": Slot("triples", Layout.LINES),
    },
    write=write_correction,
    examples=tuple(
        Example(
            {"question": question, "tails": tails, "memory": memory, "triples": triples},
            json.dumps({"Add": "Yes" if add else "No", "Reason": reason}),
        )
        for question, tails, memory, triples, add, reason in exemplars.JUDGE_CASES
    ),
    reminder='Reply with one JSON object with the keys "Add" and "Reason".',
    invented=INVENTED,
)

ADD_ENTITIES = Template(
    name="pog.add_entities",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="add_entities",
    system=(
        "A search in a knowledge graph should also go on from entities that were met before. Given the question, the "
        "reason and the notes, pick from the numbered candidates those to explore in addition, and no more than are "
        "useful. Reply with one bracketed list of their numbers, [] if none is useful, and nothing else."
    ),
    turn="Question: {question}\nReason: {reason}\nNotes: {memory}\nCandidates:\n{candidates}",
    slots={
        "question": Slot("question"),
        "reason": Slot(),
        "memory": Slot(),
        "candidates": Slot("items", Layout.NUMBERED),
    },
    write=write_numbers,
    examples=(
        Example(
            {
                "question": exemplars.JUDGE_CASES[0][0],
                "reason": exemplars.ADD_REASON,
                "memory": exemplars.JUDGE_CASES[0][2],
                "candidates": exemplars.ADD_CANDIDATES,
            },
            write_list([exemplars.ADD_CANDIDATES.index(added) + 1 for added in exemplars.ADDED]),
        ),
    ),
    reminder="Reply with one bracketed list of numbers from the list above.",
    invented=INVENTED,
)

# --- Both phases ------------------------------------------------------------------------------------------------------

UPDATE_MEMORY = Template(
    name="pog.update_memory",
    kind=TaskKind.NOTE,
    phase=Phase.MIXED,
    stage="update_memory",
    system=(
        "You keep the notes of a search in a knowledge graph. From the objectives of the question, the notes so far and "
        "the triples just found, write the notes anew: what is known by now for each objective. Reply with one JSON object "
        "with a numbered entry for each objective and nothing else. Write entities exactly as they stand in the triples."
    ),
    turn="Question: {question}\nObjectives: {objectives}\nNotes: {memory}\nTriples:\n{triples}",
    slots={
        "question": Slot("question"),
        "objectives": Slot(),
        "memory": Slot(),
        "triples": Slot("triples", Layout.LINES),
    },
    write=write_memory,
    examples=(
        Example(
            {
                "question": exemplars.PRIZES,
                "objectives": write_list(exemplars.OBJECTIVES),
                "memory": exemplars.MEMORY,
                "triples": exemplars.NEW_TRIPLES,
            },
            exemplars.NEW_MEMORY,
        ),
    ),
    reminder="Reply with one JSON object with a numbered entry for each objective.",
    invented=INVENTED,
)

# --- Generation -------------------------------------------------------------------------------------------------------

ANSWER_DEPTH = Template(
    name="pog.answer_depth",
    kind=TaskKind.JUDGE,
    phase=Phase.GENERATION,
    stage="answer_depth",
    system=(
        "You judge whether the notes and triples that were found in a knowledge graph are enough to answer a question. "
        f"Reply with {_VERDICT_FORM}."
    ),
    turn="Question: {question}\nNotes: {memory}\nTriples:\n{triples}",
    slots={"question": Slot("question"), "memory": Slot(), "triples": Slot("triples", Layout.LINES)},
    write=write_verdict,
    examples=tuple(
        Example(
            {"question": case.question, "memory": case.memory, "triples": case.triples},
            verdict_reply("Sufficient", bool(case.answers), case.answers, case.reason),
        )
        for case in exemplars.CASES
    ),
    reminder='Reply with one JSON object {"A": {"Sufficient": ..., "Answer": ...}, "R": ...}.',
    invented=INVENTED,
)

ANSWER = Template(
    name="pog.answer",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="answer",
    system=(
        "You answer a question from the triples that were found in a knowledge graph, or else from what you know. "
        f"Reply with {_VERDICT_FORM}."
    ),
    turn="Question: {question}\nTriples:\n{triples}",
    slots={"question": Slot("question"), "triples": Slot("triples", Layout.LINES)},
    write=write_answers,
    examples=tuple(
        Example(
            {"question": case.question, "triples": case.triples},
            verdict_reply("Sufficient", bool(case.answers), case.answers, case.reason),
        )
        for case in exemplars.CASES
    ),
    reminder=ANSWER_DEPTH.reminder,
    invented=INVENTED,
)

_KNOWN = WORKED_QUESTIONS[0]

COT = Template(
    name="pog.cot_json",
    kind=TaskKind.RECALL,
    phase=Phase.GENERATION,
    stage="cot_json",
    system=(
        'Answer the question from what you know. Reply with one JSON object {"A": {"Known": "Yes" or "No", "Answer": "..." '
        'or ["...", "..."]}, "R": "..."}: whether you know it, the answer or the list of answers, and the reason in one or '
        "two short sentences."
    ),
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write=write_known,
    examples=(
        Example({"question": _KNOWN.question}, verdict_reply("Known", True, (_KNOWN.answer,), _KNOWN.reasoning)),
    ),
    reminder='Reply with one JSON object {"A": {"Known": ..., "Answer": ...}, "R": ...}.',
)
