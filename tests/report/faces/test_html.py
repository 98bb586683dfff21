from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from odd_tables import COUNT, NAME, SCORE, odd_table, tables

from kgbench.report.faces import to_html
from kgbench.report.table import Table, make_table

ALLOWED = set(
    "html head meta title style body main h1 h2 section div table caption thead tbody tr th td strong u span details "
    "summary ul li".split()
)
VOID = {"meta"}


class Page(HTMLParser):
    """Checks that elements nest, and keeps those that it meets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.met: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.met if name == tag]


@given(tables())
def test_no_foreign_text_becomes_an_element_or_an_attribute(table: Table) -> None:
    page = Page(to_html(table))
    assert page.open == []
    assert {tag for tag, _ in page.met} <= ALLOWED
    labels = {one["data-label"] for one in page.all("td") if "data-label" in one}
    assert labels <= {column.title for column in table.visible}
    names = {name for _, attributes in page.met for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("href", "src", "style", "action")}


def test_nothing_is_loaded_and_nothing_runs() -> None:
    text = to_html(odd_table())
    page = Page(text)
    policy = next(one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None and policy is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style[1] and "@import" not in style[1]
    assert "prefers-color-scheme: dark" in style[1]
    assert page.all("script") == page.all("link") == page.all("img") == []


def test_cells_say_what_they_belong_to() -> None:
    table = make_table((NAME, SCORE, COUNT), [("first", [{"name": "x", "score": 0.5}]), ("second", [])])
    page = Page(to_html(table))
    assert [one["id"] for one in page.all("caption")] == ["caption-1-1", "caption-1-2", "caption-2-1", "caption-2-2"]
    regions = [one for one in page.all("div") if one.get("role") == "region"]
    assert [one["aria-labelledby"] for one in regions] == [one["id"] for one in page.all("caption")]
    assert {one.get("scope") for one in page.all("th")} == {"col", "row"}
    assert sum(one.get("scope") == "row" for one in page.all("th")) == 2
    assert [one["data-label"] for one in page.all("td") if "data-label" in one] == [SCORE.title]


@pytest.mark.parametrize("attribute", ["lang", "charset", "viewport", "color-scheme"])
def test_the_document_says_its_language_and_form(attribute: str) -> None:
    text = to_html(odd_table(), "My <board>")
    assert "<title>My &lt;board&gt;</title>" in text
    assert attribute in text.split("<body>")[0]
