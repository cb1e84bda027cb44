"""Settings of a user: read as they stand, changed by a command like everything of a user."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.command_requests import TierUpdate
from palimpsest.api.resources import CommandResult, SettingsUpdate
from palimpsest.events.commands import SetSettings, SetTier
from palimpsest.model.clock import Clock
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Value
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.user_states import UserStates
from services.console.command_responses import (
    COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner


class SettingsQuery(Value):
    """The user by whom settings are asked for; nothing else is known here."""

    user_id: Identifier


SettingsQueryParameter = Annotated[SettingsQuery, Query()]

_RESET = ("language", "compression", "quiet_hours")
"""Settings that null resets to following something else."""


def build_router(users: UserStates, commands: CommandRunner, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/settings", tags=["settings"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def read(whose: SettingsQueryParameter) -> UserSettings:
        """Return this user's settings, with defaults for those never set."""
        return await _settings(whose.user_id)

    @router.put(
        "",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=COMMAND_RESPONSES,
    )
    async def change(
        whose: SettingsQueryParameter,
        update: SettingsUpdate,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Change some settings; what is left out stays as it is."""
        command = _set_settings(whose.user_id, update, clock, idempotency_key)
        result = await answer_command(commands, command, response)
        if not result.applied or result.settings is not None:
            return result
        return result.model_copy(update={"settings": await _settings(whose.user_id)})

    @router.put(
        "/tier",
        openapi_extra=declare_permission(Permission.ADMIN, service_alone=True),
        responses=COMMAND_RESPONSES,
    )
    async def set_tier(
        whose: SettingsQueryParameter,
        update: TierUpdate,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Say how much is kept for each agent of this user."""
        event = build_unique_command(
            SetTier,
            whose.user_id,
            idempotency_key,
            update.model_dump_json(),
            now=clock(),
            tier=update.tier,
        )
        return await answer_command(commands, event, response)

    async def _settings(user_id: str) -> UserSettings:
        return (await users.of([user_id]))[user_id].settings

    return router


def _set_settings(
    user_id: str, update: SettingsUpdate, clock: Clock, idempotency_key: str | None
) -> SetSettings:
    """Change settings. Without a key each request is a command of its own.

    On, off and on again are three commands, though the first and the last are equal: only the
    sender knows whether one is a retry.
    """
    back = [
        name for name in _RESET if name in update.model_fields_set and getattr(update, name) is None
    ]
    return build_unique_command(
        SetSettings,
        user_id,
        idempotency_key,
        update.model_dump_json(exclude_unset=True),
        now=clock(),
        reset=back,
        **update.model_dump(exclude_none=True),
    )
