"""One HTML file from a skeleton, a style sheet, modules and data: nothing in it loads anything, and nothing can."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MODULES = (
    "dom.js",
    "data.js",
    "segments.js",
    "filter.js",
    "graph.js",
    "overview.js",
    "steps.js",
    "trace.js",
    "list.js",
    "keys.js",
    "main.js",
)
"""Modules in an order in which each stands behind what it imports."""
PLAIN_LIMIT = 6_000_000
"""Bytes of traces up to which they stand in the file as they are, so that any tool can search it; above, compressed."""
_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./[a-z]+\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|class|const)", re.MULTILINE)
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_UNSAFE = re.compile(
    "[<>&\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""Characters that end a script, that a reader of the file cannot see, or that change how its lines read."""


class Block(NamedTuple):
    """A block of data for the page's modules."""

    name: str
    data: str
    """JSON, escaped for HTML."""


def to_json(value: Any) -> str:
    """JSON that is safe inside a ``script`` element and readable in an editor."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def compressed(block: Block) -> Block:
    """The same block, deflated, in base64."""
    return Block(block.name, base64.b64encode(zlib.compress(block.data.encode("utf-8"), 9)).decode("ascii"))


def document(
    title: str, *, revealed: bool, heads: Iterable[Block], chunks: Iterable[Block], packed: bool, noscript: str
) -> str:
    """Return the page.

    Args:
        title: of the document.
        revealed: the page holds what only the owner may see.
        heads: blocks that are read at once.
        chunks: blocks that are read when they are looked at.
        packed: the chunks are compressed.
        noscript: what a browser without scripts shows.
    """
    script, style = _script(), _asset("page.css")
    policy = _POLICY.format(script=_digest(script), style=_digest(style))
    blocks = [_data_element("application/json", block) for block in heads]
    kind = "application/octet-stream" if packed else "application/json"
    blocks += [_data_element(kind, block) for block in chunks]
    return _filled(
        _asset("page.html"),
        {
            "POLICY": html.escape(policy),
            "TITLE": html.escape(title),
            "KIND": "revealed" if revealed else "scrubbed",
            "STYLE": style,
            "NOSCRIPT": html.escape(noscript),
            "DATA": "\n".join(blocks),
            "SCRIPT": script,
        },
    )


def _data_element(kind: str, block: Block) -> str:
    return f'<script type="{kind}" id="{html.escape(block.name)}">{block.data}</script>'


def _filled(skeleton: str, parts: Mapping[str, str]) -> str:
    """Fill ``{{PLACE}}`` once: what is put in is not searched again."""
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: parts[match.group(1)], skeleton)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


@lru_cache(maxsize=1)
def _script() -> str:
    """All modules as one: a file that loads nothing cannot import either."""
    return "\n" + "\n".join(_EXPORT.sub("", _IMPORT.sub("", _asset(name))) for name in MODULES)


@lru_cache(maxsize=32)
def _asset(name: str) -> str:
    return files("kgbench.report.page").joinpath("assets", name).read_text(encoding="utf-8")
