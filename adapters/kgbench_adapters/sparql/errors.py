"""The error of a remote graph that is not there."""

from __future__ import annotations

from kgbench.errors import GraphError, PrerequisiteMissing


class EndpointMissing(PrerequisiteMissing, GraphError):
    """An address that never answered a query: it is wrong, its server is down or wants credentials."""
