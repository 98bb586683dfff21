from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from kgbench.contracts import Completion, ModelCard, ModelRequest, TransientFailure
from kgbench.testing import ScriptedModel

REQUEST = ModelRequest(({"role": "user", "content": "Who?"},), {"temperature": 0.0})
THREE = ModelRequest(REQUEST.messages, REQUEST.sampling, n=3)


def test_a_list_is_served_in_turn() -> None:
    whole = Completion(texts=(None,), finish="length")
    error = TransientFailure("busy", retry_after=2.0)
    model = ScriptedModel(["one", error, whole, "a", "b", "c"])
    assert model.complete(REQUEST).texts == ("one",)
    with pytest.raises(TransientFailure) as caught:
        model.complete(REQUEST)
    assert caught.value is error
    assert model.complete(REQUEST) is whole
    assert model.complete(THREE).texts == ("a", "b", "c")
    assert model.requests == (REQUEST, REQUEST, REQUEST, THREE)
    assert model.calls == 4


@pytest.mark.parametrize(("script", "request_"), [([], REQUEST), (["a"], THREE), (["a", ValueError(), "c"], THREE)])
def test_a_script_that_is_too_short_says_so(script: list[str | Exception | Completion], request_: ModelRequest) -> None:
    with pytest.raises(AssertionError, match="request 1"):
        ScriptedModel(script).complete(request_)


def test_one_exception_or_completion_serves_all_samples() -> None:
    model = ScriptedModel([ValueError("all"), Completion(texts=("a", "b"))])
    with pytest.raises(ValueError, match="all"):
        model.complete(THREE)
    assert model.complete(THREE).texts == ("a", "b")


def test_a_function_is_asked_once_a_sample() -> None:
    model = ScriptedModel(lambda request: request.messages[0]["content"].upper())
    completion = model.complete(THREE)
    assert completion.texts == ("WHO?",) * 3
    assert completion.input_tokens
    assert completion.output_tokens == 3 * 2
    assert model.calls == 1


def test_card() -> None:
    assert ScriptedModel([]).card.name == "scripted"
    card = ModelCard(name="x", backend="y", cacheable=False)
    assert ScriptedModel([], card).card is card


def test_threads_get_each_reply_once() -> None:
    model = ScriptedModel([str(number) for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: model.complete(REQUEST).texts[0], range(200)))
    assert sorted(texts, key=str) == sorted(map(str, range(200)))
    assert model.calls == 200
