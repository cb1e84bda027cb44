"""Erasing for good: one memory, or everything there is of a user."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.command_requests import (
    ErasureList,
    ErasureState,
    ForgetEverythingRequest,
    ForgetEverythingResult,
)
from palimpsest.api.resources import CommandResult
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.events.commands import ForgetEverything
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.data_inventory import DataInventory
from palimpsest_server.stores.decided_erasures import ErasureStore
from services.console.command_responses import (
    COMMAND_RESPONSES,
    SINGLE_ITEM_COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner
from services.console.memory_purge import MemoryPurgePlanner
from services.console.routes.settings import SettingsQueryParameter


class PurgeQuery(ScopedRequest):
    """The scope in which a memory is looked for, and whether it is only a dry run."""

    dry_run: bool = False
    """Only say what would go: nothing is done."""


def build_router(
    purging: MemoryPurgePlanner,
    commands: CommandRunner,
    erasures: ErasureStore,
    kept: DataInventory,
    clock: Clock,
) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["erasing"])

    @router.post(
        "/memories/{memory_id}/purge",
        openapi_extra=declare_permission(Permission.ERASE),
        responses=SINGLE_ITEM_COMMAND_RESPONSES,
    )
    async def purge(
        memory_id: Identifier,
        seen: Annotated[PurgeQuery, Query()],
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Erase one memory for good, with its history and the messages that it quotes.

        From the answer on none of them is shown. Messages of agents that repeat
        it go as well. Other memories that rest on the same messages stay; they
        are answered as `also_said`, and messages of people that repeat it in
        `repeated_by`. A dry run tells all of it beforehand.
        """
        found = await purging.of(seen.scope, memory_id, idempotency_key)
        if seen.dry_run:
            return CommandResult(
                command_id=found.command.event_id,
                applied=False,
                memory=found.memory,
                would_go=found.would_go,
                also_said=found.also_said,
                repeated_by=found.repeated_by,
            )
        done = await answer_command(
            commands, found.command, response, about=memory_id, unchanged=found.memory
        )
        return done.model_copy(
            update={"also_said": found.also_said, "repeated_by": found.repeated_by}
        )

    @router.post(
        "/forget-everything",
        openapi_extra=declare_permission(Permission.ERASE),
        responses=COMMAND_RESPONSES,
    )
    async def forget_everything(
        whose: SettingsQueryParameter,
        request: ForgetEverythingRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> ForgetEverythingResult:
        """Erase all there is of a user, but what they have settled.

        From the answer on nothing of it is shown or comes back; it is gone
        from every store once no stage is waited for at `/v1/erasures`.
        """
        if request.dry_run:
            return ForgetEverythingResult(kept=await kept.of(whose.user_id))
        if request.confirm_user_id != whose.user_id:
            raise InvalidEvent("confirm_user_id must be the id of the user once more")
        event = build_unique_command(ForgetEverything, whose.user_id, idempotency_key, now=clock())
        return ForgetEverythingResult(result=await answer_command(commands, event, response))

    @router.get("/erasures", openapi_extra=declare_permission(Permission.READ))
    async def under_way(whose: SettingsQueryParameter) -> ErasureList:
        """List erasures of a user, and the stages that may still keep something of them."""
        found = await erasures.of_user(whose.user_id)
        return ErasureList(
            erasures=tuple(
                ErasureState(
                    change_set_id=erasure.id,
                    decided_at=erasure.decided_at,
                    everything=erasure.erasure.everything,
                    waiting_for=erasure.waiting_for,
                )
                for erasure in found
            )
        )

    return router
