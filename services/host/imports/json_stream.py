"""Read large JSON files item by item: as they are, or within the zip file that a vendor sends.

Only one item is in memory at a time, however long the file is.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any, cast

import ijson

from palimpsest.model.errors import PermanentError

_CHUNK_BYTES = 64 * 1024

_LONGEST_PREFIX = 2
"""The most names in a path at which items are looked for."""

_DEEPEST = 200
"""The most objects and arrays that lie in each other. No export comes near it."""

_OPENINGS, _ENDS = frozenset({"start_map", "start_array"}), frozenset({"end_map", "end_array"})

_BEGINNING_OF_ZIP = b"PK\x03\x04"

_ENCRYPTED = 0x1
"""Flag of an encrypted file in a zip file."""

_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""Errors of a zip file that is damaged, or packed by a method that is not known."""


class UnreadableImport(PermanentError):
    """A file that is not in the format it was said to be in."""

    reason = "unreadable_import"


@contextmanager
def explain_unreadable(path: str | Path) -> Iterator[None]:
    """Explain why a file cannot be read.

    Raises:
        UnreadableImport: it is away, damaged or not UTF-8, or its JSON is none.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        raise UnreadableImport(f"{path} is not UTF-8: {error}") from error
    except ijson.JSONError as error:
        raise UnreadableImport(f"{path} is no JSON: {_describe(error)}") from error
    except OSError as error:
        raise UnreadableImport(f"{path} cannot be read: {error.strerror or error}") from error
    except _BROKEN_ZIP as error:
        raise UnreadableImport(f"{path} cannot be read: {error}") from error


def _describe(error: Exception) -> str:
    """Return the first line of an error; the parser shows its text in the others, or as bytes."""
    words = error.args[0] if error.args else ""
    written = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    return written.partition("\n")[0]


def open_member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Open a file of a zip file.

    Raises:
        UnreadableImport: it is encrypted.
    """
    if archive.getinfo(name).flag_bits & _ENCRYPTED:
        raise UnreadableImport(f"{archive.filename} is encrypted: unpack it first")
    return archive.open(name)


class _CountedReader:
    """A binary file that tells how many bytes were read of it."""

    def __init__(self, file: IO[bytes], progress: Callable[[int], None]) -> None:
        self._file = file
        self._progress = progress

    def read(self, size: int = -1) -> bytes:
        part = self._file.read(size)
        self._progress(len(part))
        return part


class ImportFile:
    """A file to import, and how far it has been read."""

    def __init__(self, path: Path, *, members: str = "*.json") -> None:
        """`members`: the names of the files to read where it is a zip file."""
        self.path = path
        self._members = members
        self.progress: Callable[[int], None] = lambda _: None
        """Told how many bytes more were read."""

    @property
    def is_zip(self) -> bool:
        return zipfile.is_zipfile(self.path)

    def total_bytes(self) -> int:
        """Return the bytes that there are to read, unpacked.

        Raises:
            UnreadableImport: the file cannot be read, or holds nothing to import.
        """
        with explain_unreadable(self.path):
            if not self.is_zip:
                return self.path.stat().st_size
            with zipfile.ZipFile(self.path) as archive:
                return sum(archive.getinfo(name).file_size for name in self._names(archive))

    def open_members(self) -> Iterator[IO[bytes]]:
        """Yield the files to read, one after another; each is closed when the next is asked for.

        Raises:
            UnreadableImport: the file cannot be read, or holds nothing to import.
        """
        with explain_unreadable(self.path):
            if not self.is_zip:
                with self.path.open("rb") as file:
                    if file.peek().startswith(_BEGINNING_OF_ZIP):
                        raise UnreadableImport(f"{self.path} is a zip file that breaks off")
                    yield cast("IO[bytes]", _CountedReader(file, self.progress))
                return
            with zipfile.ZipFile(self.path) as archive:
                for name in self._names(archive):
                    with open_member(archive, name) as member:
                        yield cast("IO[bytes]", _CountedReader(member, self.progress))

    def items(self, *prefixes: str) -> Iterator[Any]:
        """Yield the items at the first of these paths that a file has: see `ijson.items`.

        Raises:
            UnreadableImport: a file is no JSON.
        """
        for member in self.open_members():
            with explain_unreadable(self.path.name):
                yield from _items_at(member, frozenset(prefixes))

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of a text file with their numbers, blank ones left out.

        Raises:
            UnreadableImport: the file cannot be read, or is not UTF-8.
        """
        with explain_unreadable(self.path), self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                self.progress(len(line))
                if line.strip():
                    yield number, line.decode()

    def _names(self, archive: zipfile.ZipFile) -> list[str]:
        names = [
            name
            for name in sorted(archive.namelist())
            if fnmatch(name.rpartition("/")[2], self._members)
        ]
        if not names:
            raise UnreadableImport(f"{self.path.name} holds no {self._members}")
        return names


def _items_at(member: IO[bytes], prefixes: frozenset[str]) -> Iterator[Any]:
    """Yield the values at these paths; the path of what is in no other object is its key."""
    path: list[str] = []
    events = ijson.basic_parse(member, use_float=True, buf_size=_CHUNK_BYTES)
    for event, value in events:
        match event:
            case "map_key":
                path[-1] = value
            case "end_map" | "end_array":
                path.pop()
            case _ if len(path) <= _LONGEST_PREFIX and ".".join(path) in prefixes:
                yield _build_value(event, value, events) if event in _OPENINGS else value
            case "start_map" | "start_array":
                path.append("item")
                _require_shallow(len(path))


def _build_value(event: str, value: Any, events: Iterator[tuple[str, Any]]) -> Any:
    """Build the object or array that opens here from its events."""
    builder, depth = ijson.ObjectBuilder(), 1
    builder.event(event, value)
    for inner, part in events:
        builder.event(inner, part)
        depth += (inner in _OPENINGS) - (inner in _ENDS)
        if depth == 0:
            break
        _require_shallow(depth)
    return builder.value


def _require_shallow(depth: int) -> None:
    if depth > _DEEPEST:
        raise UnreadableImport(f"an object or array lies in more than {_DEEPEST} others")
