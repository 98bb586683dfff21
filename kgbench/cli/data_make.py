"""``kgbench data make``: the demo's graph at any size, for load tests."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from kgbench.cli.data_check import AsJson  # noqa: TC001 - typer reads annotations at run time
from kgbench.cli.display import say, show_json, tell
from kgbench.cli.failures import Debug  # noqa: TC001 - likewise

Out = Annotated[str, typer.Argument(metavar="OUT", help="Folder to make.")]
Triples = Annotated[int, typer.Option("--triples", min=1, help="About how many triples; 3000 or more.")]
Seed = Annotated[int, typer.Option("--seed", help="Another seed gives other names, facts and questions.")]
Questions = Annotated[int, typer.Option("--questions", min=0, help="How many questions.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the files of a graph that is there.")]


def make(
    out: Out,
    triples: Triples = 5000,
    seed: Seed = 0,
    questions: Questions = 120,
    force: Force = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Make a fictional graph with questions, of any size; the same numbers give the same bytes."""
    from kgbench.data.demo.making import Size
    from kgbench.data.demo.making import make as make_graph

    size = Size(triples, seed, questions)
    made = make_graph(Path(out).expanduser(), size, force=force, progress=lambda text: tell(f"kgbench: {text}"))
    if as_json:
        counts = {"triples": made.triples, "nodes": made.nodes, "named": made.entities, "questions": questions}
        show_json({"folder": out, "name": size.name, "seed": seed, **counts})
        return
    file = str(Path(out) / "questions.jsonl")
    say(f"made       {size.name} in {out}: {made.triples} triples, {made.nodes} nodes ({made.entities} with a name)")
    say(f"questions  {questions}, in {file}")
    if questions:
        say(f"next       {shlex.join(['kgbench', 'data', 'check', out, file])}")
        say(f"           {shlex.join(['kgbench', 'run', '--dataset', f'jsonl:{file}', '--kg', out])}")
    else:
        say(f"next       {shlex.join(['kgbench', 'data', 'describe', out])}")
