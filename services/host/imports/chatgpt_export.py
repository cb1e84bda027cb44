"""Conversations of ChatGPT's data export: `conversations.json`, or the zip file that holds it.

Each conversation is a tree of messages. What stands on the way from `current_node` to the root was
last seen by its user; other branches were edited or generated again, and are left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from services.host.imports.foreign_messages import (
    ForeignMessage,
    ImportTarget,
    as_object,
    build_conversation,
    read_moment,
)
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import ImportFile
from services.host.imports.publish_conversations import ImportedConversation

_ROLES = frozenset({"user", "assistant"})
_OF_TOOLS = frozenset({"code", "execution_output", "tether_quote", "tether_browsing_display"})
_WORDS = frozenset({"text", "multimodal_text"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_HIDDEN = frozenset({"user_editable_context", "model_editable_context"})


def read_chatgpt_export(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield the conversations of a file, each as it is read.

    Raises:
        UnreadableImport: the file is no JSON.
    """
    for item in file.items("item"):
        mapping = as_object(item).get("mapping")
        if not isinstance(mapping, Mapping):
            report.left_out[LeftOut.UNREADABLE] += 1
            continue
        session_id = str(item.get("conversation_id") or item.get("id") or "")
        topic = str(item["title"]) if item.get("title") else None
        messages = _messages(item, mapping, report)
        conversation = build_conversation(target, session_id, messages, report, topic=topic)
        if conversation is not None:
            yield conversation


def _messages(
    item: Mapping[str, Any], mapping: Mapping[str, Any], report: ImportReport
) -> Iterator[ForeignMessage]:
    way = _way_to_current(item, mapping)
    at = read_moment(item.get("create_time"))
    for node_id in mapping.keys() - set(way):
        message = _message(mapping[node_id])
        if message and _reason_to_leave_out(message) is None:
            report.left_out[LeftOut.OTHER_BRANCH] += 1
    for node_id in way:
        message = _message(mapping[node_id])
        if not message:
            continue
        at = read_moment(message.get("create_time")) or at
        reason = _reason_to_leave_out(message)
        if reason is None and at is None:
            reason = LeftOut.NO_TIME
        if reason is not None:
            report.left_out[reason] += 1
            continue
        content = message["content"]
        report.left_out[LeftOut.ATTACHMENT] += sum(
            not isinstance(part, str) for part in content["parts"]
        )
        yield ForeignMessage(
            id=str(message.get("id") or node_id),
            role=message["author"]["role"],
            text=_text(content),
            at=at or "",
        )


def _way_to_current(item: Mapping[str, Any], mapping: Mapping[str, Any]) -> list[str]:
    """Return the ids of the nodes from the root to the current one."""
    way: list[str] = []
    seen: set[str] = set()
    node_id = item.get("current_node") or _newest_leaf(mapping)
    while isinstance(node_id, str) and node_id in mapping and node_id not in seen:
        seen.add(node_id)
        way.append(node_id)
        node_id = as_object(mapping[node_id]).get("parent")
    return way[::-1]


def _newest_leaf(mapping: Mapping[str, Any]) -> str | None:
    leaves = [node_id for node_id, node in mapping.items() if not as_object(node).get("children")]
    return max(leaves, key=lambda one: _said_at(_message(mapping[one])), default=None)


def _said_at(message: Mapping[str, Any]) -> float:
    created = message.get("create_time")
    return created if isinstance(created, int | float) else 0.0


def _message(node: Any) -> Mapping[str, Any]:
    return as_object(as_object(node).get("message"))


def _reason_to_leave_out(message: Mapping[str, Any]) -> LeftOut | None:
    author, content = as_object(message.get("author")), as_object(message.get("content"))
    metadata, kind = as_object(message.get("metadata")), str(content.get("content_type"))
    role, to_a_tool = str(author.get("role")), message.get("recipient") not in (None, "all")
    reasons = {
        LeftOut.HIDDEN: metadata.get("is_visually_hidden_from_conversation") or kind in _HIDDEN,
        LeftOut.SYSTEM: role == "system",
        LeftOut.THOUGHTS: kind in _THOUGHTS,
        LeftOut.TOOL: role == "tool" or to_a_tool or kind in _OF_TOOLS,
        LeftOut.UNREADABLE: role not in _ROLES
        or kind not in _WORDS
        or not isinstance(content.get("parts"), list),
    }
    found = next((reason for reason, applies in reasons.items() if applies), None)
    return found or (None if _text(content) else LeftOut.EMPTY)


def _text(content: Mapping[str, Any]) -> str:
    parts = [part for part in content["parts"] if isinstance(part, str)]
    return "\n".join(part for part in parts if part.strip()).strip()
