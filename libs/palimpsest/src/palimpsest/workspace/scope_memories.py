"""The memories of a scope as the services have them: listed and changed over HTTP."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from palimpsest.client import Conflict, InvalidRequest, NotFound, PalimpsestClient
from palimpsest.client.memory_pages import iterate_memories
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Memory, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Value
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.file_contents import ORDER_FIELD

FORGOTTEN_REASON = "its line was deleted from its file"


class CommandOutcome(Value):
    """The effect of a command of a person's edit."""

    state: Literal["done", "under_way", "outdated", "refused"]
    """`outdated`: the memory is another one by now, and the edit is to be decided anew."""
    memory_id: str | None = None
    """The memory that the command was about."""
    words: str = ""
    """The reason of a refusal."""


class ScopeMemories(Protocol):
    async def list_active(self, scope: Scope) -> Sequence[Memory] | None:
        """Return the active memories of exactly this scope; None while its user has memory off."""
        ...

    async def send(self, scope: Scope, command: WorkspaceCommand) -> CommandOutcome:
        """Send a command. Sending it again changes nothing.

        Raises:
            Unavailable: the services do not answer.
            NotAllowed: the key may not do this.
        """
        ...


class ClientMemories:
    """`ScopeMemories` of running services."""

    def __init__(self, client: PalimpsestClient) -> None:
        self._client = client

    async def list_active(self, scope: Scope) -> Sequence[Memory] | None:
        if not (await self._client.settings(scope.user_id)).memory_enabled:
            return None
        memories = iterate_memories(self._client, **_fields(scope), layers=[scope.layer])
        return [
            memory
            async for memory in memories
            if memory.scope == scope and KINDS[memory.kind].file is not None
        ]

    async def send(self, scope: Scope, command: WorkspaceCommand) -> CommandOutcome:
        try:
            return await self._send(scope, command)
        except NotFound:
            return CommandOutcome(state="done" if command.action == "forget" else "outdated")
        except Conflict as error:
            # What was erased since stays erased.
            is_over = command.action == "forget" or error.reason == "erased_since"
            return CommandOutcome(state="done" if is_over else "outdated")
        except InvalidRequest as error:
            problems = "; ".join(field.problem for field in error.fields)
            return CommandOutcome(state="refused", words=problems or str(error))

    async def _send(self, scope: Scope, command: WorkspaceCommand) -> CommandOutcome:
        whose, key = _fields(scope), command.key
        if command.memory_id is None:
            result = await self._client.add(
                command.content or "",
                **whose,
                kind=command.kind or "fact",
                source=MemorySource.FILE,
                data={} if command.order is None else {ORDER_FIELD: command.order},
                idempotency_key=key,
            )
        elif command.action == "forget":
            result = await self._client.forget(
                command.memory_id, **whose, reason=FORGOTTEN_REASON, idempotency_key=key
            )
        else:
            edits: dict[str, Any] = command.model_dump(
                include={"content", "kind", "data", "version"}, exclude_none=True
            )
            result = await self._client.edit(
                command.memory_id, **whose, **edits, idempotency_key=key
            )
        memory_id = command.memory_id or (result.memory and result.memory.id)
        return CommandOutcome(state="done" if result.applied else "under_way", memory_id=memory_id)


def _fields(scope: Scope) -> Mapping[str, Any]:
    return scope.model_dump()
