"""For tests, of this project and of plugins: small graphs, fake models, a harness and the conformance checks."""

from kgbench.testing.canary import CanaryWorld, canary_world
from kgbench.testing.conformance import CheckResult, check_method
from kgbench.testing.graphs import MemoryGraph, parse_triples
from kgbench.testing.harness import OTHER_KEY, TEST_KEY, RunArtifacts, run_once
from kgbench.testing.http_fake import (
    ChatServer,
    RecordedRequest,
    ServerResponse,
    chat,
    cut_json,
    failure,
    hang,
    html_page,
    json_response,
    lost_connection,
    refusal,
)
from kgbench.testing.malformed import MALFORMED_REPLIES
from kgbench.testing.parrot import Parrot
from kgbench.testing.scripted import ScriptedModel
from kgbench.testing.toy import toy_graph, toy_records

__all__ = [
    "MALFORMED_REPLIES",
    "OTHER_KEY",
    "TEST_KEY",
    "CanaryWorld",
    "ChatServer",
    "CheckResult",
    "MemoryGraph",
    "Parrot",
    "RecordedRequest",
    "RunArtifacts",
    "ScriptedModel",
    "ServerResponse",
    "canary_world",
    "chat",
    "check_method",
    "cut_json",
    "failure",
    "hang",
    "html_page",
    "json_response",
    "lost_connection",
    "parse_triples",
    "refusal",
    "run_once",
    "toy_graph",
    "toy_records",
]
