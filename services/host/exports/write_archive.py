"""Write the archive of a user in constant memory, from the lines of an export as they come.

Lines come as the database has them. They wait in a file of SQLite, from which they are read in order.
"""

import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Self

from palimpsest.api.exports import (
    EXPORT_LINE,
    ExportBegun,
    ExportedMemory,
    ExportedProfile,
    ExportedQuestion,
    ExportedSummary,
    ExportedTodo,
    ExportedTurn,
    ExportEnded,
    ExportLine,
)
from services.host.exports.archive_format import MANIFEST, MEMBERS, ArchiveManifest
from services.host.exports.archive_markdown import PAGES

_CACHE_KIB = 2_000


class ArchiveSpool:
    """Lines of an export on their way into an archive. Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """`path`: of the file in which lines wait; it must not be there yet."""
        self._lines = sqlite3.connect(path, isolation_level=None)
        self._lines.execute("PRAGMA journal_mode=OFF")
        self._lines.execute("PRAGMA synchronous=OFF")
        self._lines.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        self._lines.execute("CREATE TABLE lines (record, place, number, shown, line)")
        self._lines.execute("CREATE INDEX in_order ON lines (record, place, number)")
        self._lines.execute("CREATE INDEX as_shown ON lines (record, shown, number)")
        self._lines.execute("BEGIN")
        self._begun: ExportBegun | None = None
        self._ended: ExportEnded | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def add(self, line: ExportLine) -> None:
        """Take a line in."""
        if isinstance(line, ExportBegun):
            self._begun = line
        elif isinstance(line, ExportEnded):
            self._ended = line
        else:
            place, number, shown = _find_place(line)
            values = (line.record, place, number, shown, line.model_dump_json())
            self._lines.execute("INSERT INTO lines VALUES (?, ?, ?, ?, ?)", values)

    def write(self, out: Path) -> None:
        """Write the archive, once every line was added."""
        if self._begun is None or self._ended is None:
            raise AssertionError("the client says itself where an export broke off")
        manifest = ArchiveManifest(
            made_by=version("palimpsest-memory"),
            user_id=self._begun.user_id,
            exported_at=self._begun.exported_at,
            settings=self._begun.settings,
            agents=self._begun.agents,
            counts=self._ended.counts,
        )
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, manifest.model_dump_json(indent=2))
            for record, name in MEMBERS.items():
                _write_member(archive, name, (f"{line}\n" for line in self._read(record, "place")))
            for name, (record, describe) in PAGES.items():
                shown = (EXPORT_LINE.validate_json(one) for one in self._read(record, "shown"))
                _write_member(archive, name, describe(shown, manifest))

    def _read(self, record: str, order: str) -> Iterator[str]:
        query = f"SELECT line FROM lines WHERE record = ? ORDER BY {order}, number"  # noqa: S608
        with closing(self._lines.execute(query, (record,))) as found:
            for (line,) in found:
                yield line


def _write_member(archive: zipfile.ZipFile, name: str, parts: Iterable[str]) -> None:
    with archive.open(name, "w", force_zip64=True) as member:
        for part in parts:
            member.write(part.encode())


def _find_place(line: ExportLine) -> tuple[str, int, str]:
    """Return where a record stands among those of its kind, and where it is shown."""
    match line:
        case ExportedMemory(memory=memory):
            return memory.id, 0, f"{memory.kind} {memory.valid_from.isoformat()}"
        case ExportedTodo(todo=todo):
            return todo.id, 0, todo.created_at.isoformat()
        case ExportedTurn(turn=turn):
            return turn.session_id, turn.sequence or 0, turn.session_id
        case ExportedSummary(summary=summary):
            ended_at = summary.ended_at.isoformat()
            return summary.session_id, 0, ended_at
        case ExportedProfile(profile=profile):
            return profile.agent_id or "", profile.version, profile.agent_id or ""
        case ExportedQuestion():
            created_at = line.created_at.isoformat()
            return created_at, 0, created_at
        case _:
            raise TypeError(f"{line.record} is no record of an archive")
