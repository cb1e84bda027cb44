"""Messages as JSON Lines: an object a line with `role`, `content` and `time`.

`session`, `id` and `name` may stand beside. Lines of one session that follow each other are one
conversation; `content` may be a list of blocks, as OpenAI's and Anthropic's messages have it.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from services.host.imports.foreign_messages import (
    ForeignMessage,
    ImportTarget,
    build_conversation,
    read_moment,
)
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import ImportFile, UnreadableImport
from services.host.imports.publish_conversations import ImportedConversation

MAXIMUM_MESSAGES = 500
"""Messages of one session that are taken at a time: a session may be longer than memory."""

_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "agent": "assistant"}
_SYSTEM = frozenset({"system", "developer"})


class _Line(NamedTuple):
    session_id: str
    part: int
    message: ForeignMessage


def read_message_lines(
    file: ImportFile, target: ImportTarget, report: ImportReport
) -> Iterator[ImportedConversation]:
    """Yield the conversations of a file, each as it is read.

    Raises:
        UnreadableImport: names the first line that is no JSON object.
    """
    lines = _lines(file, report)
    for (session_id, _), messages in groupby(lines, key=lambda one: (one.session_id, one.part)):
        said = (line.message for line in messages)
        conversation = build_conversation(target, session_id, said, report)
        if conversation is not None:
            yield conversation


def _lines(file: ImportFile, report: ImportReport) -> Iterator[_Line]:
    last, count = "", 0
    for number, line in file.lines():
        fields = _object(file, number, line)
        message = _message(fields, number, report)
        if message is not None:
            session_id = _find_id(fields, "session", "session_id") or file.path.stem
            count = count + 1 if session_id == last else 0
            last = session_id
            yield _Line(last, count // MAXIMUM_MESSAGES, message)


def _find_id(fields: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these ids that is given; 0 is one, too."""
    given = (str(fields[name]) for name in names if fields.get(name) is not None)
    return next(filter(None, given), None)


def _object(file: ImportFile, number: int, line: str) -> Mapping[str, Any]:
    where = f"{file.path.name}, line {number}"
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableImport(f"{where} is no JSON: {error}") from error
    if not isinstance(fields, Mapping):
        raise UnreadableImport(f"{where} is no JSON object")
    return fields


def _message(fields: Mapping[str, Any], number: int, report: ImportReport) -> ForeignMessage | None:
    role = str(fields.get("role"))
    at = read_moment(fields.get("time") or fields.get("created_at") or fields.get("timestamp"))
    text = read_blocks(fields.get("content"), report)
    reason = None
    if role not in _ROLES:
        reason = LeftOut.SYSTEM if role in _SYSTEM else LeftOut.TOOL
    elif not text:
        reason = LeftOut.EMPTY
    elif at is None:
        reason = LeftOut.NO_TIME
    if reason is not None:
        report.left_out[reason] += 1
        return None
    name = fields.get("name")
    return ForeignMessage(
        id=_find_id(fields, "id") or str(number),
        role=_ROLES[role],
        text=text,
        at=at or "",
        speaker=name if isinstance(name, str) else None,
    )


def read_blocks(content: Any, report: ImportReport) -> str:
    """Return the words of a message's content; blocks that are no words are counted."""
    if not isinstance(content, list):
        return str(content or "").strip()
    words = []
    for block in content:
        if isinstance(block, Mapping) and block.get("type") in ("text", "input_text"):
            words.append(str(block.get("text") or "").strip())
        else:
            report.left_out[LeftOut.ATTACHMENT] += 1
    return "\n".join(word for word in words if word)
