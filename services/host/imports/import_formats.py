"""The formats of files that can be imported, and their readers.

The formats of benchmarks are read by the lab, and only where it is installed. Those of other systems
are read item by item, so that a long file is never in memory as a whole.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from palimpsest.events.envelope import Event
from palimpsest.model.errors import PermanentError
from services.host.command_table import LAB
from services.host.imports.chatgpt_export import read_chatgpt_export
from services.host.imports.claude_export import read_claude_export
from services.host.imports.foreign_memories import read_mem0_export, read_zep_export
from services.host.imports.foreign_messages import ImportTarget
from services.host.imports.import_report import ImportReport
from services.host.imports.json_stream import ImportFile, UnreadableImport
from services.host.imports.message_lines import read_message_lines
from services.host.imports.publish_conversations import ImportedConversation
from services.host.imports.split_messages import split_long_message
from services.ingest.receive_events import UnreadableEvent, parse_event


class ImportFormat(StrEnum):
    EVENTS = "events"
    """One JSON object per line: an event as `POST /v1/events` takes it."""
    LOCOMO = "locomo"
    """Conversations of the LoCoMo benchmark."""
    ARCHIVE = "archive"
    """A zip file of `palimpsest export`: conversations and memories as they were."""
    MESSAGES = "messages"
    """A JSON object a line: `role`, `content`, `time`."""
    CHATGPT = "chatgpt"
    """ChatGPT's data export: `conversations.json`, or its zip file."""
    CLAUDE = "claude"
    """Claude's data export: `conversations.json`, or its zip file."""
    MEM0 = "mem0"
    """Memories as mem0's `get_all` answers them."""
    ZEP = "zep"
    """Threads and facts as Zep's API answers them."""


_LAB_READERS: Mapping[ImportFormat, str] = {
    ImportFormat.LOCOMO: f"{LAB}.instances.dialogue_import:read_locomo_conversations",
}


class ForeignReader(NamedTuple):
    """The reader of another system's format."""

    read: Callable[[ImportFile, ImportTarget, ImportReport], Iterator[ImportedConversation]]
    members: str = "*.json"
    """The files to read where they come in a zip file."""


FOREIGN_READERS: Mapping[ImportFormat, ForeignReader] = {
    ImportFormat.MESSAGES: ForeignReader(read_message_lines),
    ImportFormat.CHATGPT: ForeignReader(read_chatgpt_export, "conversations*.json"),
    ImportFormat.CLAUDE: ForeignReader(read_claude_export, "conversations*.json"),
    ImportFormat.MEM0: ForeignReader(read_mem0_export),
    ImportFormat.ZEP: ForeignReader(read_zep_export),
}


def guess_format(file: Path) -> ImportFormat:
    """Return the format of a file by its name: events in `.jsonl`, an archive in `.zip`, else LoCoMo."""
    if file.suffix == ".zip":
        return ImportFormat.ARCHIVE
    return ImportFormat.EVENTS if file.suffix == ".jsonl" else ImportFormat.LOCOMO


def read_conversations(
    file: Path, written: ImportFormat, limit: int | None = None
) -> Sequence[ImportedConversation]:
    """Return the first `limit` conversations of a file; None reads all.

    Raises:
        PermanentError: the file is not of this format, or the format needs the lab.
    """
    target = _LAB_READERS.get(written)
    if target is None:
        return read_event_lines(file, limit)
    if find_spec(LAB) is None:
        raise PermanentError(f"the format {written} needs palimpsest-lab: uv sync --extra lab")
    module, _, name = target.partition(":")
    found: Sequence[ImportedConversation] = getattr(import_module(module), name)(file, limit)
    return found


def read_event_lines(file: Path, limit: int | None = None) -> Sequence[ImportedConversation]:
    """Return the events of the first `limit` users of a file, by user, in the order of the lines.

    Raises:
        UnreadableImport: names the first line that is no event.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UnreadableImport(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnreadableImport(f"{file.name} is not UTF-8: {error}") from error
    by_user: dict[str, list[Event]] = {}
    further: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            parts = _read_line(file, number, line)
            by_user.setdefault(parts[0].user_id, []).extend(parts)
            further[parts[0].user_id] += len(parts) - 1
    if not by_user:
        raise UnreadableImport(f"{file.name} holds no event")
    return [
        ImportedConversation(user_id=user_id, events=events, parts=further[user_id])
        for user_id, events in list(by_user.items())[:limit]
    ]


def _read_line(file: Path, number: int, line: str) -> list[Event]:
    """Return the event of a line; of a message that is too long, its parts."""
    where = f"{file.name}, line {number}"
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableImport(f"{where} is no JSON: {error}") from error
    if not isinstance(fields, dict):
        raise UnreadableImport(f"{where} is no JSON object")
    try:
        return [parse_event(part) for part in split_long_message(fields)]
    except UnreadableEvent as error:
        problems = [f"{problem.field}: {problem.problem}" for problem in error.problem.fields]
        words = "; ".join(problems) or str(error)
        raise UnreadableImport(f"{where} is no event: {words}") from error
