"""Calls that read a user's profile, over HTTP."""

from palimpsest.api.resources import (
    ProfileDifference,
    ProfileDifferenceQuery,
    ProfileHistory,
    ProfileQuery,
)
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request
from palimpsest.model.profile import Profile
from palimpsest.model.user import Language


class ProfileCalls:
    _connections: ClientConnections

    async def profile(
        self, user_id: str, *, agent_id: str | None = None, language: Language | str | None = None
    ) -> Profile:
        """Return the current profile; version 0 means that nothing is known yet.

        Without `agent_id` it is made of the user layer alone; with it, of the agent's own memories
        as well. `language` is the language of the text for an unknown user; left out, it is the
        user's language.
        """
        query = build_valid_request(
            ProfileQuery, user_id=user_id, agent_id=agent_id, language=language
        )
        return await self._connections.console.command("GET", "/v1/profile", query, None, Profile)

    async def profile_versions(
        self, user_id: str, *, agent_id: str | None = None, limit: int = 10
    ) -> ProfileHistory:
        """List earlier versions of the user layer's profile, or of the agent's own, latest first."""
        query = build_valid_request(ProfileQuery, user_id=user_id, agent_id=agent_id, limit=limit)
        return await self._connections.console.command(
            "GET", "/v1/profile/versions", query, None, ProfileHistory
        )

    async def profile_difference(
        self,
        user_id: str,
        *,
        agent_id: str | None = None,
        before: int | None = None,
        after: int | None = None,
    ) -> ProfileDifference:
        """Compare two versions of a profile; without numbers the latest with the one before it."""
        query = build_valid_request(
            ProfileDifferenceQuery, user_id=user_id, agent_id=agent_id, before=before, after=after
        )
        return await self._connections.console.command(
            "GET", "/v1/profile/difference", query, None, ProfileDifference
        )
