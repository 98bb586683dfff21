from __future__ import annotations

import base64
import hashlib
import html
import json
import re

from hypothesis import given
from hypothesis import strategies as st

from kgbench.report.page.document import MODULES, Block, compressed, document, to_json

DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) ([A-Za-z_$][\w$]*)", re.MULTILINE)


def page(*chunks: Block, packed: bool = False, title: str = "t") -> str:
    return document(title, revealed=False, heads=[Block("meta", "{}")], chunks=chunks, packed=packed, noscript="n")


def asset(name: str) -> str:
    from importlib.resources import files

    return files("kgbench.report.page").joinpath("assets", name).read_text(encoding="utf-8")


@given(st.text())
def test_json_in_a_script_ends_no_script_and_hides_nothing(text: str) -> None:
    data = to_json({"key": text})
    assert json.loads(data) == {"key": text}
    assert not re.search("[<>&\\x00-\\x1f\\x7f-\\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", data)


def test_odd_text_is_inert_in_the_file() -> None:
    odd = "</script><script>alert(1)</script><!-- {{SCRIPT}} \u2028 \u202e"
    made = page(Block("chunk-0", to_json([odd])), title=odd)
    assert "alert(1)</script>" not in made
    assert made.count("<script ") == 3  # meta, chunk, module
    assert "<title>&lt;/script&gt;" in made


def test_the_policy_lets_nothing_in_or_out() -> None:
    made = page()
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', made)[1])  # type: ignore[index]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for kind, pattern in (("script", r'<script type="module">(.*?)</script>'), ("style", r"<style>(.*?)</style>")):
        text = re.search(pattern, made, re.DOTALL)[1]  # type: ignore[index]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_nothing_in_the_file_points_elsewhere() -> None:
    made = page()
    head, _, script = made.partition('<script type="module">')
    assert set(re.findall(r"""\b(?:src|href)\s*=\s*["']?([^"'\s>]*)""", head)) == {"#questions", "#overview"}
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\b|\.src\b", script)
    assert not re.search(r"url\(\s*[\"']?(?!#)", made)
    assert "@import" not in made
    links = set(re.findall(r"https?://[^\s\"'`]+", made))
    assert links == {"http://www.w3.org/2000/svg"}  # a name space, not an address


def test_modules_share_one_scope_without_a_clash() -> None:
    names = [name for module in MODULES for name in DECLARED.findall(asset(module))]
    assert sorted(names) == sorted(set(names))
    script = re.search(r'<script type="module">(.*?)</script>', page(), re.DOTALL)[1]  # type: ignore[index]
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)


def test_every_module_imports_what_stands_before_it() -> None:
    for place, module in enumerate(MODULES):
        for imported in re.findall(r'from "\./([a-z]+\.js)"', asset(module)):
            assert imported in MODULES[:place], f"{module} imports {imported}"


def test_foreign_text_enters_as_text_alone() -> None:
    for module in MODULES:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", asset(module)
        )


def test_a_packed_block_unpacks_to_the_same() -> None:
    import zlib

    block = Block("chunk-0", to_json(["x" * 1000, "Ä\u202e"]))
    small = compressed(block)
    assert len(small.data) < len(block.data)
    assert zlib.decompress(base64.b64decode(small.data)).decode() == block.data
    assert compressed(block) == small
