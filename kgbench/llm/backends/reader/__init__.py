"""``builtin/reader``: a deterministic retrieval model that answers a prompt's task from what the prompt shows.

It is no language model. It knows a task's kind and its rendered slots and nothing else: no graph, no names but those in
the prompt, no gold, no memory of earlier calls. So it makes a run free and offline, drives every method end to end, and
is a lower bound: what retrieval alone achieves.
"""

from __future__ import annotations

from kgbench.llm.backends.reader.kinds import ReaderAction, readable
from kgbench.llm.backends.reader.model import Reader

__all__ = ["Reader", "ReaderAction", "readable"]
