"""Settings of a user: read as they stand, changed by a command like everything of a user."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.events import SetSettings
from palimpsest.contracts.http import CommandResult, SettingsUpdate
from palimpsest.domain.change_set import ChangeSet, SettingsChange
from palimpsest.domain.clock import Clock
from palimpsest.domain.model import Identifier, Value
from palimpsest.domain.user import UserSettings
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.users import UserStates
from services.console.commands import Commands
from services.console.memories import CONFLICT, IdempotencyKey


class Whose(Value):
    """The user by whom settings are asked for; nothing else is known here."""

    user_id: Identifier


Asked = Annotated[Whose, Query()]


def routes(users: UserStates, commands: Commands, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/settings", tags=["settings"])

    @router.get("", openapi_extra=needs(Permission.READ))
    async def read(whose: Asked) -> UserSettings:
        """What this user has settled, and the defaults for the rest."""
        return await _settings(whose.user_id)

    @router.put(
        "",
        openapi_extra=needs(Permission.WRITE),
        responses={202: {"model": CommandResult}, 409: CONFLICT},
    )
    async def change(
        whose: Asked,
        update: SettingsUpdate,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Change some settings; what is left out stays as it is."""
        command = _set_settings(whose.user_id, update, clock, idempotency_key)
        change_set = await commands.run(command)
        response.status_code = 202 if change_set is None else 200
        return CommandResult(
            command_id=command.event_id,
            applied=change_set is not None,
            revision=change_set.revision if change_set else None,
            settings=_after(change_set) or await _settings(whose.user_id) if change_set else None,
        )

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
    now = clock()
    identity = (
        ("key", idempotency_key)
        if idempotency_key
        else ("at", now.isoformat(), update.model_dump_json())
    )
    return SetSettings(
        event_id=derived_event_id("SetSettings", user_id, *identity),
        occurred_at=now,
        user_id=user_id,
        **update.model_dump(exclude_none=True),
    )


def _after(change_set: ChangeSet) -> UserSettings | None:
    changes = [each for each in change_set.changes if isinstance(each, SettingsChange)]
    return changes[-1].after if changes else None
