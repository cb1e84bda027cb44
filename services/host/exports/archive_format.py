"""The archive of a user: a zip file with JSON Lines, a manifest, and Markdown for people.

`manifest.json` says the version and counts the records. Each kind of record has a file of lines as
`GET /v1/export` has them. The Markdown says the same for reading and is not imported.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from io import TextIOWrapper
from typing import Literal

from pydantic import ValidationError

from palimpsest.api.exports import EXPORT_LINE, AgentMemories, ExportLine
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Instant, Value
from services.host.imports.json_stream import (
    UnreadableImport,
    explain_unreadable,
    open_member,
)

ARCHIVE_VERSION = 1
"""Rises when an archive cannot be read by the version before."""

LONGEST_LINE = 64 * 1024 * 1024
"""A zip file of a few kilobytes may hold a line of gigabytes: what is longer is not understood."""

MANIFEST = "manifest.json"
MEMBERS: Mapping[str, str] = {
    "memory": "memories.jsonl",
    "todo": "todos.jsonl",
    "profile": "profiles.jsonl",
    "summary": "summaries.jsonl",
    "turn": "messages.jsonl",
    "question": "questions.jsonl",
}
"""The file of each kind of record."""


class ArchiveManifest(Value):
    """`manifest.json`: what the archive is, and what is in it."""

    format: Literal["palimpsest-archive"] = "palimpsest-archive"
    version: int = ARCHIVE_VERSION
    made_by: str
    """The version of Palimpsest that wrote it."""
    user_id: Identifier
    exported_at: Instant
    settings: UserSettings
    agents: tuple[AgentMemories, ...]
    counts: dict[str, int]
    """The number of records of each kind."""


def read_manifest(archive: zipfile.ZipFile) -> ArchiveManifest:
    """Return the manifest of an archive.

    Raises:
        UnreadableImport: there is none, or it is of a newer version.
    """
    name = archive.filename or "the file"
    try:
        with explain_unreadable(name), open_member(archive, MANIFEST) as member:
            fields = json.loads(member.read(LONGEST_LINE))
    except (KeyError, ValueError, RecursionError) as error:
        raise UnreadableImport(f"{name} is no archive of `palimpsest export`") from error
    version = fields.get("version") if isinstance(fields, dict) else None
    if isinstance(version, int) and version > ARCHIVE_VERSION:
        raise UnreadableImport(f"{name} is an archive of version {version}: upgrade to import it")
    try:
        return ArchiveManifest.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        raise UnreadableImport(f"{name} has a manifest that is not understood") from error


def read_records(archive: zipfile.ZipFile, record: str) -> Iterator[ExportLine]:
    """Yield the records of one kind, in the order in which they stand.

    Raises:
        UnreadableImport: names the first line that is not understood.
    """
    name = MEMBERS[record]
    if name not in archive.namelist():
        return
    with (
        explain_unreadable(name),
        open_member(archive, name) as member,
        TextIOWrapper(member, encoding="utf-8") as lines,
    ):
        for number, line in enumerate(iter(partial(lines.readline, LONGEST_LINE), ""), start=1):
            try:
                yield EXPORT_LINE.validate_json(line)
            except ValidationError as error:
                raise UnreadableImport(f"{name}, line {number} is not understood") from error
