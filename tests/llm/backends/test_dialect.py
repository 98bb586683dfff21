from __future__ import annotations

import pytest

from kgbench.contracts import ModelRequest
from kgbench.llm.backends.dialect import Dialect
from kgbench.llm.backends.failures import Endpoint, ServerFailure, Transient

ENDPOINT = Endpoint("openai/fake", "api.openai.com", "OPENAI_API_KEY")
REQUEST = ModelRequest(
    ({"role": "user", "content": "Who?"},), {"temperature": 0.0, "max_tokens": 20.0, "seed": 3.0}, n=3
)


def test_parameters_go_as_the_api_wants_them() -> None:
    sent, dropped = Dialect(ENDPOINT).parameters(REQUEST)
    assert sent == {"temperature": 0.0, "max_tokens": 20, "seed": 3, "n": 3}
    assert isinstance(sent["max_tokens"], int)
    assert dropped == ()
    one = ModelRequest(REQUEST.messages, {"top_k": 3.0, "top_p": 0.5})
    assert Dialect(ENDPOINT).parameters(one) == ({"top_p": 0.5}, ("top_k",))


def test_a_renamed_parameter_is_learned() -> None:
    dialect = Dialect(ENDPOINT)
    sent, _ = dialect.parameters(REQUEST)
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    learned = dialect.learn(
        ServerFailure(400, code="unsupported_parameter", parameter="max_tokens", message=words), sent
    )
    assert isinstance(learned, Transient)
    assert "max_completion_tokens" in str(learned)
    sent, dropped = dialect.parameters(REQUEST)
    assert sent == {"temperature": 0.0, "max_completion_tokens": 20, "seed": 3, "n": 3}
    assert dropped == ()


@pytest.mark.parametrize(
    "failure",
    [
        ServerFailure(
            400, code="unsupported_value", parameter="temperature", message="Only the default (1) is supported."
        ),
        ServerFailure(400, message="Unsupported value: 'temperature' does not support 0 with this model."),
        ServerFailure(422, code="UnsupportedParamsError", message="fake does not take ['temperature']"),
    ],
)
def test_a_refused_parameter_is_left_out_and_reported(failure: ServerFailure) -> None:
    dialect = Dialect(ENDPOINT)
    assert dialect.learn(failure, dialect.parameters(REQUEST)[0]) is not None
    sent, dropped = dialect.parameters(REQUEST)
    assert "temperature" not in sent
    assert dropped == ("temperature",)
    assert dialect.learn(failure, sent) is None, "what is not sent is not to blame: repeats end"


def test_one_choice_a_request_is_learned() -> None:
    dialect = Dialect(ENDPOINT)
    failure = ServerFailure(400, message="Only one completion choice is allowed")
    assert dialect.learn(failure, dialect.parameters(REQUEST)[0]) is not None
    sent, dropped = dialect.parameters(REQUEST)
    assert "n" not in sent
    assert dropped == ()
    assert dialect.learn(failure, sent) is None


@pytest.mark.parametrize(
    "failure",
    [
        ServerFailure(400, message="temperature must be at most 2"),
        ServerFailure(400, message="Unsupported parameter in temperature or seed"),
        ServerFailure(400, code="unsupported_parameter", parameter="messages", message="temperature"),
        ServerFailure(500, message="Unsupported parameter: 'seed'"),
        ServerFailure(None, kind="timeout"),
    ],
)
def test_nothing_is_learned_from_other_failures(failure: ServerFailure) -> None:
    dialect = Dialect(ENDPOINT)
    sent, _ = dialect.parameters(REQUEST)
    assert dialect.learn(failure, sent) is None
    assert dialect.parameters(REQUEST) == (sent, ())


def test_known_parameters_are_all_that_is_sent() -> None:
    dialect = Dialect(ENDPOINT, known=("temperature", "max_completion_tokens"))
    assert dialect.parameters(REQUEST) == ({"temperature": 0.0, "max_completion_tokens": 20}, ("seed",))
