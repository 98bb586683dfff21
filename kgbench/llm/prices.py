"""What tokens cost. An unknown price is None and stays None in every sum; it is never 0."""

from __future__ import annotations

import datetime
import os
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kgbench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgbench.contracts import ModelCard
    from kgbench.types import Usage

PRICES_VARIABLE = "KGBENCH_PRICES"
"""Environment variable that names the user's own price file."""

_PER = 1_000_000
_FREE = ("builtin/",)
_PRICED_HOSTS = ("api.openai.com",)
"""Hosts whose prices the shipped table states."""
_KEYS = {"input", "output", "cached"}


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens of one model."""

    input: float
    output: float
    """Reasoning tokens included."""
    cached: float | None = None
    """Input tokens served from the provider's prompt cache; None: they cost as much as others."""

    def of(self, usage: Usage) -> float:
        """Return the cost of some usage in USD."""
        cached = min(usage.cached_tokens, usage.input_tokens)
        cached_price = self.input if self.cached is None else self.cached
        fresh = usage.input_tokens - cached
        return (fresh * self.input + cached * cached_price + usage.output_tokens * self.output) / _PER


@dataclass(frozen=True)
class PriceTable:
    """Prices by model name, as given with ``--model`` (``litellm/`` in front does not count)."""

    prices: Mapping[str, Price]
    date: str
    """When the shipped prices were last checked (ISO 8601)."""

    def price(self, model: str) -> Price | None:
        """Return the price of a model of :func:`priced_name`, or None where it is unknown."""
        name = model.removeprefix("litellm/")
        if name.startswith(_FREE):
            return Price(0.0, 0.0)
        return self.prices.get(name) or self.prices.get(f"openai/{name}" if "/" not in name else name)

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return what some usage of a model costs in USD, or None where its price is unknown."""
        price = self.price(model)
        return None if price is None else price.of(usage)


def load_prices(user_file: Path | None = None) -> PriceTable:
    """Read the shipped prices and the user's own over them.

    Args:
        user_file: a TOML file with ``[models]``; where it is None, the one that ``$KGBENCH_PRICES`` names, if any.

    Raises:
        DataError: the file is absent or malformed.
    """
    shipped = tomllib.loads(resources.files("kgbench.llm").joinpath("prices.toml").read_text("utf-8"))
    prices = _read_models(shipped, "prices.toml")
    if user_file is None and os.environ.get(PRICES_VARIABLE):
        user_file = Path(os.environ[PRICES_VARIABLE])
    if user_file is not None:
        prices |= _read_user_file(user_file)
    date = shipped["date"]
    return PriceTable(prices, date.isoformat() if isinstance(date, datetime.date) else str(date))


def priced_name(card: ModelCard) -> str:
    """Return the name under which a model's tokens are priced.

    A server of one's own may offer any model under any name, so the provider's list price says nothing of it: the name
    then ends in ``@base_url``, and only a user's price file can have it.
    """
    if card.base_url is None or urlsplit(card.base_url).hostname in _PRICED_HOSTS:
        return card.name
    return f"{card.name}@{card.base_url.rstrip('/')}"


def _read_user_file(path: Path) -> dict[str, Price]:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataError(f"the price file {path} cannot be read ({error.strerror}); see ${PRICES_VARIABLE}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"the price file {path} is not TOML: {error}") from error
    return _read_models(content, str(path))


def _read_models(content: Mapping[str, Any], file: str) -> dict[str, Price]:
    models = content.get("models")
    if not isinstance(models, dict):
        raise DataError(f'{file}: prices stand in a table [models], as "NAME" = {{ input = 0.1, output = 0.4 }}')
    return {
        name.removeprefix("litellm/"): _read_price(entry, f'{file}, model "{name}"') for name, entry in models.items()
    }


def _read_price(entry: object, where: str) -> Price:
    if not isinstance(entry, dict) or not {"input", "output"} <= set(entry) <= _KEYS:
        raise DataError(f"{where}: needs input and output, may have cached, all in USD per million tokens")
    for key, value in entry.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
            raise DataError(f"{where}: {key} must be a number >= 0 (USD per million tokens)")
    return Price(**{key: float(value) for key, value in entry.items()})
