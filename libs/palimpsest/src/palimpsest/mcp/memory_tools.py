"""Tools of one user's memories, each a call of the client."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ClientError
from palimpsest.mcp.descriptions import DESCRIPTIONS, INSTRUCTIONS
from palimpsest.mcp.tool_results import (
    ChangeOutcome,
    MemoryHistory,
    MemoryOutline,
    MemoryPage,
    RecalledRecords,
    TodoPage,
)
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

MemoryId = Annotated[str, Field(description="Id of the memory. 记忆的 id。")]
Limit = Annotated[int, Field(ge=1, le=100, description="Most results. 最多返回几条。")]
Cursor = Annotated[
    str | None, Field(description="next_cursor of the page before. 上一页的 next_cursor。")
]


class MemoryCaller(NamedTuple):
    """The client that tools call, and the scope that they see memories from."""

    client: PalimpsestClient
    scope: Scope


ParametersT = ParamSpec("ParametersT")
AnswerT = TypeVar("AnswerT")


def build_memory_server(
    client: PalimpsestClient, scope: Scope, *, instructions: str = ""
) -> MCPServer[Any]:
    """Build a server of the memories seen from this scope; the client is open while it serves.

    `instructions` are as in `build_shared_memory_server`.
    """
    caller = MemoryCaller(client, scope)
    return build_shared_memory_server(lambda: caller, instructions=instructions)


def build_shared_memory_server(
    find_caller: Callable[[], MemoryCaller], *, instructions: str = ""
) -> MCPServer[Any]:
    """Build a server that asks with each call whose memories are meant.

    `instructions` are the deployment's own words to the model, and follow ours.
    """
    server: MCPServer[Any] = MCPServer(
        "palimpsest",
        title="Palimpsest",
        instructions=f"{INSTRUCTIONS}\n{instructions}".rstrip(),
        log_level="WARNING",
    )
    tools = MemoryTools(find_caller)
    for hints, offered in (
        (READS, (tools.recall, tools.list_memories, tools.get_memory, tools.history, tools.todos)),
        (ADDS, (tools.remember,)),
        (CHANGES, (tools.update_memory, tools.forget, tools.undo)),
    ):
        for tool in offered:
            _add(server, tool, hints)
    _add(server, tools.context, READS, structured=False)
    return server


def _add(
    server: MCPServer[Any],
    tool: Callable[..., Awaitable[Any]],
    hints: ToolAnnotations,
    *,
    structured: bool = True,
) -> None:
    server.add_tool(
        _tell_errors(tool),
        description=DESCRIPTIONS[tool.__name__],
        annotations=hints,
        structured_output=structured,
    )


def _tell_errors(
    tool: Callable[ParametersT, Awaitable[AnswerT]],
) -> Callable[ParametersT, Awaitable[AnswerT]]:
    """Report the errors of a call to the model, so that it can correct the call."""

    @wraps(tool)
    async def call(*arguments: ParametersT.args, **named: ParametersT.kwargs) -> AnswerT:
        try:
            return await tool(*arguments, **named)
        except ClientError as error:
            # The words of an invalid request name its fields already.
            fields = (f"{field.field}: {field.problem}" for field in error.fields)
            raise ToolError(
                "; ".join([str(error), *(each for each in fields if each not in str(error))])
            ) from error

    return call


class MemoryTools:
    """The tools by name; the server sets the scope, and the model cannot choose it."""

    def __init__(self, find_caller: Callable[[], MemoryCaller]) -> None:
        self._find_caller = find_caller

    @property
    def _client(self) -> PalimpsestClient:
        return self._find_caller().client

    @property
    def _scope(self) -> Scope:
        return self._find_caller().scope

    @property
    def _whose(self) -> dict[str, Any]:
        return self._scope.model_dump()

    async def remember(
        self,
        content: Annotated[str, Field(description="The statement. 要记住的陈述。")],
        kind: Annotated[Kind, Field(description="Kind of statement. 陈述的种类。")] = Kind.FACT,
    ) -> ChangeOutcome:
        added = await self._client.add(content, kind=kind, **self._whose)
        return ChangeOutcome.of(added)

    async def recall(
        self,
        query: Annotated[str, Field(description="The question. 要查找的问题。")],
        limit: Limit = 10,
    ) -> RecalledRecords:
        return RecalledRecords.of(await self._client.recall(query, limit=limit, **self._whose))

    async def context(
        self,
        query: Annotated[
            str | None, Field(description="The question, if any. 问题，可省略。")
        ] = None,
        token_budget: Annotated[
            int, Field(ge=1, le=100_000, description="Most tokens. 词元上限。")
        ] = 1_000,
    ) -> str:
        if query is None:
            found = await self._client.load_context(token_budget=token_budget, **self._whose)
        else:
            found = await self._client.context(query, token_budget=token_budget, **self._whose)
        return found.block

    async def list_memories(self, limit: Limit = 20, cursor: Cursor = None) -> MemoryPage:
        return MemoryPage.of(await self._client.list(limit=limit, cursor=cursor, **self._whose))

    async def get_memory(self, memory_id: MemoryId) -> MemoryOutline:
        return MemoryOutline.of((await self._client.get(memory_id, **self._whose)).memory)

    async def update_memory(
        self,
        memory_id: MemoryId,
        content: Annotated[str, Field(description="Its new words. 新的内容。")],
    ) -> ChangeOutcome:
        edited = await self._client.edit(memory_id, content=content, **self._whose)
        return ChangeOutcome.of(edited)

    async def forget(
        self,
        memory_id: MemoryId,
        reason: Annotated[str | None, Field(description="Why, for the history. 原因。")] = None,
    ) -> ChangeOutcome:
        forgotten = await self._client.forget(memory_id, reason=reason, **self._whose)
        return ChangeOutcome.of(forgotten)

    async def history(self, memory_id: MemoryId) -> MemoryHistory:
        return MemoryHistory.of(await self._client.get(memory_id, **self._whose))

    async def undo(
        self,
        change_set_id: Annotated[str, Field(description="The change. 要撤销的变更。")],
    ) -> ChangeOutcome:
        undone = await self._client.undo(change_set_id, user_id=self._scope.user_id)
        return ChangeOutcome.of(undone)

    async def todos(self, limit: Limit = 20, cursor: Cursor = None) -> TodoPage:
        return TodoPage.of(await self._client.todos(limit=limit, cursor=cursor, **self._whose))
