"""Profiles: the latest versions of each layer of a user, and the layers whose profile is out of date."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias

from palimpsest.model.identifiers import derive_id
from palimpsest.model.profile import Profile
from palimpsest.model.value_types import Identifier, Instant, Value

Profiles = list[Profile]

ProfileKey: TypeAlias = tuple[str, str | None]
"""The user, and the agent whose layer the profile describes; None for the user layer."""

MAX_PROFILE_VERSIONS = 50
"""Versions kept of each layer: a year of weekly profiles. Older ones stay in the history of changes."""


class ProfileReader(Protocol):
    """Reads profiles of one agent's layer, or of the user layer if no agent is given."""

    async def latest(
        self, user_ids: Iterable[str], *, agent_id: str | None = None
    ) -> Mapping[str, Profile]:
        """Return the current profile of each user; users without a profile are left out."""
        ...

    async def versions(self, user_id: str, *, limit: int, agent_id: str | None = None) -> Profiles:
        """Return profile versions, latest first."""
        ...


class ProfileStore(ProfileReader, Protocol):
    async def write(self, profiles: Sequence[Profile]) -> None:
        """Store these versions; an existing version stays unchanged, and the oldest are dropped."""
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        """Delete profile versions of epochs below `before_epoch`; return how many."""
        ...


class ProfileNeed(Value):
    """A layer has changes that its profile does not know."""

    id: str
    """Id made by `profile_need_id`."""
    owner_id: Identifier | None = None
    """The agent's user; None for the user layer, whose need has the user's id."""
    agent_id: Identifier | None = None
    revision: int
    """Revision of the latest change."""
    news_revision: int = 0
    """Revision of the latest change that alone justifies a new profile; 0 if there is none."""
    unchecked_revision: int = 0
    """Revision of the latest forgotten topic. Everything that the profile says of it must go."""
    told_revision: int = 0
    """Revision of the latest change that a person requested and waits for."""
    epoch: int
    first_noted: Instant
    look_at: Instant
    asked: int = 0
    """Number of requests to a model since the latest change."""
    asked_at: Instant | None = None
    """Time of the latest request to a model, kept when changes follow."""

    @property
    def user_id(self) -> str:
        return self.owner_id or self.id

    def joined(self, other: "ProfileNeed") -> "ProfileNeed":
        """Return the union of both needs; `other` is the later one."""
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
        """Postpone a need to `look_at`, unless it changed since it was read.

        `asked_at` is the time of a request to a model. It is stored even if the need changed.
        """
        ...

    async def met(self, need_id: str, *, revision: int) -> None:
        """Remove a need that is met by a profile up to this revision."""
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
    return sorted(profiles, key=lambda profile: (profile.epoch, profile.version), reverse=True)


def is_beyond_retention(profile: Profile, latest: Profile) -> bool:
    """Return whether a profile version is dropped when `latest` is written."""
    same = (profile.user_id, profile.agent_id, profile.epoch) == (
        latest.user_id,
        latest.agent_id,
        latest.epoch,
    )
    return same and profile.version <= find_newest_version_to_drop(latest)


def find_newest_version_to_drop(latest: Profile) -> int:
    """Return the newest version to drop beside `latest`, with all older ones; 0 or less drops none."""
    return latest.version - MAX_PROFILE_VERSIONS
