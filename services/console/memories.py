"""Memories as people look after them: a list, one with its history, and forgetting one."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.events import ForgetMemory
from palimpsest.contracts.http import (
    CommandResult,
    ForgetRequest,
    MemoryDetail,
    MemoryList,
    MemoryQuery,
    MemoryRevision,
    Problem,
)
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import NotFound
from palimpsest.domain.memory import Memory
from palimpsest.domain.model import Identifier
from palimpsest.domain.privacy.redaction import redact
from palimpsest.domain.scope import Scope
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.change_sets import ChangeSetReader
from palimpsest.stores.memories import MemoryReader
from services.console.commands import Commands

IdempotencyKey = Annotated[Identifier | None, Header()]

_NOT_FOUND = {"model": Problem, "description": "Nothing stands under this id for this user."}
CONFLICT = {"model": Problem, "description": "The idempotency key is known with another request."}
_UNDER_WAY = {"model": CommandResult, "description": "Accepted, and still under way."}


class Memories:
    """What a scope can see of its memories."""

    def __init__(self, memories: MemoryReader, change_sets: ChangeSetReader) -> None:
        self._memories = memories
        self._change_sets = change_sets

    async def page(self, query: MemoryQuery) -> MemoryList:
        found = await self._memories.list(
            query.scopes,
            statuses=query.status,
            kinds=query.kind,
            limit=query.limit + 1,
            after=query.cursor,
        )
        page = found[: query.limit]
        return MemoryList(
            memories=tuple(page), next_cursor=page[-1].id if len(found) > len(page) else None
        )

    async def one(self, scope: Scope, memory_id: str) -> Memory:
        """The memory of this id that can be seen from here.

        Raises:
            NotFound: there is none, for this user and from here.
        """
        found = await self._memories.by_ids(scope.visible(), [memory_id])
        if not found:
            raise NotFound("no memory of this id can be seen from here")
        return found[0]

    async def with_history(self, scope: Scope, memory_id: str) -> MemoryDetail:
        memory = await self.one(scope, memory_id)
        history = await self._change_sets.history(scope.user_id, memory_id)
        revisions = [each for change_set in history for each in _revisions(change_set, memory_id)]
        return MemoryDetail(memory=memory, history=tuple(reversed(revisions)))


def routes(memories: Memories, commands: Commands, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/memories", tags=["memories"])

    @router.get("", openapi_extra=needs(Permission.READ))
    async def page(query: Annotated[MemoryQuery, Query()]) -> MemoryList:
        """The memories that can be seen from a scope, the newest first."""
        return await memories.page(query)

    @router.get("/{memory_id}", openapi_extra=needs(Permission.READ), responses={404: _NOT_FOUND})
    async def one(memory_id: Identifier, scope: Annotated[Scope, Query()]) -> MemoryDetail:
        """One memory, and how it came to be what it is."""
        return await memories.with_history(scope, memory_id)

    @router.post(
        "/{memory_id}/forget",
        openapi_extra=needs(Permission.WRITE),
        responses={202: _UNDER_WAY, 404: _NOT_FOUND, 409: CONFLICT},
    )
    async def forget(
        memory_id: Identifier,
        scope: Annotated[Scope, Query()],
        response: Response,
        request: ForgetRequest | None = None,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Forget one memory, softly: it can be restored."""
        memory = await memories.one(scope, memory_id)
        command = _forget(memory, clock, request or ForgetRequest(), idempotency_key)
        change_set = await commands.run(command)
        response.status_code = 202 if change_set is None else 200
        return CommandResult(
            command_id=command.event_id,
            applied=change_set is not None,
            revision=change_set.revision if change_set else None,
            memory=_after(change_set, memory) if change_set else None,
        )

    return router


def _forget(
    memory: Memory, clock: Clock, request: ForgetRequest, idempotency_key: str | None
) -> ForgetMemory:
    """Without a key, asking twice about the same version is one command."""
    identity = ("key", idempotency_key) if idempotency_key else ("version", str(memory.version))
    scope = memory.scope
    return ForgetMemory(
        event_id=derived_event_id("ForgetMemory", scope.user_id, memory.id, *identity),
        occurred_at=clock(),
        user_id=scope.user_id,
        agent_id=scope.agent_id,
        project_id=scope.project_id,
        memory_id=memory.id,
        **({} if request.reason is None else {"reason": redact(request.reason).text}),
    )


def _after(change_set: ChangeSet, memory: Memory) -> Memory:
    """The memory as the change set left it; untouched, where it had nothing to change."""
    changes = change_set.memory_changes
    return next((each.after for each in changes if each.after.id == memory.id), memory)


def _revisions(change_set: ChangeSet, memory_id: str) -> list[MemoryRevision]:
    return [
        MemoryRevision(
            revision=change_set.revision,
            decided_at=change_set.decided_at,
            actor=change_set.actor,
            reason=change_set.reason,
            cause=change_set.cause,
            before=change.before,
            after=change.after,
        )
        for change in change_set.memory_changes
        if change.after.id == memory_id
    ]
