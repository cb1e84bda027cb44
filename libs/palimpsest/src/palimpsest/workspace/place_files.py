"""The files of one scope on disk, and what the program keeps about them beside.

Every write is atomic: a temporary file, forced to disk, takes the place of the old one. A process
that dies between two writes leaves whole files behind.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Value
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.file_contents import Snapshot
from palimpsest.workspace.places import derive_place_name, find_file

STATE_FOLDER = ".palimpsest"
"""The folder of what the program keeps, below the workspace. Git ignores it."""

KEPT_SNAPSHOTS = 16
"""Versions of a file that an editor may still show when a person saves."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


class PlaceState(Value):
    """The state that the program keeps about one scope."""

    scope: Scope
    tokens: Mapping[MemoryFile, tuple[str, ...]] = {}
    """The snapshots of each file, the latest last."""
    asked: Mapping[MemoryFile, frozenset[str]] = {}
    """The memories of which each file asks whether they are to be forgotten."""
    journal: tuple[WorkspaceCommand, ...] = ()
    """Commands that were sent, or may have been, since the files were last written."""
    batch: int = 0
    """The number of times that commands were written into the journal."""


class Disk:
    """Reads and writes whole files."""

    def read(self, path: Path) -> bytes | None:
        """Return the content of a file; None if there is none."""
        with suppress(FileNotFoundError, NotADirectoryError):
            return path.read_bytes()
        return None

    def write(self, path: Path, content: bytes) -> None:
        with _prepare(path, content) as temporary:
            _replace(temporary, path)

    def write_if_unchanged(self, path: Path, expected: bytes | None, content: bytes) -> bool:
        """Write a file that a person edits; False if they changed it since it was read."""
        path = Path(os.path.realpath(path))
        with _prepare(path, content) as temporary:
            if self.read(path) != expected:
                return False
            _replace(temporary, path)
        return True

    def remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it, for its owner alone. Folders that exist stay as they are."""
    if not path.is_dir():
        make_private_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir(PRIVATE_FOLDER)


@contextmanager
def _prepare(path: Path, content: bytes) -> Iterator[Path]:
    """Yield a temporary file beside the path with this content; it is gone at the end."""
    make_private_folder(path.parent)
    temporary = path.with_name(f".{path.name}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _replace(temporary: Path, path: Path) -> None:
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class PlaceFiles:
    """The files of one scope."""

    def __init__(self, root: Path, scope: Scope, disk: Disk) -> None:
        self._root = root
        self._scope = scope
        self._disk = disk
        self._kept = root / STATE_FOLDER / derive_place_name(scope)

    def path(self, file: MemoryFile) -> Path:
        return self._root / find_file(self._scope, file)

    def read(self, file: MemoryFile) -> bytes | None:
        return self._disk.read(self.path(file))

    def is_newer(self, file: MemoryFile, moment: datetime) -> bool:
        """Tell whether the file was changed after this moment."""
        with suppress(OSError):
            return self.path(file).stat().st_mtime > moment.timestamp()
        return False

    def write_if_unchanged(self, file: MemoryFile, expected: bytes | None, text: str) -> bool:
        return self._disk.write_if_unchanged(self.path(file), expected, text.encode())

    def load_state(self) -> PlaceState:
        """Return what is kept; nothing if it cannot be read, after which nothing is forgotten."""
        written = self._disk.read(self._kept / "state.json")
        with suppress(ValidationError):
            if written is not None:
                return PlaceState.model_validate_json(written)
        return PlaceState(scope=self._scope)

    def save_state(self, state: PlaceState) -> None:
        self._disk.write(self._kept / "state.json", state.model_dump_json().encode())

    def load_snapshot(self, file: MemoryFile, token: str) -> Snapshot | None:
        written = self._disk.read(self._snapshot_path(file, token))
        with suppress(ValidationError):
            if written is not None:
                return Snapshot.model_validate_json(written)
        return None

    def save_snapshot(self, file: MemoryFile, snapshot: Snapshot) -> None:
        path = self._snapshot_path(file, snapshot.token)
        if self._disk.read(path) is None:
            self._disk.write(path, snapshot.model_dump_json().encode())

    def remove_snapshots_except(self, tokens: Mapping[MemoryFile, tuple[str, ...]]) -> None:
        kept = {self._snapshot_path(file, token) for file in tokens for token in tokens[file]}
        for path in self._kept.glob("*-*.json"):
            if path not in kept:
                self._disk.remove(path)

    def _snapshot_path(self, file: MemoryFile, token: str) -> Path:
        return self._kept / f"{Path(file.value).stem}-{token}.json"
