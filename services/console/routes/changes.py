"""The history of a user, and taking back one change of it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.command_requests import ChangeList, ChangeQuery
from palimpsest.api.resources import CommandResult
from palimpsest.events.commands import UndoChange
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.clock import Clock
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.value_types import Identifier, Value
from palimpsest_server.domain.consolidation.tombstones import ERASED_REASON
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import (
    is_seen_by_agent,
    is_whole_for_agent,
    restrict_to_agent,
)
from services.console.command_responses import (
    NOT_FOUND_RESPONSE,
    SINGLE_ITEM_COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner


class ReaderQuery(Value):
    """The user whose history is read, and the agent that reads it."""

    user_id: Identifier
    agent_id: Identifier | None = None
    """The agent that reads; left out, everything of the user is read."""


_ReaderParameter = Annotated[ReaderQuery, Query()]


def build_router(
    change_sets: ChangeSetReader, users: UserStates, commands: CommandRunner, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix="/v1/changes", tags=["changes"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def page(query: Annotated[ChangeQuery, Query()]) -> ChangeList:
        """List changes, newest first: who changed what, when and why, before and after.

        What was decided and changed nothing is left out: that something was
        recalled, or a look of maintenance.
        """
        found = await _found(query)
        page = found[: query.limit]
        epoch = (await users.of([query.user_id]))[query.user_id].epoch
        return ChangeList(
            # Changes of an older epoch are hidden, even before they are deleted.
            changes=tuple(
                restrict_to_agent(change_set, query.agent_id)
                for change_set in page
                if change_set.epoch >= epoch and is_seen_by_agent(change_set, query.agent_id)
            ),
            next_cursor=page[-1].revision if len(found) > len(page) else None,
        )

    @router.get(
        "/{change_set_id}",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def one(change_set_id: Identifier, whose: _ReaderParameter) -> ChangeSet:
        """Return one change; 404 as long as it was not decided.

        What it changed can be read a moment later than the change itself.
        """
        epoch = (await users.of([whose.user_id]))[whose.user_id].epoch
        for change_set in await change_sets.by_ids([change_set_id]):
            mine = change_set.user_id == whose.user_id and change_set.epoch >= epoch
            if mine and is_seen_by_agent(change_set, whose.agent_id):
                return restrict_to_agent(change_set, whose.agent_id)
        raise RecordNotFound("there is no such change of this user, or not yet")

    @router.post(
        "/{change_set_id}/undo",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def undo(
        change_set_id: Identifier,
        whose: _ReaderParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Take back all that one change set did, unless something changed it again since.

        An agent takes back only what it sees whole.
        """
        if whose.agent_id is not None:
            found = await change_sets.by_ids([change_set_id])
            if not any(
                one.user_id == whose.user_id and is_whole_for_agent(one, whose.agent_id)
                for one in found
            ):
                raise RecordNotFound("no change of this id is seen whole by this agent")
        event = build_unique_command(
            UndoChange,
            whose.user_id,
            idempotency_key,
            change_set_id,
            now=clock(),
            change_set_id=change_set_id,
        )
        return await answer_command(commands, event, response)

    async def _found(query: ChangeQuery) -> list[ChangeSet]:
        if query.memory_id is None:
            return await _page(change_sets, query)
        history = await change_sets.history(query.user_id, query.memory_id)
        return [
            each
            for each in reversed(history)
            if query.cursor is None or each.revision < query.cursor
        ][: query.limit + 1]

    return router


async def _page(change_sets: ChangeSetReader, query: ChangeQuery) -> list[ChangeSet]:
    found: list[ChangeSet] = []
    before, wanted = query.cursor, query.limit + 1
    while len(found) < wanted:
        page = await change_sets.page(query.user_id, limit=wanted, before=before)
        found += [change_set for change_set in page if _tells_something(change_set)]
        if len(page) < wanted:
            break
        before = page[-1].revision
    return found[:wanted]


def _tells_something(change_set: ChangeSet) -> bool:
    """Return whether a change set changed something, which may be erased by now."""
    return (
        bool(change_set.changes)
        or change_set.refusal is not None
        or change_set.reason == ERASED_REASON
    )
