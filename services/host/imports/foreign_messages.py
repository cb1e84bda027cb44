"""Messages of other systems, as the events of one conversation each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from palimpsest.events.envelope import Event
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.publish_conversations import ImportedConversation
from services.host.imports.split_messages import split_long_message
from services.ingest.receive_events import UnreadableEvent, parse_event


@dataclass(frozen=True, kw_only=True)
class ImportTarget:
    """The user, and perhaps agent and project, in whose memory an import goes."""

    user_id: str
    agent_id: str | None = None
    project_id: str | None = None

    def scope(self) -> dict[str, str]:
        named = {
            "user_id": self.user_id,
            "agent_id": self.agent_id,
            "project_id": self.project_id,
        }
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class ForeignMessage:
    id: str
    role: str
    text: str
    at: str
    """When it was said, as RFC 3339 writes it."""
    speaker: str | None = None


def build_conversation(
    target: ImportTarget,
    session_id: str,
    messages: Iterable[ForeignMessage],
    report: ImportReport,
    *,
    topic: str | None = None,
) -> ImportedConversation | None:
    """Return a conversation that ends behind its last message; None if nothing of it can be taken.

    A message over the limit is taken in parts. What makes no event is counted as not understood.
    """
    scope = {**target.scope(), "session_id": session_id}
    events: list[Event] = []
    further = 0
    last, taken = "", set[str]()
    for message in messages:
        if message.id in taken:
            # The services would refuse it as another message of a known id.
            report.left_out[LeftOut.SAME_ID] += 1
            continue
        fields: dict[str, Any] = {
            **scope,
            "type": "MessageAdded",
            "message_id": message.id,
            "role": message.role,
            "text": message.text,
            "occurred_at": message.at,
        }
        if message.speaker:
            fields["speaker"] = message.speaker
        parts = _parse(split_long_message(fields))
        if parts is None:
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        if not events:
            started = {**scope, "type": "SessionStarted", "occurred_at": message.at}
            events += _parse([{**started, "topic": topic} if topic else started]) or []
        taken.add(message.id)
        events += parts
        further += len(parts) - 1
        report.taken["messages"] += 1
        last = message.at
    if not last:
        return None
    events += _parse([{**scope, "type": "SessionEnded", "occurred_at": last}]) or []
    report.taken["conversations"] += 1
    report.parts += further
    return ImportedConversation(user_id=target.user_id, events=events, parts=further)


def _parse(many: Iterable[Mapping[str, Any]]) -> list[Event] | None:
    try:
        return [parse_event(fields) for fields in many]
    except UnreadableEvent:
        return None


def as_object(value: Any) -> Mapping[str, Any]:
    """Return a value of another system that is to be an object; an empty one if it is none."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> Sequence[Any]:
    """Return a value of another system that is to be a list; an empty one if it is none."""
    return value if isinstance(value, list) else ()


def read_moment(value: Any) -> str | None:
    """Return a time of another system as RFC 3339 writes it; None if it is none.

    Numbers are seconds since 1970; a time without a zone is taken as UTC.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, tz=UTC).isoformat()
        moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
