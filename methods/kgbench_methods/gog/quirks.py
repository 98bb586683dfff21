"""Ways in which the published code of GoG (YaooXu/GoG, commit c0b2c36) differs from the clean profile."""

from __future__ import annotations

from kgbench_methods.common.quirks import Quirk

MID_RULES = ("G1", "G2", "G3")
"""The three rules that take every id for an intermediate node; together they are ``mid_rules=naive``."""

QUIRKS = (
    Quirk("G1", "Finish with an id becomes a search of that id, so that no hidden entity can be an answer"),
    Quirk("G2", "instructions and exemplars say that ids are intermediate nodes and never answers"),
    Quirk("G3", "Generate leaves out every known fact that shows an id at an end"),
    Quirk("B1", "related facts are ranked by the characters of the thought instead of its words"),
    Quirk("B2", "a reply that cannot be read is never asked for again"),
    Quirk("B3", "Finish[unknown] before any search fails like an error instead of being a case of its own"),
    Quirk("B4", "an expanded search shows the thought of the search before it; the current thought is lost"),
    Quirk("B5", "an expansion without anything new searches the empty text and fails"),
    Quirk("B6", "ids that begin with g. are looked up as names"),
    Quirk("B7", "which of several entities of one name is meant is not checked against those offered"),
    Quirk("B8", "relations are listed in shuffled order, and facts are sampled anew in every step"),
    Quirk(
        "B9",
        "names in any language, aliases shown as names, literals without a mark",
        refused="names are chosen and shown by the harness alone; no method sees one",
    ),
    Quirk("B10", "the first thought and action of a reply count, also where it repeats earlier steps"),
    Quirk(
        "B11",
        "result files of two prompt sets have one name, and a resumed run goes by position",
        refused="runs are kept by the harness and resumed by question id",
    ),
    Quirk(
        "B12",
        "all answers are joined to one text before they are compared",
        refused="methods do not score; read the metric tog_loose beside hits1",
    ),
    Quirk(
        "B13",
        "an expansion limit given on the command line is a text, and the first Finish[unknown] fails",
        official=False,
    ),
    Quirk("B14", "one exemplar answers with a name that lacks its final full stop"),
    Quirk("all_relations", "all relations that a reply names are kept, not three"),
    Quirk("strict_lists", "a relation reply without brackets ends the search, and the model answers from memory"),
    Quirk("repeats", "an action may be repeated without end; else its third time counts as Finish[unknown]"),
    Quirk("short_labels", "relations are shown by the last two segments of their labels, and go by them"),
    Quirk("user_relations", "relations of Freebase's user.* domain are offered"),
)
"""G are rules that misfire on hidden names, B faults of the code; the named ones are differences without a number."""
