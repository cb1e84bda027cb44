"""The profile of a user: as it stands, and as it stood before."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import ProfileHistory, ProfileQuery
from palimpsest.model.clock import Clock
from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.user import Language, UserState
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.profiles import ProfileReader
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.written_language import WrittenLanguages


def build_router(
    profiles: ProfileReader, users: UserStates, written: WrittenLanguages, clock: Clock
) -> APIRouter:
    router = APIRouter(prefix="/v1/profile", tags=["profile"])

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def read(query: Annotated[ProfileQuery, Query()]) -> Profile:
        """Return this user's profile in a few paragraphs; an empty one if none was written yet.

        It is written anew after five sessions or a week, and within seconds where the user asked
        for something to be remembered or forgotten, or a core fact took another's place.
        """
        state = await _state(query.user_id)
        found = [
            version
            for version in await profiles.versions(query.user_id, limit=1)
            if version.epoch == state.epoch
        ]
        if found:
            return found[0]
        language = query.language or state.settings.language or await written.of(query.user_id)
        return build_empty_profile(
            query.user_id, language or Language.ENGLISH, epoch=state.epoch, now=clock()
        )

    @router.get("/versions", openapi_extra=declare_permission(Permission.READ))
    async def versions(query: Annotated[ProfileQuery, Query()]) -> ProfileHistory:
        """List the versions of this user's profile, latest first."""
        state = await _state(query.user_id)
        found = await profiles.versions(query.user_id, limit=query.limit)
        return ProfileHistory(versions=tuple(one for one in found if one.epoch == state.epoch))

    async def _state(user_id: str) -> UserState:
        return (await users.of([user_id]))[user_id]

    return router
