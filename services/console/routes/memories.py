"""Memories as people look after them: a list, and one with its history."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.resources import (
    MemoryDetail,
    MemoryList,
    MemoryQuery,
    MemoryRevision,
)
from palimpsest.api.scoped_request import WidenedLayeredRequest
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.memory import Accesses, Memory, keyed_candidate_id, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, importance_level
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen
from services.console.command_responses import NOT_FOUND_RESPONSE
from services.console.entity_tags import set_entity_tag
from services.console.memory_search import build_content_filter, search_memories


class VisibleMemories:
    """Reads the memories that a scope can see, without those of an older epoch."""

    def __init__(
        self,
        memories: MemoryReader,
        namespaces: NamespaceRegistry,
        change_sets: ChangeSetReader,
        users: UserStates,
    ) -> None:
        self._users = users
        self._memories = memories
        self._namespaces = namespaces
        self._change_sets = change_sets

    async def page(self, query: MemoryQuery) -> MemoryList:
        scopes = await self.list_scopes(query)
        if not scopes:
            memories: Sequence[Memory] = ()
        elif query.record_key is not None:
            memories = await self._list_keyed(query, query.record_key)
        elif query.is_plain:
            memories = await self._memories.list(
                scopes,
                statuses=query.statuses,
                kinds=query.kind,
                as_of=query.as_of,
                limit=query.limit + 1,
                after=query.cursor,
            )
        else:
            memories = await search_memories(self._memories, scopes, query)
        page = memories[: query.limit]
        epoch = await self._epoch(query.user_id)
        shown = tuple(memory for memory in page if memory.epoch >= epoch)
        return MemoryList(
            memories=shown,
            accesses=await self._read_accesses(query.user_id, shown),
            importance_levels={memory.id: importance_level(memory.importance) for memory in shown},
            next_cursor=page[-1].id if len(memories) > len(page) else None,
        )

    async def list_scopes(self, query: WidenedLayeredRequest) -> ListedScopes:
        """Return the scopes that a request is about; everywhere, those of all agents that are seen."""
        if not query.everywhere:
            return query.scopes
        namespaces = await self._namespaces.of_user(query.user_id)
        agent_ids = {namespace.agent_id for namespace in namespaces}
        return EveryProject(
            user_id=query.user_id,
            agent_ids=frozenset(one for one in agent_ids if is_seen(one, query.agent_id)),
            layers=query.layers,
        )

    async def _list_keyed(self, query: MemoryQuery, record_key: str) -> Sequence[Memory]:
        """Return the memory under a key of the caller's own, if it has what else is asked for."""
        scope, content = query.scope, build_content_filter(query)
        candidate_id = keyed_candidate_id(scope, record_key, await self._epoch(scope.user_id))
        return [
            memory
            for memory in await self._memories.by_ids(
                [scope], [memory_id(scope.user_id, candidate_id)]
            )
            if memory.status in query.statuses
            and (query.kind is None or memory.kind in query.kind)
            and (query.as_of is None or memory.valid_at(query.as_of))
            and content.accepts_memory(memory)
        ]

    async def one(self, scope: Scope, memory_id: str) -> Memory:
        """The memory of this id that can be seen from here.

        Raises:
            NotFound: there is none, for this user and from here.
        """
        [memory] = await self.all_of(scope, [memory_id])
        return memory

    async def all_of(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories of these ids, in their order.

        Raises:
            NotFound: one of them cannot be seen from here.
        """
        memories = await self._memories.by_ids(scope.visible(), memory_ids)
        epoch = await self._epoch(scope.user_id)
        seen = {memory.id: memory for memory in memories if memory.epoch >= epoch}
        if not seen.keys() >= set(memory_ids):
            raise RecordNotFound("no memory of this id can be seen from here")
        return [seen[memory_id] for memory_id in memory_ids]

    async def _epoch(self, user_id: str) -> int:
        return (await self._users.of([user_id]))[user_id].epoch

    async def with_history(self, scope: Scope, memory_id: str) -> MemoryDetail:
        memory = await self.one(scope, memory_id)
        accesses = await self._read_accesses(scope.user_id, [memory])
        history = await self._change_sets.history(scope.user_id, memory_id)
        return MemoryDetail(
            memory=memory,
            accesses=accesses[memory_id],
            importance_level=importance_level(memory.importance),
            history=list_memory_revisions(history, memory_id),
        )

    async def _read_accesses(self, user_id: str, memories: Sequence[Memory]) -> dict[str, Accesses]:
        """Return the access counters of a user's memories; all are 0 where no recall returned it."""
        ids = [memory.id for memory in memories]
        counted = (await self._memories.accesses_of({user_id: ids}))[user_id] if ids else {}
        return {one: counted.get(one, Accesses()) for one in ids}


def build_router(memories: VisibleMemories) -> APIRouter:
    router = APIRouter(prefix="/v1/memories", tags=["memories"])

    @router.get(
        "",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def page(query: Annotated[MemoryQuery, Query()]) -> MemoryList:
        """List the memories that can be seen from a scope, by kind, status, tag, words and time."""
        return await memories.page(query)

    @router.get(
        "/{memory_id}",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def one(
        memory_id: Identifier, scope: Annotated[Scope, Query()], response: Response
    ) -> MemoryDetail:
        """Return one memory and its history. Its `ETag` goes into the `If-Match` of an edit."""
        found = await memories.with_history(scope, memory_id)
        set_entity_tag(response, found.memory.version)
        return found

    return router


def list_memory_revisions(
    history: Sequence[ChangeSet], memory_id: str
) -> tuple[MemoryRevision, ...]:
    """Return the revisions of one memory, latest first; change sets are given oldest first."""
    revisions = [
        revision for change_set in history for revision in _revisions(change_set, memory_id)
    ]
    return tuple(reversed(revisions))


def _revisions(change_set: ChangeSet, memory_id: str) -> list[MemoryRevision]:
    return [
        MemoryRevision(
            revision=change_set.revision,
            change_set_id=change_set.id,
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
