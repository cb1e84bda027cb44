"""Settings of a user: read as they stand, changed by a command like everything of a user."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.command_requests import TierUpdate
from palimpsest.contracts.commands import SetSettings, SetTier
from palimpsest.contracts.http import CommandResult, SettingsUpdate
from palimpsest.domain.clock import Clock
from palimpsest.domain.model import Identifier, Value
from palimpsest.domain.user import UserSettings
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.users import UserStates
from services.console.answering import (
    ANSWERS,
    IdempotencyKey,
    answered,
    command_alone,
)
from services.console.commands import Commands


class Whose(Value):
    """The user by whom settings are asked for; nothing else is known here."""

    user_id: Identifier


Asked = Annotated[Whose, Query()]

_RESET = ("language", "compression")
"""Settings that can be left to something else again, by null."""


def routes(users: UserStates, commands: Commands, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/settings", tags=["settings"])

    @router.get("", openapi_extra=needs(Permission.READ))
    async def read(whose: Asked) -> UserSettings:
        """What this user has settled, and the defaults for the rest."""
        return await _settings(whose.user_id)

    @router.put(
        "",
        openapi_extra=needs(Permission.WRITE),
        responses=ANSWERS,
    )
    async def change(
        whose: Asked,
        update: SettingsUpdate,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Change some settings; what is left out stays as it is."""
        command = _set_settings(whose.user_id, update, clock, idempotency_key)
        result = await answered(commands, command, response)
        if not result.applied or result.settings is not None:
            return result
        return result.model_copy(update={"settings": await _settings(whose.user_id)})

    @router.put(
        "/tier",
        openapi_extra=needs(Permission.ADMIN),
        responses=ANSWERS,
    )
    async def set_tier(
        whose: Asked,
        update: TierUpdate,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Say how much is kept for each agent of this user."""
        event = command_alone(
            SetTier,
            whose.user_id,
            idempotency_key,
            update.model_dump_json(),
            now=clock(),
            tier=update.tier,
        )
        return await answered(commands, event, response)

    async def _settings(user_id: str) -> UserSettings:
        return (await users.of([user_id]))[user_id].settings

    return router


def _set_settings(
    user_id: str, update: SettingsUpdate, clock: Clock, idempotency_key: str | None
) -> SetSettings:
    """Without a key each request is a command of its own.

    On, off and on again are three commands, though the first and the last say
    the same: only whoever asks can know that one is a retry.
    """
    back = [
        name for name in _RESET if name in update.model_fields_set and getattr(update, name) is None
    ]
    return command_alone(
        SetSettings,
        user_id,
        idempotency_key,
        update.model_dump_json(exclude_unset=True),
        now=clock(),
        reset=back,
        **update.model_dump(exclude_none=True),
    )
