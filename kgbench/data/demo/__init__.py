"""The demo: a fictional private graph of a hospital group, with questions, made by a seeded generator.

No model has seen it and nobody's data is in it: people, places, firms, devices and studies are invented, built from
syllables and word lists of our own. What it holds is what breaks careless code: mediators in two styles, a hub, nodes
without a name that are no mediators, homonyms, names with odd characters, literals of all common datatypes, relations
without inverses. The same generator makes graphs of any size for load tests.
"""

from __future__ import annotations

from kgbench.data.demo.files import demo_folder, write
from kgbench.data.demo.graph import DemoGraph, EntityRow, TypesRow, generate

__all__ = ["DemoGraph", "EntityRow", "TypesRow", "demo_folder", "generate", "write"]
