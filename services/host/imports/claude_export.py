"""Conversations of Claude's data export: `conversations.json`, or the zip file that holds it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.host.imports.foreign_messages import (
    ForeignMessage,
    ImportTarget,
    as_list,
    build_conversation,
    read_moment,
)
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import ImportFile
from services.host.imports.publish_conversations import ImportedConversation

_ROLES = {"human": "user", "assistant": "assistant"}
_BLOCKS_LEFT_OUT = {
    "thinking": LeftOut.THOUGHTS,
    "redacted_thinking": LeftOut.THOUGHTS,
    "tool_use": LeftOut.TOOL,
    "tool_result": LeftOut.TOOL,
}


def read_claude_export(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield the conversations of a file, each as it is read.

    Raises:
        UnreadableImport: the file is no JSON.
    """
    for item in file.items("item", "conversations.item"):
        said = item.get("chat_messages") if isinstance(item, Mapping) else None
        if not isinstance(said, list):
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        messages = _messages(item, said, report)
        topic = str(item["name"]) if item.get("name") else None
        session_id = str(item.get("uuid") or "")
        conversation = build_conversation(target, session_id, messages, report, topic=topic)
        if conversation is not None:
            yield conversation


def _messages(
    item: Mapping[str, Any], said: Sequence[Any], report: ImportReport
) -> Iterator[ForeignMessage]:
    way = _current_branch(item, said)
    at = read_moment(item.get("created_at"))
    for position, message in enumerate(said):
        if not isinstance(message, Mapping):
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        if way is not None and str(message.get("uuid")) not in way:
            report.left_out[LeftOut.OTHER_BRANCH] += 1
            continue
        at = read_moment(message.get("created_at")) or at
        role, text = _ROLES.get(str(message.get("sender"))), _text(message, report)
        reason = _reason_to_leave_out(message, role, text, at)
        if reason is not None:
            report.left_out[reason] += 1
            continue
        yield ForeignMessage(
            id=str(message.get("uuid") or position), role=role or "", text=text, at=at or ""
        )


def _reason_to_leave_out(
    message: Mapping[str, Any], role: str | None, text: str, at: str | None
) -> LeftOut | None:
    if role is None:
        return LeftOut.SYSTEM if message.get("sender") == "system" else LeftOut.UNREADABLE
    if at is None:
        return LeftOut.NO_TIME
    return None if text else LeftOut.EMPTY


def _text(message: Mapping[str, Any], report: ImportReport) -> str:
    """Return what was said in a message; blocks that are no words are counted."""
    files = [*as_list(message.get("attachments")), *as_list(message.get("files"))]
    report.left_out[LeftOut.ATTACHMENT] += len(files)
    blocks = message.get("content")
    if not isinstance(blocks, list) or not blocks:
        return str(message.get("text") or "").strip()
    words = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind == "text":
            words.append(str(block.get("text") or "").strip())
        else:
            report.left_out[_BLOCKS_LEFT_OUT.get(str(kind), LeftOut.ATTACHMENT)] += 1
    return "\n".join(word for word in words if word)


def _current_branch(item: Mapping[str, Any], said: Sequence[Any]) -> frozenset[str] | None:
    """Return the ids on the way to the current leaf; None if the export tells of no branches."""
    parents = {
        one["uuid"]: one.get("parent_message_uuid")
        for one in said
        if isinstance(one, Mapping) and isinstance(one.get("uuid"), str)
    }
    leaf = item.get("current_leaf_message_uuid")
    if not isinstance(leaf, str) or leaf not in parents:
        return None
    way: set[str] = set()
    while isinstance(leaf, str) and leaf in parents and leaf not in way:
        way.add(leaf)
        leaf = parents[leaf]
    return frozenset(way)
