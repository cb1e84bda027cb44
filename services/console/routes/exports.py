"""Export all data of a user, line by line as it is read."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from palimpsest.api.exports import (
    AgentList,
    AgentMemories,
    ExportBegun,
    ExportedMemory,
    ExportedProfile,
    ExportedQuestion,
    ExportedSummary,
    ExportedTodo,
    ExportedTurn,
    ExportEnded,
    ExportLine,
    ExportQuery,
)
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Accesses, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import UserState
from palimpsest_server.domain.summaries.summary_visibility import is_erased
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.decided_erasures import ErasureStore
from palimpsest_server.stores.erasure.standing_questions import select_standing_questions
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.profiles import MAX_PROFILE_VERSIONS, ProfileReader
from palimpsest_server.stores.read_ahead import read_ahead
from palimpsest_server.stores.standing_questions import StandingQuestionStore
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.user_archive import ConversationArchive
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen
from services.console.routes.memories import list_memory_revisions

_PAGE = 50
"""Memories that are read at once: a database compares each of them with all ids that are asked for."""

_DESCRIPTION = """
One JSON object a line, told apart by `record`. The first, `export`, has the user's settings and
agents; then each `memory` with its evidence and history, each `todo`, `profile`, `summary`, raw
`turn` and standing `question`; the last, `end`, counts them. **Without an `end` it broke off.** What is purged is not in
it, nor raw messages past their retention.
"""


class UserExport:
    """Reads a user's export: nothing erased, even before it is gone.

    Forgotten memories are included.
    """

    def __init__(  # noqa: PLR0913 - what an export is read from
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        change_sets: ChangeSetReader,
        todos: TodoStore,
        profiles: ProfileReader,
        said: ConversationArchive,
        users: UserStates,
        clock: Clock,
        *,
        questions: StandingQuestionStore,
        erasures: ErasureStore,
    ) -> None:
        self._questions = questions
        self._erasures = erasures
        self._memories = memories
        self._namespaces = namespaces
        self._change_sets = change_sets
        self._todos = todos
        self._profiles = profiles
        self._said = said
        self._users = users
        self._clock = clock

    async def agents(self, user_id: str, agent_id: str | None = None) -> tuple[AgentMemories, ...]:
        counts = await self._memories.count_active(await self._seen(user_id, agent_id))
        return tuple(
            AgentMemories(agent_id=namespace.agent_id, memories=count)
            for namespace, count in sorted(counts.items(), key=lambda item: item[0].agent_id or "")
            if count
        )

    async def _seen(self, user_id: str, agent_id: str | None) -> list[Namespace]:
        """Return the namespaces of a user, or those of them that an agent sees."""
        return [
            namespace
            for namespace in await self._namespaces.of_user(user_id)
            if is_seen(namespace.agent_id, agent_id)
        ]

    async def lines(self, user_id: str, agent_id: str | None = None) -> AsyncIterator[ExportLine]:
        state = (await self._users.of([user_id]))[user_id]
        yield ExportBegun(
            user_id=user_id,
            exported_at=self._clock(),
            settings=state.settings,
            agents=await self.agents(user_id, agent_id),
        )
        counts: Counter[str] = Counter()
        for read in (self._records, self._questions_of):
            async for line in read(user_id, agent_id, state):
                counts[line.record] += 1
                yield line
        yield ExportEnded(counts=dict(counts))

    async def _records(
        self, user_id: str, seen_by: str | None, state: UserState
    ) -> AsyncIterator[ExportLine]:
        epoch = state.epoch
        seen = await self._seen(user_id, seen_by)
        async for line in self._memories_of(user_id, seen, epoch):
            yield line
        agents = {namespace.agent_id for namespace in seen}
        for agent_id in (None, *sorted(agents - {None}, key=str)):
            for profile in await self._profiles.versions(
                user_id, limit=MAX_PROFILE_VERSIONS, agent_id=agent_id
            ):
                if profile.epoch >= epoch and not state.is_told_anew(profile.revision):
                    yield ExportedProfile(profile=profile)
        async for summary in self._said.summaries(user_id):
            if not is_erased(summary, state) and is_seen(summary.scope.agent_id, seen_by):
                yield ExportedSummary(summary=summary)
        async for turn in self._said.turns(user_id):
            if not is_erased(turn, state) and is_seen(turn.agent_id, seen_by):
                yield ExportedTurn(turn=turn)

    async def _questions_of(
        self, user_id: str, seen_by: str | None, state: UserState
    ) -> AsyncIterator[ExportLine]:
        questions = await self._questions.list(user_id)
        erasures = await self._erasures.of_user(user_id)
        for known in select_standing_questions(questions, erasures, epoch=state.epoch):
            if is_seen(known.scope.agent_id, seen_by):
                kept = known.model_dump(include={"id", "query", "limit", "created_at"})
                yield ExportedQuestion(scope=known.scope, **kept)

    async def _memories_of(
        self, user_id: str, namespaces: Sequence[Namespace], epoch: int
    ) -> AsyncIterator[ExportLine]:
        first = await self._change_sets.first_revisions(user_id)
        for namespace in namespaces:
            ids = await self._memories.ids(namespace)
            # Memories that one change set holds come together, so that it is read for one page alone.
            ids.sort(key=lambda memory_id: (first.get(memory_id, 0), memory_id))
            pages = (
                self._page(namespace, ids[start : start + _PAGE], epoch)
                for start in range(0, len(ids), _PAGE)
            )
            async with aclosing(read_ahead(pages)) as read:
                async for page in read:
                    for line in page:
                        yield line

    async def _page(
        self, namespace: Namespace, ids: Sequence[str], epoch: int
    ) -> Sequence[ExportedMemory | ExportedTodo]:
        user_id = namespace.user_id
        page, counted, histories = await asyncio.gather(
            self._memories.of_namespaces({namespace: ids}),
            self._memories.accesses_of({user_id: ids}),
            self._change_sets.histories(user_id, ids),
        )
        shown = [
            memory
            for memory in page
            if memory.epoch >= epoch and memory.status is not Status.PURGED
        ]
        accesses = counted.get(user_id, {})
        memories = [
            ExportedMemory(
                memory=memory,
                accesses=accesses.get(memory.id, Accesses()),
                history=list_memory_revisions(histories[memory.id], memory.id),
            )
            for memory in shown
        ]
        # A todo is a memory too, of the same id: so none of any scope is passed over.
        todo_ids = [memory.id for memory in shown if memory.kind.properties.is_todo]
        todos = await self._todos.by_ids({user_id: todo_ids}) if todo_ids else ()
        return [*memories, *(ExportedTodo(todo=todo) for todo in todos)]


def build_router(exporting: UserExport) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["export"])

    @router.get("/agents", openapi_extra=declare_permission(Permission.READ))
    async def agents(whose: Annotated[ExportQuery, Query()]) -> AgentList:
        """List the agents that have memories of this user, and how many.

        Use their ids as `agent_id`.
        """
        return AgentList(agents=await exporting.agents(whose.user_id, whose.agent_id))

    @router.get(
        "/export",
        summary="All there is of a user",
        description=_DESCRIPTION,
        response_class=StreamingResponse,
        responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
        openapi_extra=declare_permission(Permission.READ),
    )
    async def export(whose: Annotated[ExportQuery, Query()]) -> StreamingResponse:
        lines = exporting.lines(whose.user_id, whose.agent_id)
        # Read before anything is answered: a database that is away is a 503 then.
        begun = await anext(lines)
        return StreamingResponse(_written(begun, lines), media_type="application/x-ndjson")

    return router


async def _written(begun: ExportLine, others: AsyncIterator[ExportLine]) -> AsyncIterator[str]:
    yield _line(begun)
    async for line in others:
        yield _line(line)


def _line(line: ExportLine) -> str:
    return f"{line.model_dump_json()}\n"
