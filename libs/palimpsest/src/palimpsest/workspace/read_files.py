"""Read a file of a scope, and find the snapshot that the person's version of it began from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.file_contents import ParsedFile, Snapshot
from palimpsest.workspace.match_lines import ReadFile
from palimpsest.workspace.parse_file import drop_broken_end, parse_file
from palimpsest.workspace.place_files import PlaceFiles, PlaceState
from palimpsest.workspace.render_file import render_file

CONFLICT = "it has conflict markers of git: it is read again once they are resolved"
NOT_TEXT = "it is no text in UTF-8: it is left as it is"


@dataclass(frozen=True)
class FileVersion:
    """A file as it stands on disk."""

    file: MemoryFile
    content: bytes | None
    """None if there is no file."""
    compared: ReadFile | None
    """None if it is left alone."""
    held: str | None = None
    """The reason why it is left alone; None if it is not."""


def read_version(
    files: PlaceFiles,
    state: PlaceState,
    file: MemoryFile,
    apply_sent: Callable[[MemoryFile, Snapshot], Snapshot],
    *,
    latest_holds: bool = False,
    erased_at: datetime | None = None,
) -> FileVersion:
    """Read a file, and what it is to be compared with.

    An older version that git put back, and nobody edited, is no edit: it differs in nothing from
    what was written. With `latest_holds` it is compared with the latest, so that it holds. Of a file
    that is older than `erased_at` nothing is read.
    """
    content = files.read(file)
    if erased_at is not None and not files.is_newer(file, erased_at):
        return FileVersion(file, content, ReadFile(file, ParsedFile(token=""), Snapshot()))
    latest = _latest(files, state, file)
    try:
        text = (content or b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        return FileVersion(file, content, None, held=NOT_TEXT)
    parsed = parse_file(file, text)
    if parsed.has_conflict:
        return FileVersion(file, content, None, held=CONFLICT)
    asked = frozenset(state.asked.get(file, frozenset()))
    if not parsed.is_complete:
        whole = render_file(file, latest, asked=sorted(asked))
        parsed = parse_file(file, drop_broken_end(text, whole))
    began_from = None if latest_holds else _find_beginning(files, state, file, parsed)
    is_known = began_from is not None or latest_holds or parsed.token == _last(state, file)
    if began_from is None:
        began_from = apply_sent(file, latest)
    elif parsed.token in state.tokens.get(file, ()):
        began_from = apply_sent(file, began_from)
    compared = ReadFile(file, parsed, began_from, is_known=is_known, asked=asked)
    return FileVersion(file, content, compared)


def _last(state: PlaceState, file: MemoryFile) -> str | None:
    return state.tokens.get(file, (None,))[-1]


def _latest(files: PlaceFiles, state: PlaceState, file: MemoryFile) -> Snapshot:
    token = _last(state, file)
    return (files.load_snapshot(file, token) if token else None) or Snapshot()


def _find_beginning(
    files: PlaceFiles, state: PlaceState, file: MemoryFile, parsed: ParsedFile
) -> Snapshot | None:
    """Return the snapshot that an editor showed when the person began; None for the latest.

    A snapshot of which the state does not know yet is newer than all that was sent: the process died
    before it noted it.
    """
    if parsed.token is None or parsed.token == _last(state, file):
        return None
    return files.load_snapshot(file, parsed.token)
