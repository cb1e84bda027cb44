"""What is known of a user in a few paragraphs, as a client reads it, over HTTP."""

from palimpsest.client.checking import checked
from palimpsest.client.connections import Connections
from palimpsest.contracts.http import ProfileHistory, ProfileQuery
from palimpsest.domain.profiles.profile import Profile
from palimpsest.domain.user import Language


class Profiles:
    _connections: Connections

    async def profile(self, user_id: str, *, language: Language | str | None = None) -> Profile:
        """The account as it stands; of version 0, and saying so, where nothing is known yet.

        `language` is that of these words; else they are in the user's own.
        """
        query = checked(ProfileQuery, user_id=user_id, language=language)
        return await self._connections.console.command("GET", "/v1/profile", query, None, Profile)

    async def profile_versions(self, user_id: str, *, limit: int = 10) -> ProfileHistory:
        """As it stood before, the latest version first."""
        query = checked(ProfileQuery, user_id=user_id, limit=limit)
        return await self._connections.console.command(
            "GET", "/v1/profile/versions", query, None, ProfileHistory
        )
