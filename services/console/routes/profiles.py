"""The profile of a user: as it stands, and as it stood before."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from palimpsest.api.resources import (
    CommandResult,
    ProfileDifference,
    ProfileDifferenceQuery,
    ProfileHistory,
    ProfileQuery,
)
from palimpsest.events.commands import RefreshProfile
from palimpsest.model.clock import Clock
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.user import Language, UserState
from palimpsest_server.domain.profiles.layered_profile import is_profile_visible, join_layers
from palimpsest_server.domain.profiles.profile_difference import compare_profiles, forget_words
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.profiles import MAX_PROFILE_VERSIONS, ProfileReader
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.written_language import WrittenLanguages
from services.console.command_responses import (
    COMMAND_RESPONSES,
    NOT_FOUND_RESPONSE,
    IdempotencyKey,
    answer_command,
    build_unique_command,
)
from services.console.command_runner import CommandRunner
from services.console.routes.settings import SettingsQueryParameter


def build_router(
    profiles: ProfileReader,
    users: UserStates,
    written: WrittenLanguages,
    commands: CommandRunner,
    clock: Clock,
) -> APIRouter:
    router = APIRouter(prefix="/v1/profile", tags=["profile"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def read(query: Annotated[ProfileQuery, Query()]) -> Profile:
        """Return this user's profile in a few paragraphs; an empty one if none was written yet.

        It is made of the user layer alone; with `agent_id`, of that and the agent's own memories.
        It is written anew after five sessions or a week, and within seconds where the user asked
        for something to be remembered or forgotten, or a core fact took another's place.
        """
        state = await _state(query.user_id)
        of_user = await _latest(query.user_id, None, state)
        of_agent = query.agent_id and await _latest(query.user_id, query.agent_id, state)
        profile = join_layers(of_user, of_agent or None)
        if profile is not None:
            return profile
        language = query.language or state.settings.language or await written.of(query.user_id)
        return build_empty_profile(
            query.user_id,
            language or Language.ENGLISH,
            epoch=state.epoch,
            now=clock(),
            agent_id=query.agent_id,
        )

    @router.post(
        "/refresh",
        openapi_extra=declare_permission(Permission.WRITE),
        responses=COMMAND_RESPONSES,
    )
    async def refresh(
        whose: SettingsQueryParameter,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Have this user's profiles written anew, of the user layer and of each agent.

        The command is applied at once; the new version is there some seconds later, or later still
        where a model writes it.
        """
        event = build_unique_command(RefreshProfile, whose.user_id, idempotency_key, now=clock())
        return await answer_command(commands, event, response)

    @router.get("/versions", openapi_extra=declare_permission(Permission.READ))
    async def versions(query: Annotated[ProfileQuery, Query()]) -> ProfileHistory:
        """List the versions of the user layer's profile, or of the agent's own, latest first."""
        state = await _state(query.user_id)
        found = await profiles.versions(query.user_id, limit=query.limit, agent_id=query.agent_id)
        shown = tuple(one for one in found if is_profile_visible(one, state))
        return ProfileHistory(versions=shown)

    @router.get(
        "/difference",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: NOT_FOUND_RESPONSE},
    )
    async def difference(query: Annotated[ProfileDifferenceQuery, Query()]) -> ProfileDifference:
        """Compare two versions of the user layer's profile, or of the agent's own.

        The first version is compared with nothing, which has the number 0.
        """
        state = await _state(query.user_id)
        found = await profiles.versions(
            query.user_id, limit=MAX_PROFILE_VERSIONS, agent_id=query.agent_id
        )
        shown = {one.version: one for one in found if is_profile_visible(one, state)}
        after = shown.get(query.after or max(shown, default=0))
        earlier = [version for version in shown if after and version < after.version]
        before = shown.get(query.before or max(earlier, default=0))
        if after is None or (before is None and query.before is not None):
            raise RecordNotFound("there is no such version of this profile")
        return compare_profiles(before or forget_words(after), after)

    async def _latest(user_id: str, agent_id: str | None, state: UserState) -> Profile | None:
        found = await profiles.versions(user_id, limit=1, agent_id=agent_id)
        return next((one for one in found if is_profile_visible(one, state)), None)

    async def _state(user_id: str) -> UserState:
        return (await users.of([user_id]))[user_id]

    return router
