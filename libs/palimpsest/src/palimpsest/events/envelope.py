"""The envelope that every event has."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Integer


class Event(BaseModel):
    """The envelope. Readers ignore unknown fields, and refuse a new major version.

    A client may leave `event_id` out: it is then derived from the content, so that sending the same
    again has the same id. Ingest stamps `received_at` and `epoch`, and events derived from this one
    keep them.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", str_min_length=0)

    SCHEMA_VERSION: ClassVar[int] = 1

    event_id: Identifier = ""
    type: str
    schema_version: Integer = 1
    occurred_at: Instant
    received_at: Instant | None = None
    epoch: Integer | None = None
    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None
    session_id: Identifier | None = None
    trace: str | None = None
    """A W3C traceparent, passed on unchanged."""

    @property
    def scope(self) -> Scope:
        return Scope.model_construct(
            user_id=self.user_id, agent_id=self.agent_id, project_id=self.project_id
        )


def derive_event_id(event_type: str, user_id: str, *parts: str | None) -> str:
    return derive_id("event", event_type, user_id, *parts)
