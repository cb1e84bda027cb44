"""The history of a user, and taking back one change of it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.command_requests import ChangeList, ChangeQuery
from palimpsest.contracts.commands import UndoChange
from palimpsest.contracts.http import CommandResult
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import NotFound
from palimpsest.domain.evolution.erasing import ERASED
from palimpsest.domain.model import Identifier
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.change_sets import ChangeSetReader
from palimpsest.stores.users import UserStates
from services.console.answering import (
    ANSWERS_ABOUT_ONE,
    NOT_FOUND,
    IdempotencyKey,
    answered,
    command_alone,
)
from services.console.commands import Commands
from services.console.settings import Asked


def routes(
    change_sets: ChangeSetReader, users: UserStates, commands: Commands, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix="/v1/changes", tags=["changes"])

    @router.get("", openapi_extra=needs(Permission.READ))
    async def page(query: Annotated[ChangeQuery, Query()]) -> ChangeList:
        """Who changed what, when and why, before and after: the newest first.

        What was decided and changed nothing is left out: that something was
        recalled, or a look of maintenance.
        """
        found = await _found(query)
        page = found[: query.limit]
        epoch = (await users.of([query.user_id]))[query.user_id].epoch
        return ChangeList(
            # Of an older epoch nothing is shown, even before it is gone.
            changes=tuple(each for each in page if each.epoch >= epoch),
            next_cursor=page[-1].revision if len(found) > len(page) else None,
        )

    @router.get(
        "/{change_set_id}", openapi_extra=needs(Permission.READ), responses={404: NOT_FOUND}
    )
    async def one(change_set_id: Identifier, whose: Asked) -> ChangeSet:
        """One change; not found as long as it was not decided.

        What it changed can be read a moment later than the change itself.
        """
        epoch = (await users.of([whose.user_id]))[whose.user_id].epoch
        for found in await change_sets.by_ids([change_set_id]):
            if found.user_id == whose.user_id and found.epoch >= epoch:
                return found
        raise NotFound("there is no such change of this user, or not yet")

    @router.post(
        "/{change_set_id}/undo",
        openapi_extra=needs(Permission.WRITE),
        responses=ANSWERS_ABOUT_ONE,
    )
    async def undo(
        change_set_id: Identifier,
        whose: Asked,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Take back all that one change set did, unless something changed it again since."""
        event = command_alone(
            UndoChange,
            whose.user_id,
            idempotency_key,
            change_set_id,
            now=clock(),
            change_set_id=change_set_id,
        )
        return await answered(commands, event, response)

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
        found += [each for each in page if _tells_something(each)]
        if len(page) < wanted:
            break
        before = page[-1].revision
    return found[:wanted]


def _tells_something(change_set: ChangeSet) -> bool:
    """What is erased by now changed something as well."""
    return bool(change_set.changes) or change_set.refusal is not None or change_set.reason == ERASED
