"""Profiles: the latest versions of each layer of a user's, and which are to be made anew."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from palimpsest.model.identifiers import derive_id
from palimpsest.model.profile import Profile
from palimpsest.model.value_types import Identifier, Instant, Value

Profiles = list[Profile]

ProfileKey: TypeAlias = tuple[str, str | None]
"""The user, and the agent whose own layer it tells of; None for the user layer."""

MAX_PROFILE_VERSIONS = 50
"""Profiles of each layer: a year of weekly accounts. Older ones stay in the history of changes."""


class ProfileReader(Protocol):
    """Without an agent it reads the profiles of the user layer, else those of the agent's own."""

    async def latest(
        self, user_ids: Iterable[str], *, agent_id: str | None = None
    ) -> Mapping[str, Profile]:
        """The account of each that stands; who has none is left out."""
        ...

    async def versions(self, user_id: str, *, limit: int, agent_id: str | None = None) -> Profiles:
        """The latest first."""
        ...


class ProfileStore(ProfileReader, Protocol):
    async def write(self, profiles: Sequence[Profile]) -> None:
        """Keep these versions; one that is there already stays as it is, and the oldest go."""
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        """Delete every version of an epoch before that; how many these were."""
        ...


class ProfileNeed(Value):
    """Something new that the profile of a layer does not know."""

    id: str
    """See `profile_need_id`."""
    owner_id: Identifier | None = None
    """The user whose agent it is; null for the user layer, whose need has the user's own id."""
    agent_id: Identifier | None = None
    revision: int
    """Of the latest of it."""
    news_revision: int = 0
    """Of the latest that alone is reason enough; 0 where none is."""
    unchecked_revision: int = 0
    """Of the latest topic that was forgotten: what spoke of it must go, whatever it was."""
    told_revision: int = 0
    """Of the latest that a person asked for, to be remembered or forgotten, and waits for."""
    epoch: int
    first_noted: Instant
    look_at: Instant
    asked: int = 0
    """How often it was asked for since anything came."""
    asked_at: Instant | None = None
    """When that was the last time, whatever came since."""

    @property
    def user_id(self) -> str:
        return self.owner_id or self.id

    def joined(self, other: "ProfileNeed") -> "ProfileNeed":
        """Both, the other one the later."""
        return ProfileNeed(
            id=self.id,
            owner_id=self.owner_id,
            agent_id=self.agent_id,
            revision=max(self.revision, other.revision),
            news_revision=max(self.news_revision, other.news_revision),
            unchecked_revision=max(self.unchecked_revision, other.unchecked_revision),
            told_revision=max(self.told_revision, other.told_revision),
            epoch=max(self.epoch, other.epoch),
            first_noted=min(self.first_noted, other.first_noted),
            look_at=other.look_at,
            asked=0,
            asked_at=self.asked_at,
        )


class ProfileNeeds(Protocol):
    async def note(self, needs: Sequence[ProfileNeed]) -> None:
        """Note needs; a need that was noted before is joined with the new one."""
        ...

    async def due(self, *, now: datetime, limit: int) -> list[ProfileNeed]:
        """Return needs that are due by now, longest waiting first."""
        ...

    async def later(
        self,
        need: ProfileNeed,
        *,
        look_at: datetime,
        asked: int,
        asked_at: datetime | None = None,
    ) -> None:
        """Look again then, unless something came since it was read.

        `asked_at`: it was asked for at that moment, which stays so whatever came.
        """
        ...

    async def met(self, need_id: str, *, revision: int) -> None:
        """A profile takes account of everything up to this revision."""
        ...


class InMemoryProfiles:
    def __init__(self) -> None:
        self._profiles: dict[str, Profile] = {}

    async def latest(
        self, user_ids: Iterable[str], *, agent_id: str | None = None
    ) -> Mapping[str, Profile]:
        return {
            user_id: found[0]
            for user_id in user_ids
            if (found := await self.versions(user_id, limit=1, agent_id=agent_id))
        }

    async def versions(self, user_id: str, *, limit: int, agent_id: str | None = None) -> Profiles:
        own = [
            profile
            for profile in self._profiles.values()
            if (profile.user_id, profile.agent_id) == (user_id, agent_id)
        ]
        return latest_first(own)[:limit]

    async def write(self, profiles: Sequence[Profile]) -> None:
        for written in profiles:
            self._profiles.setdefault(written.id, written)
            self._profiles = {
                profile.id: profile
                for profile in self._profiles.values()
                if not is_beyond_retention(profile, written)
            }

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = [
            profile.id
            for profile in self._profiles.values()
            if profile.user_id == user_id and profile.epoch < before_epoch
        ]
        for profile in erased:
            del self._profiles[profile]
        return len(erased)


class InMemoryProfileNeeds:
    def __init__(self) -> None:
        self._needs: dict[str, ProfileNeed] = {}

    async def note(self, needs: Sequence[ProfileNeed]) -> None:
        for need in needs:
            standing = self._needs.get(need.id)
            self._needs[need.id] = need if standing is None else standing.joined(need)

    async def due(self, *, now: datetime, limit: int) -> list[ProfileNeed]:
        due = [need for need in self._needs.values() if need.look_at <= now]
        return sorted(due, key=lambda need: (need.look_at, need.id))[:limit]

    async def later(
        self,
        need: ProfileNeed,
        *,
        look_at: datetime,
        asked: int,
        asked_at: datetime | None = None,
    ) -> None:
        standing = self._needs.get(need.id)
        if standing is None:
            return
        update: dict[str, object] = {} if asked_at is None else {"asked_at": asked_at}
        if standing.revision == need.revision:
            update |= {"look_at": look_at, "asked": asked}
        self._needs[need.id] = standing.model_copy(update=update)

    async def met(self, need_id: str, *, revision: int) -> None:
        standing = self._needs.get(need_id)
        if standing is not None and standing.revision <= revision:
            del self._needs[need_id]


def profile_need_id(user_id: str, agent_id: str | None) -> str:
    return user_id if agent_id is None else derive_id("profile_need", user_id, agent_id)


def latest_first(profiles: Sequence[Profile]) -> Profiles:
    return sorted(profiles, key=lambda one: (one.epoch, one.version), reverse=True)


def is_beyond_retention(profile: Profile, latest: Profile) -> bool:
    """Return whether a profile version is dropped when `latest` is written."""
    same = (profile.user_id, profile.agent_id, profile.epoch) == (
        latest.user_id,
        latest.agent_id,
        latest.epoch,
    )
    return same and profile.version <= find_newest_version_to_drop(latest)


def find_newest_version_to_drop(latest: Profile) -> int:
    """The version from which on downwards nothing is kept beside this one; 0 or less: all is."""
    return latest.version - MAX_PROFILE_VERSIONS
