"""Read large JSON files item by item: as they are, or within the zip file that a vendor sends.

Only one item is in memory at a time, however long the file is.
"""

import zipfile
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any, cast

import ijson

from palimpsest.model.errors import PermanentError

_CHUNK_BYTES = 64 * 1024


class UnreadableImport(PermanentError):
    """A file that is not in the format it was said to be in."""

    reason = "unreadable_import"


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
        try:
            if not self.is_zip:
                return self.path.stat().st_size
            with zipfile.ZipFile(self.path) as archive:
                return sum(archive.getinfo(name).file_size for name in self._names(archive))
        except (OSError, zipfile.BadZipFile) as error:
            raise UnreadableImport(f"{self.path} cannot be read: {error}") from error

    def open_members(self) -> Iterator[IO[bytes]]:
        """Yield the files to read, one after another; each is closed when the next is asked for.

        Raises:
            UnreadableImport: the file cannot be read, or holds nothing to import.
        """
        try:
            if not self.is_zip:
                with self.path.open("rb") as file:
                    yield cast("IO[bytes]", _CountedReader(file, self.progress))
                return
            with zipfile.ZipFile(self.path) as archive:
                for name in self._names(archive):
                    with archive.open(name) as member:
                        yield cast("IO[bytes]", _CountedReader(member, self.progress))
        except (OSError, zipfile.BadZipFile) as error:
            raise UnreadableImport(f"{self.path} cannot be read: {error}") from error

    def items(self, *prefixes: str) -> Iterator[Any]:
        """Yield the items at the first of these paths that a file has: see `ijson.items`.

        Raises:
            UnreadableImport: a file is no JSON.
        """
        for member in self.open_members():
            try:
                yield from _items_at(member, frozenset(prefixes))
            except (ijson.JSONError, UnicodeDecodeError) as error:
                raise UnreadableImport(f"{self.path.name} is no JSON: {error}") from error

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of a text file with their numbers, blank ones left out.

        Raises:
            UnreadableImport: the file cannot be read, or is not UTF-8.
        """
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    self.progress(len(line))
                    if line.strip():
                        yield number, line.decode()
        except OSError as error:
            raise UnreadableImport(f"{self.path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise UnreadableImport(f"{self.path.name} is not UTF-8: {error}") from error

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
    events = ijson.parse(member, use_float=True, buf_size=_CHUNK_BYTES)
    for prefix, event, value in events:
        if prefix not in prefixes:
            continue
        if event in {"start_map", "start_array"}:
            builder = ijson.ObjectBuilder()
            builder.event(event, value)
            for inner, happened, part in events:
                builder.event(happened, part)
                if inner == prefix and happened in {"end_map", "end_array"}:
                    break
            yield builder.value
        elif event not in {"end_map", "end_array", "map_key"}:
            yield value
