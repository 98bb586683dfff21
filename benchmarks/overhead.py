"""CPU time that the harness itself takes for one model call.

A fake model of zero latency answers 100 questions of 17 calls with about 400 tokens each; the cache is off, audit and
record are on. Printed beside it: a figure given for inspect_ai on the same work with its ``mockllm`` model. This script does
not run inspect_ai, so the two were not measured in one run, and perhaps not on one machine.

    python benchmarks/overhead.py [--questions 100] [--calls 17] [--jobs 1] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import tempfile
import time

from kgbench.contracts import Completion, Context, MethodCard, ModelCard, ModelRequest
from kgbench.prompts import Example, Layout, Slot, TaskKind, Template
from kgbench.run.plan import Given, make_plan
from kgbench.run.runner import start
from kgbench.seam.pseudonyms import MasterKey
from kgbench.spec import RunSpec
from kgbench.testing.graphs import MemoryGraph
from kgbench.types import (
    Direction,
    Entity,
    Gold,
    GoldAnswer,
    NodeNames,
    Phase,
    Prediction,
    Question,
    QuestionRecord,
    Relation,
    Triple,
)

INSPECT_MILLISECONDS = 2.4
"""CPU milliseconds a call of inspect_ai on the same work: a given figure of an unknown version, not measured here."""
_LABELS = [f"domain{number % 7}.type{number % 11}.property_{number}" for number in range(40)]

TEMPLATE = Template(
    name="benchmark",
    kind=TaskKind.ANSWER,
    phase=Phase.GENERATION,
    stage="benchmark",
    system="Answer the question from the triples. Give the answer in one pair of braces, then one sentence on why.",
    turn="Question: {question}\nRelations: {relations}\nTriples:\n{triples}",
    slots={
        "question": Slot("question"),
        "relations": Slot("items", Layout.INLINE),
        "triples": Slot("triples", Layout.LINES),
    },
    write=str,
    examples=(
        Example(
            {
                "question": "Which river flows through the town below Mount Orvanel?",
                "relations": ("geography.mountain.towns", "geography.river.cities", "location.location.contains"),
                "triples": ("Mount Orvanel, geography.mountain.towns, m.0ea41uo (town)",),
            },
            "{m.0iu72ae} The river flows through the town below the mountain.",
        ),
    )
    * 3,
)


class ZeroLatency:
    """A model that answers at once and reports its usage."""

    card = ModelCard(name="fake/zero", backend="fake", cacheable=False)

    def complete(self, request: ModelRequest) -> Completion:
        """Return a fixed answer."""
        return Completion(texts=("{nothing} There is nothing more to say.",), input_tokens=400, output_tokens=12)


class Calls:
    """A method that reads the graph once and then asks the model some number of times."""

    card = MethodCard("benchmark", "1", "makes calls", templates=(TEMPLATE,))
    parameters = None
    calls = 17

    def answer(self, question: Question, ctx: Context) -> Prediction:
        """Ask ``calls`` times over a growing list of triples."""
        topic = question.topics[0]
        relations = ctx.kg.relations(topic, Direction.OUT)[:10]
        triples = [
            Triple(topic, relation, term)
            for relation in relations
            for term in ctx.kg.neighbours(topic, relation, Direction.OUT)
        ]
        for number in range(self.calls):
            prompt = TEMPLATE.fill(question=question, relations=relations, triples=triples[: 4 + number % 8])
            ctx.llm(prompt)
        return Prediction(("nothing",), "{nothing}")


def graph(questions: int) -> MemoryGraph:
    """A graph of stars: each topic has 40 neighbours with names."""
    relations = [Relation(label, label) for label in _LABELS]
    triples = []
    names = {}
    for number in range(questions):
        topic = Entity(f"m.0t{number}")
        names[topic.id] = NodeNames(f"Topic Number{number}")
        for place, relation in enumerate(relations):
            neighbour = Entity(f"m.0n{number}x{place}")
            names[neighbour.id] = NodeNames(f"Quorvane{number} Strelm{place}", (f"Alias{number} Vort{place}",))
            triples.append(Triple(topic, relation, neighbour))
    return MemoryGraph(triples, names=names)


def records(questions: int) -> tuple[QuestionRecord, ...]:
    """One question a topic."""
    return tuple(
        QuestionRecord(
            Question(
                f"q{number}", f"what is there to know about Topic Number{number} today?", (Entity(f"m.0t{number}"),)
            ),
            Gold(f"q{number}", (GoldAnswer(name="nothing"),)),
            {Entity(f"m.0t{number}"): f"Topic Number{number}"},
        )
        for number in range(questions)
    )


def main() -> None:
    """Run the benchmark and print its figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--calls", type=int, default=17)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    args = parser.parse_args()
    from kgbench.data.records import Dataset, LoadReport

    Calls.calls = args.calls
    asked = records(args.questions)
    dataset = Dataset("benchmark", asked, LoadReport("none", "0" * 64, len(asked), len(asked)))
    with tempfile.TemporaryDirectory() as folder:
        spec = RunSpec(method="benchmark", jobs=args.jobs, cache="off", out=folder)
        given = Given(
            model=ZeroLatency(), graph=graph(args.questions), dataset=dataset, method=Calls(), key=MasterKey(bytes(32))
        )
        plan = make_plan(spec, given)
        profiler = cProfile.Profile() if args.profile else None
        began = time.process_time()
        if profiler:
            profiler.enable()
        summary = start(plan)
        if profiler:
            profiler.disable()
        milliseconds = (time.process_time() - began) * 1000
    calls = args.questions * args.calls
    assert summary.calls_per_question == args.calls, summary
    print(f"{calls} calls, {args.jobs} at a time")
    print(f"kgbench     {milliseconds / calls:6.3f} ms of CPU a call (graph reads, records and scores included)")
    print(f"inspect_ai  {INSPECT_MILLISECONDS:6.3f} ms of CPU a call (same work, mockllm; given, not measured here)")
    if profiler:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)


if __name__ == "__main__":
    main()
