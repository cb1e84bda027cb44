"""Files of the memory tool, each a memory that stands alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from anthropic.lib.tools import ToolError

from palimpsest.client.background_loop import run_blocking
from palimpsest.client.client import PalimpsestClient
from palimpsest.client.memory_pages import iterate_memories
from palimpsest.client.sync_client import SyncPalimpsestClient
from palimpsest.integrations.memory_file_edits import ROOT, FilePath, show_path
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, MemorySource

_FIELD = "memory_file"
"""The field of a memory's data that holds the path of a file, and its text if it is blank."""
_TAG = "memory file"


class MemoryFiles:
    """The files of a user, or of one of their agents."""

    def __init__(self, client: SyncPalimpsestClient, *, user_id: str, agent_id: str | None) -> None:
        self._client = client
        self._whose: dict[str, Any] = {"user_id": user_id, "agent_id": agent_id}

    def read(self, path: FilePath) -> str | None:
        """Return the text of a file; None if there is none."""
        memory = self._find(path)
        return None if memory is None else _read_text(memory)

    def require(self, path: FilePath) -> str:
        """Return the text of a file.

        Raises:
            ToolError: there is none.
        """
        text = self.read(path)
        if text is None:
            raise ToolError(f"{show_path(path)} is no file")
        return text

    def require_any(self, path: FilePath) -> Mapping[FilePath, str]:
        """Return the file of this path, or all files of the directory.

        Raises:
            ToolError: there is neither.
        """
        text = self.read(path)
        files = self.list(path) if text is None else {path: text}
        if not files:
            raise ToolError(f"{show_path(path)} does not exist")
        return files

    def require_free(self, path: FilePath) -> None:
        """Return if a file may be made at this path.

        Raises:
            ToolError: a file or directory has it, or a file has the name of one of its directories.
        """
        if path == ROOT or self.read(path) is not None or self.list(path):
            raise ToolError(f"{show_path(path)} exists already")
        for end in range(1, len(path)):
            if self.read(path[:end]) is not None:
                raise ToolError(f"{show_path(path[:end])} is a file")

    def list(self, path: FilePath) -> dict[FilePath, str]:
        """Return the files below a directory, by path."""
        return {
            file: _read_text(memory)
            for memory in run_blocking(self._list_memories(self._client.connect()))
            if (file := _read_path(memory))
            and file[: len(path)] == path
            and memory.scope.agent_id == self._whose["agent_id"]
        }

    def write(self, path: FilePath, text: str) -> None:
        """Make a file, or write it anew."""
        is_blank = not text.strip()
        self._client.add(
            show_path(path) if is_blank else text,
            record_key=_name_record(path),
            tags=[_TAG],
            data={_FIELD: {"path": list(path), "blank": text if is_blank else None}},
            source=MemorySource.FILE,
            **self._whose,
        )

    def forget(self, path: FilePath) -> None:
        """Forget a file, if it is there."""
        memory = self._find(path)
        if memory is not None:
            self._client.forget(memory.id, **self._whose)

    async def _list_memories(self, client: PalimpsestClient) -> Sequence[Memory]:
        memories = iterate_memories(client, tag=[_TAG], **self._whose)
        return [memory async for memory in memories]

    def _find(self, path: FilePath) -> Memory | None:
        page = self._client.list(record_key=_name_record(path), **self._whose)
        return next(iter(page.memories), None)


def _name_record(path: FilePath) -> str:
    return derive_id(_TAG, *path)


def _read_path(memory: Memory) -> FilePath:
    return tuple(memory.data.get(_FIELD, {}).get("path", ()))


def _read_text(memory: Memory) -> str:
    blank = memory.data.get(_FIELD, {}).get("blank")
    return memory.content if blank is None else str(blank)
