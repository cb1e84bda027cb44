"""Step 3: messages and memories that were stored without a project get the project of their session.

Facts, events and goals said in a project were once stored without it: they were recalled from every other
project, and outlived theirs. A memory moves to the project if all of its evidence was said there and
the sharing policy of its user allows it; its agent stays. Each move is a change set, which the
consolidator applies, projects and announces like any other, so that it can be seen and undone.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from palimpsest.events.envelope import derive_event_id
from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange, change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Layout, Namespace
from palimpsest.model.user import UserState
from palimpsest_server.domain.sharing_policy import resolve_shared_scope
from palimpsest_server.stores.cached_user_states import StoredUserStates
from palimpsest_server.stores.change_sets import DecidedChangeSet
from palimpsest_server.stores.collections import MEMORIES, NAMESPACES, SESSIONS, TURNS
from palimpsest_server.stores.migrations.migration_step import (
    DOCUMENTS_PER_BATCH,
    MigrationContext,
    StepBatch,
)
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import Document, from_document
from palimpsest_server.stores.sessions import Session

ACTOR = "palimpsest migrate"
REASON = "it was said in this project and stored without it"

MEMORIES_PER_CHANGE_SET = 64
MAXIMUM_TRIES = 5
"""Attempts at a change set whose revision another process took."""

_IN_PROJECT: Mapping[str, Document] = {"project_id": {"$ne": None}}
_USER_NAMES = ("the user", "用户")


@dataclass(frozen=True)
class SessionProjects:
    number: int = 3
    words: str = "messages and memories without a project get the one of their session"

    async def count(self, context: MigrationContext) -> int:
        sessions = await context.database.collection(SESSIONS).count_documents(dict(_IN_PROJECT))
        namespaces = await context.database.collection(NAMESPACES).estimated_document_count()
        return int(sessions + namespaces)

    async def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        async for batch in _turn_batches(context):
            yield batch
        async for batch in _memory_batches(context):
            yield batch


async def _turn_batches(context: MigrationContext) -> AsyncIterator[StepBatch]:
    turns = context.database.collection(TURNS)
    fields = {"user_id": 1, "session_id": 1, "project_id": 1}
    found = context.database.collection(SESSIONS).find(dict(_IN_PROJECT), fields)
    while sessions := await found.to_list(DOCUMENTS_PER_BATCH):
        for session in sessions:
            # The first indexed field comes first: DatabaseLimit.FIRST_INDEXED_FIELD_ONLY.
            own = {name: session[name] for name in ("session_id", "user_id")}
            which = {**own, "project_id": None}
            change = {"$set": {"project_id": session["project_id"]}}
            yield StepBatch(
                seen=1,
                changed=await turns.count_documents(which),
                write=partial(_update_turns, context, which, change),
            )


async def _update_turns(context: MigrationContext, which: Document, change: Document) -> None:
    await context.database.collection(TURNS).update_many(which, change)


async def _memory_batches(context: MigrationContext) -> AsyncIterator[StepBatch]:
    users = StoredUserStates.in_database(context.database)
    found = context.database.collection(NAMESPACES).find({}, {"user_id": 1, "agent_id": 1})
    while registered := await found.to_list(DOCUMENTS_PER_BATCH):
        for each in registered:
            # Checked at registration: a stored id may be older than the rules for new ids.
            namespace = Namespace.model_construct(
                user_id=each["user_id"], agent_id=each["agent_id"]
            )
            changes: list[MemoryChange] = []
            if sessions := await _sessions_in_projects(context, namespace.user_id):
                state = (await users.of([namespace.user_id]))[namespace.user_id]
                changes = [
                    change
                    for memory in await _memories_without_project(context, namespace, sessions)
                    if (change := move_to_project(memory, sessions, state)) is not None
                ]
            write = partial(_write_change_sets, context, namespace.user_id, changes, users)
            yield StepBatch(seen=1, changed=len(changes), write=write)


async def _sessions_in_projects(context: MigrationContext, user_id: str) -> Mapping[str, Session]:
    """Return the sessions of a user that have a project, by their ids."""
    found = context.database.collection(SESSIONS).find({"user_id": user_id, **_IN_PROJECT})
    sessions = [from_document(Session, document) async for document in found]
    return {session.session_id: session for session in sessions}


async def _memories_without_project(
    context: MigrationContext, namespace: Namespace, sessions: Mapping[str, Session]
) -> Sequence[Memory]:
    pooled = context.layout is Layout.POOLED
    name = MEMORIES.name if pooled else namespace.physical_name
    which = {
        "scope.user_id": namespace.user_id,
        "scope.agent_id": namespace.agent_id,
        "scope.project_id": None,
        "evidence.session_id": {"$in": sorted(sessions)},
    }
    found = await context.database.named(name).find(which).to_list(None)
    return [from_document(Memory, document) for document in found]


def move_to_project(
    memory: Memory, sessions: Mapping[str, Session], state: UserState
) -> MemoryChange | None:
    """Return the change that moves a memory to the project it was said in; None if the memory stays.

    Args:
        memory: a memory without a project.
        sessions: the user's sessions with a project, by id.
        state: the user's settings and epoch.
    """
    if memory.status is Status.PURGED or memory.epoch < state.epoch:
        return None
    said_in = [sessions.get(evidence.session_id or "") for evidence in memory.evidence]
    own = [session for session in said_in if session is not None]
    projects = {session.project_id for session in own}
    if len(own) < len(said_in) or len(projects) != 1:
        return None
    names = {name.casefold() for session in own for name in session.participants}
    resolved = resolve_shared_scope(
        state.settings.sharing_policy,
        memory.kind,
        about_user=_is_about_user(memory, names),
        attribute=memory.attribute,
        conversation=memory.scope.model_copy(update={"project_id": projects.pop()}),
    )
    if resolved.project_id is None:
        return None
    scope = memory.scope.model_copy(update={"project_id": resolved.project_id})
    after = memory.model_copy(update={"scope": scope, "version": memory.version + 1})
    return MemoryChange(before=memory, after=after)


def _is_about_user(memory: Memory, names: Collection[str]) -> bool:
    """Return whether a memory of the user layer is about the user themself."""
    if memory.scope.agent_id is not None:
        return False
    words = memory.content.casefold()
    always = memory.kind.properties.is_always_about_user
    return always or any(name in words for name in (*_USER_NAMES, *names))


async def _write_change_sets(
    context: MigrationContext,
    user_id: str,
    changes: Sequence[MemoryChange],
    users: StoredUserStates,
) -> None:
    if not changes:
        return
    store = MongoChangeSets(context.database)
    epoch = (await users.of([user_id]))[user_id].epoch
    for start in range(0, len(changes), MEMORIES_PER_CHANGE_SET):
        part = changes[start : start + MEMORIES_PER_CHANGE_SET]
        for _ in range(MAXIMUM_TRIES):
            head = (await store.heads([user_id]))[user_id]
            decided = _change_set(user_id, part, head.revision + 1, epoch, context.clock)
            refused = await store.append([DecidedChangeSet(change_set=decided)])
            # If the step is interrupted after this write, the next run makes the same id, which is refused.
            if not refused or await store.known([decided.id]):
                break


def _change_set(
    user_id: str, changes: Sequence[MemoryChange], revision: int, epoch: int, clock: Clock
) -> ChangeSet:
    moved = [f"{change.after.id} {change.after.version}" for change in changes]
    event_id = derive_event_id("MemoriesMigrated", user_id, *moved)
    now = clock()
    return ChangeSet(
        id=change_set_id(user_id, event_id),
        user_id=user_id,
        revision=revision,
        epoch=epoch,
        cause=Cause(event_id=event_id, type="MemoriesMigrated", occurred_at=now, received_at=now),
        actor=ACTOR,
        reason=REASON,
        decided_at=now,
        changes=tuple(changes),
    )
