from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest

from kgbench.contracts import ModelCard
from kgbench.errors import DataError
from kgbench.llm.prices import PRICES_VARIABLE, load_prices, priced_name
from kgbench.types import Usage

if TYPE_CHECKING:
    from pathlib import Path

MINI = "openai/gpt-4o-mini-2024-07-18"


@pytest.fixture(autouse=True)
def _no_user_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PRICES_VARIABLE, raising=False)


def test_cost_counts_cached_input_at_its_own_price() -> None:
    usage = Usage(
        calls=1, input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, reasoning_tokens=90_000
    )
    assert load_prices().cost(MINI, usage) == pytest.approx(0.6 * 0.15 + 0.4 * 0.075 + 0.1 * 0.60)


def test_without_a_cached_price_all_input_costs_alike() -> None:
    usage = Usage(input_tokens=1_000_000, cached_tokens=1_000_000)
    assert load_prices().cost("openai/gpt-3.5-turbo-0125", usage) == pytest.approx(0.5)


def test_more_cached_than_input_tokens_never_gives_a_negative_cost() -> None:
    assert load_prices().cost(MINI, Usage(input_tokens=10, cached_tokens=1000)) == pytest.approx(10 * 0.075 / 1e6)


@pytest.mark.parametrize("name", [MINI, "gpt-4o-mini-2024-07-18", f"litellm/{MINI}"])
def test_names_of_one_model(name: str) -> None:
    assert load_prices().cost(name, Usage(output_tokens=1_000_000)) == pytest.approx(0.60)


@pytest.mark.parametrize(
    "name", ["openai/gpt-4o-mini", "openai/nobody", "mistral/gpt-4o-mini-2024-07-18", "replay:x", ""]
)
def test_an_unknown_price_is_none_and_not_zero(name: str) -> None:
    assert load_prices().cost(name, Usage(output_tokens=1)) is None


def test_the_reader_is_free() -> None:
    assert load_prices().cost("builtin/reader", Usage(input_tokens=10**9)) == 0.0


def test_the_table_has_a_date_and_sane_prices() -> None:
    table = load_prices()
    assert datetime.date.fromisoformat(table.date).year >= 2026
    for name, price in table.prices.items():
        assert name.startswith("openai/"), name
        assert 0 < price.input < price.output, name
        assert price.cached is None or 0 < price.cached < price.input, name


def test_a_server_of_ones_own_has_no_list_price() -> None:
    table = load_prices()
    own = priced_name(ModelCard(name=MINI, backend="openai", base_url="http://localhost:8000/v1/"))
    assert own == f"{MINI}@http://localhost:8000/v1"
    assert table.cost(own, Usage(input_tokens=1)) is None
    assert priced_name(ModelCard(name=MINI, backend="openai")) == MINI
    assert priced_name(ModelCard(name=MINI, backend="openai", base_url="https://api.openai.com/v1")) == MINI


def test_a_users_file_adds_and_overrides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        "[models]\n"
        f'"{MINI}" = {{ input = 1, output = 2 }}\n'
        '"litellm/mistral/small" = { input = 3.5, output = 4, cached = 0 }\n'
        f'"{MINI}@http://localhost:8000/v1" = {{ input = 0.01, output = 0.01 }}\n'
    )
    monkeypatch.setenv(PRICES_VARIABLE, str(file))
    table = load_prices()
    million = Usage(input_tokens=1_000_000)
    assert table.cost(MINI, million) == 1.0
    assert table.cost("litellm/mistral/small", million) == 3.5
    assert table.cost("mistral/small", Usage(input_tokens=5, cached_tokens=5)) == 0.0
    assert table.cost(f"{MINI}@http://localhost:8000/v1", million) == pytest.approx(0.01)
    assert table.cost("openai/gpt-4-0613", million) == 30.0


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("models = 3", "table"),
        ("", "table"),
        ("[models\n", "not TOML"),
        ('[models]\n"a/b" = { input = 1 }', 'model "a/b": needs input and output'),
        ('[models]\n"a/b" = { input = 1, output = 1, ouput = 2 }', "needs input and output"),
        ('[models]\n"a/b" = { input = "1", output = 1 }', "input must be a number"),
        ('[models]\n"a/b" = { input = true, output = 1 }', "input must be a number"),
        ('[models]\n"a/b" = { input = 1, output = -1 }', "output must be a number"),
        ('[models]\n"a/b" = { input = 1, output = nan }', "output must be a number"),
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    with pytest.raises(DataError, match=complaint) as caught:
        load_prices(file)
    assert "mine.toml" in str(caught.value)


def test_an_absent_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="KGBENCH_PRICES"):
        load_prices(tmp_path / "absent.toml")
