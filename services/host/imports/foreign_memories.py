"""Memories of mem0, and facts and threads of Zep, as requests to remember and conversations."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from palimpsest.model.clock import system_clock
from palimpsest.model.memory import MemorySource
from services.host.imports.foreign_messages import (
    ForeignMessage,
    ImportTarget,
    as_list,
    as_object,
    build_conversation,
    read_moment,
)
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import ImportFile
from services.host.imports.publish_conversations import ImportedConversation
from services.ingest.receive_events import UnreadableEvent, parse_event

MEMORIES_AT_ONCE = 64

_MEM0_ITEMS = ("item", "results.item", "memories.item")
_ZEP_THREADS = ("threads.item", "sessions.item")
_ZEP_FACTS = ("facts.item", "edges.item")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}


def read_mem0_export(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield the memories of what mem0's `get_all` or export answers: `{"results": [...]}` or a list.

    Raises:
        UnreadableImport: the file is no JSON.
    """
    yield from _in_batches(_mem0_requests(file, target, report), target)


def read_zep_export(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield the threads of Zep, and then the facts of its graph that still hold.

    The file is an object with `threads` (or `sessions`), each with its `messages`, and `facts` (or
    `edges`), as Zep's API answers them.

    Raises:
        UnreadableImport: the file is no JSON.
    """
    for thread in file.items(*_ZEP_THREADS):
        said = thread.get("messages") if isinstance(thread, Mapping) else None
        if not isinstance(said, list):
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        session_id = str(thread.get("thread_id") or thread.get("session_id") or "")
        messages = _zep_messages(said, thread, report)
        conversation = build_conversation(target, session_id, messages, report)
        if conversation is not None:
            yield conversation
    yield from _in_batches(_zep_requests(file, target, report), target)


def _mem0_requests(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[dict[str, Any]]:
    for item in file.items(*_MEM0_ITEMS):
        words = item.get("memory") or item.get("text") if isinstance(item, Mapping) else None
        at = read_moment(item.get("updated_at") or item.get("created_at")) if words else None
        expires_at = read_moment(item.get("expiration_date")) if words else None
        if not words or at is None:
            report.left_out[LeftOut.NO_TIME if words else LeftOut.UNREADABLE] += 1
        elif expires_at and datetime.fromisoformat(expires_at) <= system_clock():
            report.left_out[LeftOut.EXPIRED] += 1
        else:
            scope = target.scope()
            if "agent_id" not in scope and item.get("agent_id"):
                scope["agent_id"] = str(item["agent_id"])
            given = {
                **scope,
                "event_id": f"mem0:{item.get('id') or words}"[:256],
                "content": str(words),
                "occurred_at": at,
                "tags": [str(each) for each in as_list(item.get("categories"))],
                "data": dict(as_object(item.get("metadata"))),
            }
            yield from _request({**given, "expires_at": expires_at}, report)


def _zep_requests(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[dict[str, Any]]:
    for item in file.items(*_ZEP_FACTS):
        fact = item.get("fact") if isinstance(item, Mapping) else None
        at = read_moment(item.get("valid_at") or item.get("created_at")) if fact else None
        if not fact or at is None:
            report.left_out[LeftOut.NO_TIME if fact else LeftOut.UNREADABLE] += 1
        elif item.get("invalid_at") or item.get("expired_at"):
            report.left_out[LeftOut.NO_LONGER_HOLDS] += 1
        else:
            given = {
                **target.scope(),
                "event_id": f"zep:{item.get('uuid') or fact}"[:256],
                "content": str(fact),
                "occurred_at": at,
            }
            yield from _request(given, report)


def _request(fields: dict[str, Any], report: ImportReport) -> Iterator[dict[str, Any]]:
    known = {name: value for name, value in fields.items() if value is not None}
    request = {**known, "type": "RememberRequested", "source": MemorySource.IMPORT.value}
    try:
        parse_event(request)
    except UnreadableEvent:
        report.left_out[LeftOut.UNREADABLE] += 1
        return
    report.taken["memories"] += 1
    yield request


def _in_batches(
    requests: Iterator[dict[str, Any]], target: ImportTarget
) -> Iterator[ImportedConversation]:
    batch: list[dict[str, Any]] = []
    for request in requests:
        batch.append(request)
        if len(batch) == MEMORIES_AT_ONCE:
            yield _as_conversation(batch, target)
            batch = []
    if batch:
        yield _as_conversation(batch, target)


def _as_conversation(batch: list[dict[str, Any]], target: ImportTarget) -> ImportedConversation:
    return ImportedConversation(
        user_id=target.user_id, events=[parse_event(request) for request in batch]
    )


def _zep_messages(
    said: list[Any], thread: Mapping[str, Any], report: ImportReport
) -> Iterator[ForeignMessage]:
    at = read_moment(thread.get("created_at"))
    for position, message in enumerate(said):
        if not isinstance(message, Mapping):
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        at = read_moment(message.get("created_at")) or at
        role = str(message.get("role_type") or message.get("role"))
        text = str(message.get("content") or "").strip()
        reason = None
        if role not in _ROLES:
            reason = LeftOut.SYSTEM if role == "system" else LeftOut.TOOL
        elif not text or at is None:
            reason = LeftOut.NO_TIME if text else LeftOut.EMPTY
        if reason is not None:
            report.left_out[reason] += 1
            continue
        name = message.get("name")
        yield ForeignMessage(
            id=str(message.get("uuid") or position),
            role=_ROLES[role],
            text=text,
            at=at or "",
            speaker=name if isinstance(name, str) else None,
        )
