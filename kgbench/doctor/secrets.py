"""The last guard before anything is shown: secrets of this machine are taken out of every text.

No check puts one in. But texts quote servers, paths and errors of other libraries, and a key in a terminal ends in a
screenshot.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgbench.doctor.rows import CheckRow
    from kgbench.spec import RunSpec

_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)(?:$|_)", re.IGNORECASE)
_SHORTEST = 6
"""Shorter values, such as ``1`` or ``none``, are no secrets, and blanking them would blank half of a text."""
_BLANK = "***"
_PUBLIC_PARAMETERS = ("default-graph-uri",)


class Secrets:
    """Takes known secrets out of texts.

    Args:
        values: the secrets; short ones are passed over.
    """

    def __init__(self, values: Iterable[str]) -> None:
        # The longest first: one may be a part of another.
        self._values = sorted(
            {value for value in values if len(value) >= _SHORTEST}, key=lambda value: (-len(value), value)
        )

    @classmethod
    def of(cls, spec: RunSpec) -> Secrets:
        """Collect the secrets of the environment, and those in the addresses of a run."""
        named = [value.strip() for name, value in os.environ.items() if _SECRET_NAME.search(name)]
        return cls([*named, *_secrets_of_address(spec.kg or ""), *_secrets_of_address(spec.base_url or "")])

    def blanked(self, row: CheckRow) -> CheckRow:
        """Return a row without the secrets."""
        return replace(row, found=self._text(row.found), next=self._text(row.next), facts=self._value(dict(row.facts)))

    def _text(self, text: str) -> str:
        for value in self._values:
            text = text.replace(value, _BLANK)
        return text

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {key: self._value(item) for key, item in value.items()}
        return [self._value(item) for item in value] if isinstance(value, (list, tuple)) else value


def _secrets_of_address(address: str) -> list[str]:
    """Password and parameters of an address: a key may be among these."""
    if "://" not in address:
        return []
    try:
        parts = urlsplit(address)
        password = parts.password or ""
    except ValueError:
        return []
    values = [value for name, value in parse_qsl(parts.query) if name not in _PUBLIC_PARAMETERS]
    return [password, unquote(password), *values]
