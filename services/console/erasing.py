"""Erasing for good: one memory, or everything there is of a user."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.command_requests import (
    ErasureList,
    ErasureState,
    EverythingForgotten,
    ForgetEverythingRequest,
)
from palimpsest.contracts.commands import ForgetEverything, PurgeMemory
from palimpsest.contracts.http import CommandResult
from palimpsest.contracts.seen import SeenFrom
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.memory import Status
from palimpsest.domain.model import Identifier
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.erasures import ErasureStore
from palimpsest.stores.kept import Kept
from services.console.answering import (
    ANSWERS,
    ANSWERS_ABOUT_ONE,
    IdempotencyKey,
    answered,
    command_alone,
)
from services.console.commands import Commands
from services.console.editing import Editing
from services.console.settings import Asked


class Seen(SeenFrom):
    """From where a memory is looked for, and whether it is only looked for."""

    dry_run: bool = False
    """Only say what would go: nothing is done."""


def routes(
    editing: Editing, commands: Commands, erasures: ErasureStore, kept: Kept, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["erasing"])

    @router.post(
        "/memories/{memory_id}/purge",
        openapi_extra=needs(Permission.ADMIN),
        responses=ANSWERS_ABOUT_ONE,
    )
    async def purge(
        memory_id: Identifier,
        seen: Annotated[Seen, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Erase one memory for good, with its evidence and its history."""
        event, memory = await editing.about(PurgeMemory, seen.scope, memory_id, idempotency_key)
        if seen.dry_run:
            going = {"memories": int(memory.status is not Status.PURGED)}
            return CommandResult(
                command_id=event.event_id, applied=False, memory=memory, would_go=going
            )
        return await answered(commands, event, response, about=memory_id, unchanged=memory)

    @router.post(
        "/forget-everything",
        openapi_extra=needs(Permission.ADMIN),
        responses=ANSWERS,
    )
    async def forget_everything(
        whose: Asked,
        request: ForgetEverythingRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> EverythingForgotten:
        """Erase all there is of a user, but what they have settled.

        From the answer on nothing of it is shown or comes back; it is gone
        from every store once no stage is waited for at `/v1/erasures`.
        """
        if request.dry_run:
            return EverythingForgotten(kept=await kept.of(whose.user_id))
        if request.confirm_user_id != whose.user_id:
            raise InvalidEvent("confirm_user_id must be the id of the user once more")
        event = command_alone(ForgetEverything, whose.user_id, idempotency_key, now=clock())
        return EverythingForgotten(result=await answered(commands, event, response))

    @router.get("/erasures", openapi_extra=needs(Permission.READ))
    async def under_way(whose: Asked) -> ErasureList:
        """What was erased of a user, and who may still keep something of it."""
        found = await erasures.of_user(whose.user_id)
        return ErasureList(
            erasures=tuple(
                ErasureState(
                    change_set_id=one.id,
                    decided_at=one.decided_at,
                    everything=one.erasure.everything,
                    waiting_for=one.waiting_for,
                )
                for one in found
            )
        )

    return router
