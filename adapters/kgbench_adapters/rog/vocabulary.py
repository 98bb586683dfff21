"""How a subgraph of RoG's releases is read: Freebase's relations among nodes that are names."""

from __future__ import annotations

import re
from dataclasses import replace

from kgbench_adapters.profiles import freebase, plain

VOCABULARY = replace(
    plain.VOCABULARY,
    # Ids are names, so `source-id` is refused; a node with a MID is known as a mediator by that alone.
    profile=replace(plain.VOCABULARY.profile, name="rog", skip=freebase.VOCABULARY.profile.skip),
    mediator_ids=re.compile(re.escape(plain.VOCABULARY.folder.entity) + freebase.NODE_ID.pattern),
    labels_from_graph=False,
)
