"""Anthropic's memory tool on a Palimpsest: its files are memories of a user, or of one of their agents.

    from palimpsest.integrations.anthropic_memory import PalimpsestMemoryTool

    client.beta.messages.tool_runner(tools=[PalimpsestMemoryTool(user_id="ann")], ...)

A file is recalled, exported and erased like any other memory, and its history stays.
"""

import asyncio

from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    BetaFunctionToolResultType,
)
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from palimpsest.client.sync_client import SyncPalimpsestClient
from palimpsest.integrations import memory_file_edits as edits
from palimpsest.integrations.connection_options import find_connection
from palimpsest.integrations.memory_files import MemoryFiles


class PalimpsestMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for blocking programs."""

    def __init__(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        http_url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """Connect. With `agent_id` the files are those of one agent of the user."""
        super().__init__()
        self._client = SyncPalimpsestClient(**find_connection(http_url, api_key))
        self._files = MemoryFiles(self._client, user_id=user_id, agent_id=agent_id)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> BetaFunctionToolResultType:
        """Return the lines of a file, or the names in a directory."""
        path = edits.parse_path(command.path)
        text = self._files.read(path)
        if text is not None:
            return edits.number_lines(text, command.view_range)
        return edits.list_directory(path, self._files.list(path))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> BetaFunctionToolResultType:
        """Make a file; refuse a path that is taken."""
        path = edits.parse_path(command.path)
        self._files.require_free(path)
        self._files.write(path, command.file_text)
        return f"{command.path} was created."

    def str_replace(
        self, command: BetaMemoryTool20250818StrReplaceCommand
    ) -> BetaFunctionToolResultType:
        """Replace words that stand in the file once."""
        path = edits.parse_path(command.path)
        text = edits.replace_once(self._files.require(path), command.old_str, command.new_str)
        self._files.write(path, text)
        return f"{command.path} was edited."

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> BetaFunctionToolResultType:
        """Insert lines behind a line of the file."""
        path = edits.parse_path(command.path)
        lines = self._files.require(path)
        self._files.write(path, edits.insert_at(lines, command.insert_line, command.insert_text))
        return f"{command.path} was edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> BetaFunctionToolResultType:
        """Forget a file, or all files of a directory."""
        path = edits.parse_path(command.path)
        edits.refuse_root(path)
        for file in self._files.require_any(path):
            self._files.forget(file)
        return f"{command.path} was deleted."

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> BetaFunctionToolResultType:
        """Move a file, or all files of a directory."""
        old, new = edits.parse_path(command.old_path), edits.parse_path(command.new_path)
        edits.refuse_root(old)
        files = self._files.require_any(old)
        self._files.require_free(new)
        edits.refuse_inside(old, new)
        for file, text in files.items():
            self._files.write((*new, *file[len(old) :]), text)
            self._files.forget(file)
        return f"{command.old_path} is {command.new_path} now."

    def clear_all_memory(self) -> BetaFunctionToolResultType:
        """Forget every file."""
        for file in self._files.list(edits.ROOT):
            self._files.forget(file)
        return "No file is left."


class AsyncPalimpsestMemoryTool(BetaAsyncAbstractMemoryTool):
    """The memory tool for programs with an event loop, which it does not block."""

    def __init__(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        http_url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """All is as in `PalimpsestMemoryTool`."""
        super().__init__()
        self._tool = PalimpsestMemoryTool(
            user_id=user_id, agent_id=agent_id, http_url=http_url, api_key=api_key
        )

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._tool.close)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.view, command)

    async def create(
        self, command: BetaMemoryTool20250818CreateCommand
    ) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(
        self, command: BetaMemoryTool20250818StrReplaceCommand
    ) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(
        self, command: BetaMemoryTool20250818InsertCommand
    ) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(
        self, command: BetaMemoryTool20250818DeleteCommand
    ) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(
        self, command: BetaMemoryTool20250818RenameCommand
    ) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(self._tool.clear_all_memory)
