"""Fakes for tests, of this project and of plugins: a scripted model and a model server with faults."""

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
from kgbench.testing.scripted import ScriptedModel

__all__ = [
    "ChatServer",
    "RecordedRequest",
    "ScriptedModel",
    "ServerResponse",
    "chat",
    "cut_json",
    "failure",
    "hang",
    "html_page",
    "json_response",
    "lost_connection",
    "refusal",
]
