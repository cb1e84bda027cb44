"""The folder of a workspace: its scopes, and what the program keeps about all of them."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from palimpsest.model.errors import PermanentError
from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.workspace.place_files import (
    PRIVATE_FILE,
    STATE_FOLDER,
    Disk,
    PlaceFiles,
    PlaceState,
    make_private_folder,
)
from palimpsest.workspace.places import read_folder


class WorkspaceInUse(PermanentError):
    """Another program looks after the folder."""

    reason = "workspace_in_use"


class WorkspaceFolder:
    """A folder with the files of many scopes."""

    def __init__(self, root: Path, disk: Disk | None = None) -> None:
        self.root = root.resolve()
        self._disk = disk or Disk()
        self._kept = self.root / STATE_FOLDER

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Make the folder if need be, and keep other programs from it.

        Raises:
            WorkspaceInUse: another program looks after it.
        """
        make_private_folder(self._kept)
        self._disk.write(self._kept / ".gitignore", b"*\n")
        descriptor = os.open(self._kept / "lock", os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise WorkspaceInUse(
                    f"another program looks after {self.root} already; one is enough"
                ) from None
            yield
        finally:
            os.close(descriptor)

    def place(self, scope: Scope) -> PlaceFiles:
        return PlaceFiles(self.root, scope, self._disk)

    def list_scopes(self) -> set[Scope]:
        """Return the scopes that have files, or had some."""
        known = self._known
        found = {
            scope
            for path in self._list_paths()
            if (scope := read_folder(path.relative_to(self.root)) or known.get(path))
        }
        return found | set(known.values())

    def find_scope(self, path: Path) -> Scope | None:
        """Return the scope of a file; None if it is in no folder of ours."""
        with suppress(ValueError):
            relative = path.relative_to(self.root)
            return read_folder(relative) or self._known.get(path)
        return None

    @property
    def _known(self) -> dict[Path, Scope]:
        """The scopes that the program has kept a state of, by the paths of their files."""
        scopes: list[Scope] = []
        for path in self._kept.glob("*/state.json"):
            with suppress(ValidationError, OSError):
                scopes.append(PlaceState.model_validate_json(path.read_bytes()).scope)
        return {self.place(scope).path(file): scope for scope in scopes for file in MemoryFile}

    def _list_paths(self) -> Iterator[Path]:
        for file in MemoryFile:
            yield from self.root.glob(f"*/*/context/{file.value}")
            yield from self.root.glob(f"*/*/projects/*/context/{file.value}")

    def load_position(self, stream: str) -> str | None:
        """Return the position up to which a stream of changes was read; None for a new one."""
        written = self._disk.read(self._kept / f"position-{stream}")
        return written.decode() if written else None

    def save_position(self, stream: str, position: str) -> None:
        self._disk.write(self._kept / f"position-{stream}", position.encode())
