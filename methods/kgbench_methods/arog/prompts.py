"""The prompts of ARoG: typed templates, with exemplars about invented things.

The invented names are whole nonsense words and the invented handles hold a vowel, which no issued handle does: a reply
that repeats one is recognised.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from kgbench.prompts import Choice, Example, Judgement, Layout, Order, Slot, TaskKind, Template
from kgbench.types import Phase
from kgbench_methods.common.answers import write_answers
from kgbench_methods.common.lists import write_list
from kgbench_methods.common.paths import write_path

if TYPE_CHECKING:
    from collections.abc import Sequence

INVENTED = (
    "Orvanel",
    "Quillmarsh",
    "Brindlow",
    "Tamsereth",
    "Velkorin",
    "Drosmere",
    "Pellucaire",
    "Hanverdale",
    "m.0ea41uo",
    "m.0iu72ae",
    "m.0oa93ei",
    "m.0ui58oa",
    "m.0ae26iu",
    "m.0eo67ai",
)

_HANDLES = (
    "Codes such as m.0ea41uo stand for known things whose names are hidden; what kind of thing each one is may follow in "
    "parentheses."
)


def _write_path(pieces: Sequence[str]) -> str:
    return f"Thought: the question is taken step by step.\nPath: {write_path(pieces)}\nAnswer: x"


def _write_choices(choices: Sequence[Choice]) -> str:
    return write_list([choice.text for choice in choices])


def _write_numbers(choices: Sequence[Choice]) -> str:
    return write_list([choice.position for choice in choices])


def _write_type(words: str) -> str:
    return json.dumps({"type": words, "description": f"something that is a {words}"}, ensure_ascii=False)


def _write_judgement(judgement: Judgement) -> str:
    if judgement.sufficient:
        return "{Yes} The triples lead from the question's topic to what is asked."
    return "{No} A step of the question is not covered yet."


_PATH_EXAMPLES = (
    Example(
        {"question": "Which cities does the river that rises on Mount Orvanel flow through?"},
        "Thought: Mount Orvanel is where a river rises; that river flows through the cities that are asked for.\n"
        "Path: {Orvanel (mountain) -> is the source of -> y (river)}; {y (river) -> flows through -> x (city)}\n"
        "Answer: x (city)",
    ),
    Example(
        {"question": "Who trained the painter of Quillmarsh at Dawn?"},
        "Thought: Quillmarsh at Dawn is a painting; it has a painter, and that painter had a teacher.\n"
        "Path: {Quillmarsh at Dawn (painting) -> was painted by -> y (painter)}; "
        "{y (painter) -> was a pupil of -> x (teacher)}\n"
        "Answer: x (teacher)",
    ),
    Example(
        {"question": "In what year did Brindlow United win its first cup?"},
        "Thought: Brindlow United is a sports team; it won a cup, and the year of the first one is asked for.\n"
        "Path: {Brindlow United (sports team) -> won the cup in -> x (year)}\n"
        "Answer: x (year)",
    ),
)

SA = Template(
    name="arog.sa",
    kind=TaskKind.PATH,
    phase=Phase.RETRIEVAL,
    stage="structure",
    system=(
        "You plan how a question could be answered from a graph of facts. Reply with three lines. Thought: one sentence on "
        "what leads to what. Path: the steps from what the question names to what it asks for, each as "
        "{thing (kind) -> relation -> thing (kind)}, joined by '; ', with y, z for things in between and x for what is "
        "asked for. Answer: x with its kind in parentheses."
    ),
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write=_write_path,
    examples=_PATH_EXAMPLES,
    reminder="Reply with the three lines Thought:, Path: and Answer:.",
    invented=INVENTED,
)

SA_REASONING = Template(
    name="arog.sa_reasoning",
    kind=TaskKind.PATH,
    phase=Phase.RETRIEVAL,
    stage="structure",
    system=(
        "You explain in a few short sentences, one a line and without naming any answer, which facts one would look up, in "
        "which order, to answer a question."
    ),
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write="\n".join,
    examples=(
        Example(
            {"question": "Which cities does the river that rises on Mount Orvanel flow through?"},
            "First, find the river that rises on Mount Orvanel.\nThen, find the cities that this river flows through.",
        ),
        Example(
            {"question": "Who trained the painter of Quillmarsh at Dawn?"},
            "First, find the painter of Quillmarsh at Dawn.\nThen, find who taught this painter.",
        ),
    ),
    reminder="Reply with one short sentence a line.",
    invented=INVENTED,
)

SA_DECOMPOSITION = Template(
    name="arog.sa_decomposition",
    kind=TaskKind.PATH,
    phase=Phase.RETRIEVAL,
    stage="structure",
    system=(
        "You split a question into the simpler questions that must be answered one after the other. Reply with a JSON list "
        "of these questions; a simple question is a list of one."
    ),
    turn="Question: {question}",
    slots={"question": Slot("question")},
    write=write_list,
    examples=(
        Example(
            {"question": "Which cities does the river that rises on Mount Orvanel flow through?"},
            '["Which river rises on Mount Orvanel?", "Which cities does this river flow through?"]',
        ),
        Example(
            {"question": "In what year did Brindlow United win its first cup?"},
            '["In what year did Brindlow United win its first cup?"]',
        ),
    ),
    reminder="Reply with a JSON list of questions.",
    invented=INVENTED,
)

RR = Template(
    name="arog.relations",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="relations",
    system=(
        "You choose relations of a knowledge graph. Given a question, an entity and the relations that the entity has, pick "
        "the relations that are most likely to lead from this entity towards the answer, best first, at most as many as "
        "asked for. Copy each label exactly as it is listed. Reply with one bracketed list of quoted labels and nothing "
        "else. " + _HANDLES
    ),
    turn="Question: {question}\nEntity: {entity}\nRelations: {relations}\nChoose at most: {width}",
    slots={
        "question": Slot("question"),
        "entity": Slot("query_entity"),
        "relations": Slot("items", Layout.INLINE),
        "width": Slot("limit"),
    },
    write=_write_choices,
    examples=(
        Example(
            {
                "question": "Which cities does the river that rises on Mount Orvanel flow through?",
                "entity": "Mount Orvanel",
                "relations": (
                    "geography.mountain.elevation",
                    "geography.mountain.first_ascent",
                    "geography.mountain.listed_by",
                    "geography.mountain.mountain_range",
                    "geography.mountain.rivers_rising_here",
                    "geography.river.origin",
                    "location.location.contained_by",
                    "location.location.nearby_airports",
                    "travel.destination.how_to_get_here",
                ),
                "width": "3",
            },
            '["geography.mountain.rivers_rising_here", "geography.river.origin", "location.location.contained_by"]',
        ),
    ),
    reminder="Reply with one bracketed list of quoted labels from the list above.",
    invented=INVENTED,
)

EA = Template(
    name="arog.abstraction",
    kind=TaskKind.TYPE,
    phase=Phase.RETRIEVAL,
    stage="abstraction",
    system=(
        "You say what kind of thing a hidden entity is. You are not told its name, only relations of a knowledge graph in "
        "which it stands as the object and relations in which it stands as the subject. The relations it is the object of "
        "tell what others have it as; the relations it is the subject of tell what it has itself. Reply with one JSON "
        'object with the keys "type", a common noun of one to three words, as specific as the relations allow, and '
        '"description", one short sentence. Never guess a name.'
    ),
    turn="The entity is the object of: {object_of}\nThe entity is the subject of: {subject_of}",
    slots={
        "object_of": Slot("object_of", Layout.INLINE),
        "subject_of": Slot("subject_of", Layout.INLINE),
    },
    write=_write_type,
    examples=(
        Example(
            {
                "object_of": ("geography.mountain.rivers_rising_here",),
                "subject_of": (
                    "geography.river.basin_countries",
                    "geography.river.cities",
                    "geography.river.discharge",
                    "geography.river.length",
                    "geography.river.mouth",
                ),
            },
            '{"type": "river", "description": "A stream of water that rises on a mountain and flows through cities."}',
        ),
    ),
    reminder='Reply with one JSON object with the keys "type" and "description".',
    invented=INVENTED,
)

_RIVER_TRIPLES = (
    "Mount Orvanel, geography.mountain.rivers_rising_here, m.0ea41uo (river)",
    "m.0ea41uo (river), geography.river.cities, m.0iu72ae (city)",
    "m.0ea41uo (river), geography.river.cities, m.0oa93ei (city, port)",
)
_RIVER = "Which cities does the river that rises on Mount Orvanel flow through?"
_PAINTER = "Who trained the painter of Quillmarsh at Dawn?"
_PAINTER_TRIPLES = ("Quillmarsh at Dawn, visual_art.artwork.artist, m.0ui58oa (painter)",)

_EVIDENCE_SLOTS = {"question": Slot("question"), "triples": Slot("triples", Layout.LINES, Order.SORTED)}
_EVIDENCE_TURN = "Question: {question}\nTriples:\n{triples}"

JUDGE = Template(
    name="arog.judge",
    kind=TaskKind.JUDGE,
    phase=Phase.GENERATION,
    stage="judge",
    system=(
        "You judge whether the triples found so far are enough to answer a question. "
        + _HANDLES
        + " Such a code counts as "
        "a full answer. Reply with {Yes} if what is asked for stands in the triples and every step of the question is "
        "covered, else with {No}; then give the reason in one sentence."
    ),
    turn=_EVIDENCE_TURN,
    slots=_EVIDENCE_SLOTS,
    write=_write_judgement,
    examples=(
        Example(
            {"question": _RIVER, "triples": _RIVER_TRIPLES},
            "{Yes} The river that rises on the mountain is m.0ea41uo, and the cities on it are listed.",
        ),
        Example(
            {"question": _PAINTER, "triples": _PAINTER_TRIPLES},
            "{No} The painter is m.0ui58oa, but who taught this painter is not among the triples.",
        ),
        Example(
            {
                "question": "Where was the founder of Tamsereth Mills born?",
                "triples": (
                    "Tamsereth Mills, organization.organization.founders, m.0ae26iu (business person)",
                    "Tamsereth Mills, organization.organization.headquarters, m.0eo67ai (town)",
                ),
            },
            "{No} The founder is m.0ae26iu, but no triple gives a place of birth.",
        ),
        Example(
            {
                "question": "Which company publishes the Velkorin Gazette?",
                "triples": ("m.0ui58oa (publishing company), book.publisher.periodicals, Velkorin Gazette",),
            },
            "{Yes} The publisher of the Velkorin Gazette is m.0ui58oa.",
        ),
        Example(
            {
                "question": "When did the Drosmere bridge open?",
                "triples": (
                    "Drosmere bridge, transportation.bridge.body_of_water_spanned, m.0ea41uo (river)",
                    "Drosmere bridge, transportation.bridge.locale, m.0iu72ae (city)",
                ),
            },
            "{No} No triple gives a date on which the bridge opened.",
        ),
    ),
    reminder="Begin the reply with {Yes} or {No}.",
    invented=INVENTED,
)

GENERATE = Template(
    name="arog.answer",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="answer",
    system=(
        "You answer a question from triples of a knowledge graph. "
        + _HANDLES
        + " Where the answer is such a thing, give "
        "its code exactly as it is written. Reply with the answer in one pair of braces, several answers separated by "
        "' | ', then one sentence on how the triples lead there. If the triples do not hold the answer, reply {unknown}."
    ),
    turn=_EVIDENCE_TURN,
    slots=_EVIDENCE_SLOTS,
    write=write_answers,
    examples=(
        Example(
            {"question": _RIVER, "triples": _RIVER_TRIPLES},
            "{m.0iu72ae | m.0oa93ei} The river m.0ea41uo rises on the mountain and flows through these two cities.",
        ),
        Example(
            {
                "question": "Who taught the architect of Pellucaire Hall in Hanverdale?",
                "triples": (
                    "Pellucaire Hall, architecture.structure.architect, m.0oa93ei (architect)",
                    "m.0ae26iu (professor), people.teacher.pupils, m.0oa93ei (architect)",
                    "m.0oa93ei (architect), people.person.place_of_birth, m.0eo67ai (town)",
                ),
            },
            "{m.0ae26iu} The architect m.0oa93ei was a pupil of the professor m.0ae26iu.",
        ),
    ),
    reminder="Begin the reply with the answer in one pair of braces.",
    invented=INVENTED,
)

JUDGE_HIDDEN = replace(JUDGE, name="arog.judge_hidden", phase=Phase.MIXED)
"""The judge of ``pg_judge = false``: names only where both phases show them, so not in ``p-g``."""

CHOOSE = Template(
    name="arog.choose",
    kind=TaskKind.CHOOSE,
    phase=Phase.RETRIEVAL,
    stage="choose",
    system=(
        "You choose facts of a knowledge graph. Given a question and numbered triples, pick the triples that help most to "
        "answer the question, or to come closer to its answer; best first, at most as many as asked for. Reply with one "
        "bracketed list of their numbers and nothing else. " + _HANDLES
    ),
    turn="Question: {question}\nTriples:\n{triples}\nChoose at most: {width}",
    slots={
        "question": Slot("question"),
        "triples": Slot("triples", Layout.NUMBERED, Order.SORTED),
        "width": Slot("limit"),
    },
    write=_write_numbers,
    examples=(
        Example(
            {
                "question": _RIVER,
                "triples": (
                    "Mount Orvanel, geography.mountain.first_ascent, m.0ui58oa (year)",
                    "Mount Orvanel, geography.mountain.mountain_range, m.0eo67ai (mountain range)",
                    "Mount Orvanel, geography.mountain.rivers_rising_here, m.0ea41uo (river)",
                    "m.0ea41uo (river), geography.river.cities, m.0iu72ae (city)",
                ),
                "width": "2",
            },
            "[4, 3]",
        ),
    ),
    reminder="Reply with one bracketed list of numbers from the list above.",
    invented=INVENTED,
)

TEMPLATES = (SA, SA_REASONING, SA_DECOMPOSITION, RR, EA, JUDGE, JUDGE_HIDDEN, GENERATE)
RELATION_TEMPLATES = (RR, EA, CHOOSE, JUDGE, JUDGE_HIDDEN, GENERATE)
"""Those of ``arog-r``, which has no abstract path."""
