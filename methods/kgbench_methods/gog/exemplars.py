"""What the exemplars of GoG tell: three traces about invented things, and one case for each retrieval prompt.

A trace serves twice. Cut off after each step it gives the turns of the agent prompt; as a whole it shows how to answer from
memory. The invented names are whole nonsense words and the invented ids hold a vowel, which no issued handle does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

EVENT = "event"
"""What stands beside an intermediate node where hidden entities may be answers (``mid_rules=aware``)."""
OBSERVED = "Observation:"
NOTHING = "Observation: nothing found"
MISSING = "Observation: no such entity"
"""One fixed text for every name that stands for nothing: it must not tell whether the graph has the name."""
WIDENED = "Action: Search[everything that the last search found]"
"""The action in a step that Finish[unknown] led to."""
SEARCHED_INSTEAD = "(searched, since this is no answer yet)"
"""Beside a Finish that is taken as a search."""
GENERATED = "Observation (written from memory, not from the graph):"


@dataclass(frozen=True, slots=True)
class ShownStep:
    """One step of a trace as the prompt shows it."""

    thought: str
    action: str
    facts: tuple[str, ...] = ()
    """What a search found, sorted."""
    written: tuple[str, ...] = ()
    """What Generate wrote."""
    searched: tuple[str, ...] = ()

    @property
    def reply(self) -> str:
        """The step as the model writes it."""
        return f"Thought: {self.thought}\nAction: {self.action}"

    @property
    def lines(self) -> tuple[str, ...]:
        """Reply and head of the observation, as lines; the facts follow where there are any."""
        return (self.reply, *((GENERATED, *self.written) if self.written else (OBSERVED if self.facts else NOTHING,)))


@dataclass(frozen=True, slots=True)
class Trace:
    """A question with all its steps; the last one finishes."""

    question: str
    topics: tuple[str, ...]
    """Sorted."""
    steps: tuple[ShownStep, ...]

    @property
    def text(self) -> str:
        """The whole trace as a model writes it when it answers from memory."""
        *before, last = self.steps
        return "\n".join([*("\n".join((*step.lines, *step.facts)) for step in before), last.reply])


_JOIN = Trace(
    "Which instrument do both the Zelmora Ensemble and the Cravintor Quartet use?",
    ("Cravintor Quartet", "Zelmora Ensemble"),
    (
        ShownStep(
            "I need the instruments of both groups.",
            "Search[Cravintor Quartet | Zelmora Ensemble]",
            facts=(
                "Cravintor Quartet, ensemble.instruments, m.0ie71ua",
                "Cravintor Quartet, ensemble.instruments, m.0io48eu",
                "Zelmora Ensemble, ensemble.instruments, m.0io48eu",
            ),
            searched=("Cravintor Quartet", "Zelmora Ensemble"),
        ),
        ShownStep("Both groups use m.0io48eu.", "Finish[m.0io48eu]"),
    ),
)
_EVENTS = Trace(
    "At which lighthouses did Hobbelune Vey serve?",
    ("Hobbelune Vey",),
    (
        ShownStep(
            "I need the posts of Hobbelune Vey.",
            "Search[Hobbelune Vey]",
            facts=(
                "Hobbelune Vey, keeper.postings, m.0ou52ai (event)",
                "Hobbelune Vey, keeper.postings, m.0ua41ei (event)",
            ),
            searched=("Hobbelune Vey",),
        ),
        ShownStep(
            "Each posting only joins other things; the lighthouses stand behind them.",
            "Search[m.0ou52ai | m.0ua41ei]",
            facts=(
                "m.0ou52ai (event), posting.lighthouse, m.0ai95oe",
                "m.0ua41ei (event), posting.lighthouse, m.0eu16ou",
            ),
            searched=("m.0ou52ai", "m.0ua41ei"),
        ),
        ShownStep("The lighthouses are m.0ai95oe and m.0eu16ou.", "Finish[m.0ai95oe | m.0eu16ou]"),
    ),
)
_FULL_ANSWER = "Ostramune T.R."
_GAP = Trace(
    "In which town is the head office of Quoddleby, the owner of the Wexombry glassworks?",
    ("Quoddleby", "Wexombry glassworks"),
    (
        ShownStep(
            "I need what is known of Quoddleby.",
            "Search[Quoddleby]",
            facts=("Wexombry glassworks, factory.owner, Quoddleby",),
            searched=("Quoddleby",),
        ),
        ShownStep(
            "The graph has no head office of Quoddleby, so I write what I know of it.",
            "Generate[head office of Quoddleby]",
            written=(f"Quoddleby, head office, {_FULL_ANSWER}",),
        ),
        ShownStep("The head office is in the town that was written.", f"Finish[{_FULL_ANSWER}]"),
    ),
)
AWARE = (_JOIN, _EVENTS, _GAP)
"""Traces in which hidden entities are answers and intermediate nodes are marked."""

_NAMES = {
    "m.0ie71ua": "Brellophone",
    "m.0io48eu": "Tavilute",
    "m.0ai95oe": "Ebbenfalk",
    "m.0eu16ou": "Skarrowin",
}
_CODE = re.compile(r"m\.0[a-z0-9]+")


def _named(text: str) -> str:
    return _CODE.sub(lambda code: _NAMES.get(code.group(), code.group()), text).replace(f" ({EVENT})", "")


def _with_names(trace: Trace) -> Trace:
    steps = tuple(
        replace(step, thought=_named(step.thought), action=_named(step.action), facts=tuple(map(_named, step.facts)))
        for step in trace.steps
    )
    return replace(trace, steps=steps)


NAIVE = tuple(map(_with_names, AWARE))
"""The same traces with names; the ids that are left are intermediate nodes."""


def without_full_stop(traces: tuple[Trace, ...]) -> tuple[Trace, ...]:
    """Quirk B14: the last trace answers with a name that lacks its final full stop."""
    *before, last = traces
    *steps, finish = last.steps
    finish = replace(finish, action=finish.action.replace(_FULL_ANSWER, _FULL_ANSWER.removesuffix(".")))
    return (*before, replace(last, steps=(*steps, finish)))


INVENTED = (
    "Zelmora",
    "Cravintor",
    "Hobbelune",
    "Quoddleby",
    "Wexombry",
    "Ostramune",
    *_NAMES.values(),
    *_NAMES,
    "m.0ou52ai",
    "m.0ua41ei",
    "m.0oi27ae",
)


# --- Retrieval prompts -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RelationCase:
    """An exemplar of the relation prompt."""

    question: str
    thought: str
    entity: str
    relations: tuple[str, ...]
    chosen: tuple[str, ...]


RELATION_CASES = (
    RelationCase(
        _EVENTS.question,
        "I need the posts of Hobbelune Vey.",
        "Hobbelune Vey",
        ("keeper.biography", "keeper.postings", "person.children", "person.employment", "person.place_of_birth"),
        ("keeper.postings", "person.employment"),
    ),
    RelationCase(
        _JOIN.question,
        "I need the instruments of both groups.",
        "Zelmora Ensemble",
        (
            "ensemble.founded",
            "ensemble.instruments",
            "ensemble.members",
            "instrument.played_by",
            "recording.performer",
            "venue.resident_ensembles",
        ),
        ("ensemble.instruments", "instrument.played_by", "ensemble.members"),
    ),
    RelationCase(
        _GAP.question,
        "I need the town of the head office.",
        "m.0oi27ae",
        ("product.colour", "product.weight"),
        (),
    ),
)

SAME_NAME = (
    "I need the founder of the Quoddleby that makes glass.",
    "Quoddleby",
    ("Quoddleby (company, employer)", "Quoddleby (river)"),
    1,
)
"""Thought, name, entities of that name with their kinds, and the number of the right one."""

KNOWN_FACTS = (
    "I need the head office of Quoddleby.",
    ("Wexombry glassworks, factory.owner, Quoddleby",),
    (("Quoddleby", "head office", _FULL_ANSWER),),
)
"""Thought, known facts, and what is written from memory."""

GROUPS = (
    "I need the head office of Quoddleby.",
    (
        f"Quoddleby, head office, {_FULL_ANSWER}",
        f"Quoddleby, head office, {_FULL_ANSWER}; Quoddleby, founded in, {_FULL_ANSWER}",
        "Quoddleby, head office, Skarrowin",
    ),
    (("Quoddleby", "head office", _FULL_ANSWER),),
)
"""Thought, groups of facts that were written, and those that are kept."""
