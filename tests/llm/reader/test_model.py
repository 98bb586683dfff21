"""The backend itself: its card, its errors, its steadiness."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from kgbench.contracts import ModelRequest, TaskView
from kgbench.errors import UsageError
from kgbench.llm.backends.reader import Reader, readable
from kgbench.prompts import TaskKind


def request(kind: str, n: int = 1, **sampling: float) -> ModelRequest:
    items = ("film.film.director", "people.person.spouse")
    task = TaskView(kind, "toy.template", {"question": ("the wife",), "items": items}, repr)
    return ModelRequest(messages=(), sampling=sampling, n=n, task=task)


def test_the_card_says_what_it_is(reader: Reader) -> None:
    card = reader.card
    assert card.name == "builtin/reader"
    assert not card.language_model
    assert not card.cacheable
    assert not card.counts_tokens
    assert card.zone is None


def test_samples_are_equal_replies_whatever_the_sampling(reader: Reader) -> None:
    completion = reader.complete(request("choose", n=3, temperature=0.9, seed=7.0))
    assert len(completion.texts) == 3
    assert set(completion.texts) == set(reader.complete(request("choose", temperature=0.0)).texts)
    assert (completion.finish, completion.model) == ("stop", "builtin/reader")
    assert completion.input_tokens is None
    assert completion.dropped == ()


def test_every_kind_but_programs_is_readable(reader: Reader) -> None:
    assert [kind for kind in TaskKind if not readable(kind)] == [TaskKind.PROGRAM]
    for kind in TaskKind:
        if readable(kind):
            assert reader.complete(request(kind)).texts[0] is not None


@pytest.mark.parametrize("kind", ["program", "haiku"])
def test_an_unreadable_kind_is_named_with_its_template(reader: Reader, kind: str) -> None:
    assert not readable(kind)
    with pytest.raises(UsageError, match=f'"toy.template".*"{kind}".*--model'):
        reader.complete(request(kind))


def test_a_request_without_a_task_is_refused(reader: Reader) -> None:
    with pytest.raises(UsageError, match="made from a kgbench template"):
        reader.complete(ModelRequest(messages=(), sampling={}))


def test_threads_get_the_same_replies(embeddings) -> None:
    fresh = Reader(embeddings)
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: fresh.complete(request("choose")).texts[0], range(64)))
    assert set(replies) == {fresh.complete(request("choose")).texts[0]}


REPLIES = """
from kgbench.contracts import ModelRequest, ShownEnd, ShownTriple, TaskView
from kgbench.embed import open_service
from kgbench.llm.backends.reader import Reader, readable
from kgbench.prompts import TaskKind

reader = Reader(open_service("builtin/static"))
labels = tuple(f"people.person.{word}" for word in "spouse child parent birth_place sibling profession".split())
ends = [ShownEnd("Ann", topic=True)] + [ShownEnd(f"m.0{n} (person)", "person") for n in range(30)]
triples = tuple(ShownTriple(ends[n // 4], labels[n % 6], ends[n + 1]) for n in range(30))
slots = {"question": ("Where was the wife of the man that Ann met born?",), "items": labels, "subject_of": labels}
for kind in TaskKind:
    if readable(kind):
        task = TaskView(kind, "toy", slots, repr, triples, ("Ann", "man"))
        print(reader.complete(ModelRequest((), {}, task=task)).texts)
"""


def test_equal_requests_give_equal_replies_under_two_hash_seeds() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", REPLIES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert "m.0" in outputs[0]
