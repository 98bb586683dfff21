"""The toy world: a dozen odd corners that graphs have, in a graph that can be read at a glance. Every name is invented."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from kgbench.testing.graphs import MemoryGraph, parse_term, parse_triples
from kgbench.types import Entity, Gold, GoldAnswer, Literal, NodeNames, Question, QuestionRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kgbench.contracts import Profile

_FACTS = """
brenka    person.job             job1
job1      job.employer           ashgrove
job1      job.since              "2004"^^gYear
tamsin1   person.job             job2
job2      job.employer           ashgrove
job2      job.since              "1998"^^gYear
ashgrove  company.founded        "1911-05-04"^^date
ashgrove  company.phone          "0417 3301"
ashgrove  company.phone          "0417 3302"
ashgrove  company.phone          "0417 3303"
ashgrove  company.staff          "212"^^integer
ashgrove  company.town           velm
society   society.founder        tamsin1
society   society.founder        tamsin10
win1      win.prize              quill
win1      win.winner             brenka
win1      win.year               "2011"^^gYear
pavo      person.child           brenka
brenka    person.child           ilse
brenka    person.child.godchild  tamsin10
brenka    person.friend          tamsin1
tamsin10  person.friend          brenka
lantern   object.part            part1
lantern   object.part            part2
band      band.song              song1
band      band.song              song2
band      band.song              song3
band      band.song              song4
band      band.song              song5
brenka    person.lives_in        velm
"""
_FIRST = ("Ada", "Borin", "Celse", "Dovra")
_LAST = ("Fenn", "Garrow", "Hulst", "Jask", "Kemble", "Loor")

_RESIDENTS = {
    f"resident{number:02d}": (f"{first} {last}",) for number, (last, first) in enumerate(product(_LAST, _FIRST), 1)
}
_NAMES: Mapping[str, tuple[str, ...]] = {
    **_RESIDENTS,
    "brenka": ("Brenka Moll", "B. Moll"),
    "tamsin1": ("Tamsin Orrel",),
    "tamsin10": ("Tamsin Orrel",),
    "pavo": ("Pavo Moll",),
    "ilse": ("Ilse Moll",),
    "ashgrove": ("Ashgrove Works", "The Works"),
    "society": ("Reed Society",),
    "quill": ("Copper Quill",),
    "velm": ("Port Velm", "Velm"),
    "lantern": ("Old Lantern",),
    "band": ("The Gullmen",),
    "song1": ("Awake {now}",),
    "song2": ("AC; DC",),
    "song3": ("A -> B",),
    "song4": ("x | y",),
    "song5": ('Line one\nand "two"',),
}
_CLASSES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("brenka", "tamsin1", "tamsin10", "pavo", "ilse", *_RESIDENTS), ("person",)),
    "ashgrove": ("company",),
    "velm": ("town",),
    "job1": ("job",),
    "job2": ("job",),
    "win1": ("win",),
}
_MEDIATORS = ("job1", "job2", "win1")

_PHONES = ('"0417 3301"', '"0417 3302"', '"0417 3303"')

# Question id, text, topics, answers.
_QUESTIONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("forward mediator", "At which employer does Brenka Moll have a job?", ("brenka",), ("ashgrove",)),
    ("backward mediator", "Who has a job at the employer Ashgrove Works?", ("ashgrove",), ("brenka", "tamsin1")),
    ("n-ary mediator", "Who is the winner of the prize Copper Quill?", ("quill",), ("brenka",)),
    ("two hops", "In which town lives the winner of the Copper Quill?", ("quill",), ("velm",)),
    ("same relation twice", "Who is a child of a child of Pavo Moll?", ("pavo",), ("ilse",)),
    ("literals", "What are the phone numbers of Ashgrove Works?", ("ashgrove",), _PHONES),
    ("date", "When was Ashgrove Works founded?", ("ashgrove",), ('"1911-05-04"^^date',)),
    ("hub", "Who lives in Port Velm?", ("velm",), ("brenka", *_RESIDENTS)),
    ("homonyms", "Who are the founders of the Reed Society?", ("society",), ("tamsin1", "tamsin10")),
    ("dead end", "What are the parts of the Old Lantern made of?", ("lantern",), ()),
    (
        "odd names",
        "Which songs does the band The Gullmen play?",
        ("band",),
        ("song1", "song2", "song3", "song4", "song5"),
    ),
    (
        "two topics",
        "Since when does Brenka Moll have a job at Ashgrove Works?",
        ("brenka", "ashgrove"),
        ('"2004"^^gYear',),
    ),
    ("absent topic", "Where does Quorl Vanth live?", ("nobody",), ()),
    ("no topic", "What is the tallest lighthouse?", (), ()),
)


def toy_graph(profile: Profile | None = None) -> MemoryGraph:
    """Return the toy graph.

    It has mediators walked forwards, backwards and from the object of all their roles; a cluster of literals; a hub of 25;
    a dead end of nodes without names; two entities of one name, the id of one a prefix of the other's; a relation label
    inside another; a label in both directions of one entity; names with braces, separators and line ends.
    """
    lives_in = "\n".join(f"{resident}  person.lives_in  velm" for resident in _RESIDENTS)
    names = {
        node: NodeNames(every[0], tuple(every[1:]), f"What is told of {every[0]}.") for node, every in _NAMES.items()
    }
    return MemoryGraph(
        parse_triples(f"{_FACTS.strip()}\n{lives_in}"),
        names=names,
        classes=_CLASSES,
        mediators=_MEDIATORS,
        profile=profile,
    )


def toy_records(*ids: str) -> tuple[QuestionRecord, ...]:
    """Return the questions of the toy world, all or those of the ids given; an id says what is odd about a question."""
    graph = toy_graph()
    every = {row[0]: _record(graph, *row) for row in _QUESTIONS}
    return tuple(every[question_id] for question_id in ids or every)


def _record(
    graph: MemoryGraph, question_id: str, text: str, topics: Sequence[str], answers: Sequence[str]
) -> QuestionRecord:
    question = Question(question_id, text, tuple(Entity(topic) for topic in topics))
    given = {topic: name for topic in question.topics if (name := graph.names([topic])[topic].name)}
    gold = Gold(question_id, tuple(_gold_answer(graph, answer) for answer in answers))
    return QuestionRecord(question, gold, given, tags={"hops": 2 if question_id == "two hops" else 1})


def _gold_answer(graph: MemoryGraph, text: str) -> GoldAnswer:
    term = parse_term(text)
    if isinstance(term, Literal):
        return GoldAnswer(value=term.lexical, datatype=term.datatype)
    known = graph.names([term])[term]
    return GoldAnswer(term.id, known.name, known.aliases)
