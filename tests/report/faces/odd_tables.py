"""Tables with every kind of column and odd texts, to be written and read back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from kgbench.report.ranking import with_ranks
from kgbench.report.table import Column, Kind, Measured, Part, Table, make_table
from kgbench.seam.render import one_line

GROUP = Column("group", "group", grouping=True)
NAME = Column("name", "name", part=Part.LABEL)
MODEL = Column("model", "model [x]", part=Part.LABEL)
SCORE = Column("score", "score [95 %]", Kind.SHARE, 1)
PLAIN = Column("plain", "p_value", Kind.SHARE)
CALLS = Column("calls", "calls", Kind.MEAN, -1, part=Part.COST)
COST = Column("cost", "USD & more", Kind.USD, -1, missing="unknown", part=Part.COST)
COUNT = Column("count", "n", Kind.COUNT, part=Part.CHECK)
MARKS = Column("marks", "marks", part=Part.CHECK)
RUN = Column("run", "run", part=Part.DETAIL)
SIGNATURE = Column("signature", "signature", part=Part.DETAIL)
COLUMNS = (GROUP, NAME, MODEL, SCORE, PLAIN, CALLS, COST, COUNT, MARKS, RUN, SIGNATURE)

ODD = [
    "",
    "a|b",
    r"a\|b",
    "ends with a backslash\\",
    "two\nlines\r\nand\ttabs",
    "<b>bold</b>",
    "</td></tr></table><script>alert(1)</script>",
    "<!-- a comment -->",
    "{0}",
    "{0.__class__}",
    "[/red]",
    "[link](https://example.org)",
    "![image](x)",
    "https://example.org/?a=1&b=2",
    "=1+1",
    "'=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "＝1+1",
    '"quoted", with a comma',
    "\x00nul\x00",
    "\x1b[31mred\x1b[0m",
    "\ud800 alone",
    "\u202eright to left",
    "\u200b\ufeff",
    r"\ { } $ & # ^ _ ~ %",
    r"\textbf{x} \\ \hline",
    r"\input{/etc/passwd}",
    "``quotes'' -- and --- dashes, ,, too ?` !`",
    "[1] * [2]",
    "* item",
    "# heading",
    "- note",
    "-",
    "1. first",
    "2) second",
    "| cell",
    "---",
    "### ",
    "% comment",
    "&amp; &lt; &#124;",
    "**bold** _italic_ `code` ~~gone~~ $x^2$",
    "Ærøskøbing, Łódź, İstanbul, naïve – “quoted”",
    "日本語 🦉 Ελλάδα ﬁ",
    "0.5 [0.1, 0.9]",
    "unknown",
    "a & b \\\\",
    r"; \emph{x} y",
]
texts = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(), max_size=20),
    st.text(st.sampled_from("\\|{}[]()<>&$#^_~%*`'\"-,;:!?=+@ \n/.09a\u0301é日"), max_size=20),
)
shares = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]))
intervals = st.builds(Measured, shares, shares, shares)
cells = {
    GROUP.key: st.sampled_from(["one", "two", "=1"]),
    NAME.key: texts,
    MODEL.key: texts,
    SCORE.key: st.one_of(st.none(), shares, intervals),
    PLAIN.key: st.one_of(st.none(), st.floats(-1, 1)),
    CALLS.key: st.one_of(st.none(), st.floats(-1e6, 1e6), st.just(float("nan"))),
    COST.key: st.one_of(st.none(), st.floats(0, 1e4)),
    COUNT.key: st.one_of(st.none(), st.integers(-5, 10**9)),
    MARKS.key: texts,
    RUN.key: texts,
    SIGNATURE.key: texts,
}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table of one to three sections, ranked, the last rows of some standing apart."""
    rows = st.lists(st.fixed_dictionaries(cells), max_size=4)
    sections = draw(st.lists(st.tuples(texts, rows), min_size=1, max_size=3))
    table = make_table(COLUMNS, sections, draw(st.lists(texts, max_size=2)))
    contests = [draw(st.lists(st.sampled_from(["a", "b", None]), min_size=n, max_size=n)) for n in lengths(table)]
    ranked = with_ranks(table, contests)
    apart = [draw(st.integers(0, n)) for n in lengths(table)]
    kept = zip(ranked.sections, apart, strict=True)
    return replace(ranked, sections=tuple(replace(section, aside=count) for section, count in kept))


def on_one_line(table: Table) -> Table:
    """A table as every face but JSON has it: texts without control characters, white space squeezed."""
    rows = [
        [{key: one_line(cell) if isinstance(cell, str) else cell for key, cell in row.items()} for row in section.rows]
        for section in table.sections
    ]
    titles = [one_line(section.title) for section in table.sections]
    flat = make_table(table.columns, zip(titles, rows, strict=True), map(one_line, table.notes))
    sections = zip(flat.sections, table.sections, strict=True)
    return replace(flat, sections=tuple(replace(new, ranks=old.ranks, aside=old.aside) for new, old in sections))


def lengths(table: Table) -> list[int]:
    """How many rows each section has."""
    return [len(section.rows) for section in table.sections]


def odd_table() -> Table:
    """One row for every odd text, which stands in every place of it."""
    rows = [
        {
            **dict.fromkeys((GROUP.key, NAME.key, MODEL.key, MARKS.key, RUN.key, SIGNATURE.key), text),
            SCORE.key: Measured(number / len(ODD), 0.05, 1 / 3),
            CALLS.key: -3.26,
            COST.key: 0.000125 if number % 2 else None,
            COUNT.key: number,
        }
        for number, text in enumerate(ODD)
    ]
    table = make_table(COLUMNS, [(text, rows) for text in ODD[1:3]], ODD)
    ranked = with_ranks(table, [["a"] * len(ODD)] * 2)
    return replace(ranked, sections=tuple(replace(section, aside=4) for section in ranked.sections))
