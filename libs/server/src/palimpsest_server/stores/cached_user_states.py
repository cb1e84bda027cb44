"""Read user states from MongoDB, or from a cache that is at most two seconds old."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.command_registry import select_command_names
from palimpsest.model.change_set import SettingsChange
from palimpsest.model.clock import Clock
from palimpsest.model.user import UserState
from palimpsest_server.domain.consolidation.withheld_evidence import (
    hidden_turn_ids,
    last_forgotten_revision,
    turns_excluded_from_summaries,
)
from palimpsest_server.error_places import locate_error
from palimpsest_server.stores.decided_erasures import ErasureStore, InMemoryErasures, MongoErasures
from palimpsest_server.stores.epochs import EpochStore, MongoEpochs
from palimpsest_server.stores.expiring_cache import (
    CacheLookupListener,
    ExpiringCache,
    ignore_lookups,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.user_settings import MongoUserSettings, UserSettingsStore
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.withheld_messages import (
    InMemoryWithheld,
    MongoWithheld,
    WithheldStore,
)

_log = structlog.get_logger("palimpsest.stores")

_LONGEST_LIFE = timedelta(seconds=2)
"""Longest lag of a stage behind the stored states, even if it misses an announcement."""


_RENEWING = timedelta(seconds=0.8)
"""Interval at which the states of all users asked about since are renewed together, before any expires."""

_SEEN_OR_UNSEEN = select_command_names(lambda command: command.changes_visibility)
"""Causes that hide or show what somebody said. An announcement that is too large for Kafka carries
nothing but its cause."""


class ChangeFeed(Protocol):
    """The feed of announced change sets."""

    def listen(self, listener: Callable[[ChangeSetAnnounced], Awaitable[None]], /) -> None: ...


class StoredUserStates:
    """Reads settings, epochs, pending erasures and withheld messages of users from the stores."""

    def __init__(
        self,
        settings: UserSettingsStore,
        epochs: EpochStore,
        erasures: ErasureStore | None = None,
        withheld: WithheldStore | None = None,
    ) -> None:
        """Take the last two stores only if the states decide what users are shown."""
        self._settings = settings
        self._epochs = epochs
        self._erasures = erasures or InMemoryErasures()
        self._withheld = withheld or InMemoryWithheld()

    @classmethod
    def in_database(cls, database: MongoDatabase) -> "StoredUserStates":
        return cls(
            MongoUserSettings(database),
            MongoEpochs(database),
            MongoErasures(database),
            MongoWithheld(database),
        )

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        wanted = set(user_ids)
        settings, epochs, going, withheld = await asyncio.gather(
            self._settings.of(wanted),
            self._epochs.of(wanted),
            self._erasures.going(wanted),
            self._withheld.of(wanted),
        )
        return {
            user_id: UserState(
                settings=settings[user_id],
                epoch=epochs[user_id],
                going=going.get(user_id, ()),
                withheld=hidden_turn_ids(withheld.get(user_id, ())),
                forgotten_at=last_forgotten_revision(withheld.get(user_id, ())),
                not_told=turns_excluded_from_summaries(withheld.get(user_id, ())),
            )
            for user_id in wanted
        }


class CachedUserStates:
    """Cache of `UserStates`: a state is answered from memory for two seconds, or until a change is announced.

    States of users who are asked about repeatedly are renewed in the background, so that no caller
    waits for them.
    """

    def __init__(
        self,
        states: UserStates,
        *,
        clock: Clock,
        looked_up: CacheLookupListener = ignore_lookups,
        lifetime: timedelta = _LONGEST_LIFE,
    ) -> None:
        """`lifetime` is the time for which a cached state is returned; zero disables the cache."""
        self._states = states
        self._clock = clock
        self._looked_up = looked_up
        self._lifetime = lifetime
        self._recent = ExpiringCache[str, UserState](lifetime)
        self._followed = False
        self._forgotten = 0
        """Number of calls of `forget`. A read compares it before and after."""
        self._asked: set[str] = set()
        """Users asked about since the last renewal."""
        self._renewed_at = clock()
        self._renewing: asyncio.Task[None] | None = None

    @classmethod
    def in_database(
        cls,
        database: MongoDatabase,
        *,
        clock: Clock,
        looked_up: CacheLookupListener = ignore_lookups,
    ) -> "CachedUserStates":
        return cls(StoredUserStates.in_database(database), clock=clock, looked_up=looked_up)

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        wanted, now = set(user_ids), self._clock()
        known = self._recent.living(wanted, now)
        self._asked |= wanted
        self._renew(now)
        missing = wanted - known.keys()
        self._looked_up(len(known), len(missing))
        if not missing:
            return known
        return {**known, **await self.exactly(missing)}

    async def exactly(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        """Read the stored states now, and cache them."""
        now, forgotten = self._clock(), self._forgotten
        read = await self._states.of(user_ids)
        # A state read while a user changed something may be the state before the change.
        if forgotten == self._forgotten:
            self._recent.keep(read, now)
        return read

    def _renew(self, now: datetime) -> None:
        if not self._lifetime or abs(now - self._renewed_at) < _RENEWING:
            return
        if self._renewing is None or self._renewing.done():
            self._renewed_at = now
            self._renewing = asyncio.create_task(self._renewed())

    async def _renewed(self) -> None:
        user_ids, self._asked = self._asked, set()
        try:
            await self.exactly(user_ids)
        except Exception as error:  # noqa: BLE001 - whoever asks once it is too old will see it
            _log.warning(
                "user states are not renewed",
                error=type(error).__name__,
                at=locate_error(error),
            )

    def follow(self, changes: ChangeFeed) -> None:
        """Listen to announced changes. Only the first call subscribes."""
        if not self._followed:
            self._followed = True
            changes.listen(self.on_change)

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Drop the cached state of a user whose settings, epoch or withheld messages changed.

        Other changes of memories are ignored.
        """
        state = self._recent.get(event.user_id)
        change_set = event.change_set
        settled = change_set.cause.type in _SEEN_OR_UNSEEN or any(
            isinstance(change, SettingsChange) for change in change_set.changes
        )
        if settled or (state is not None and change_set.epoch != state.epoch):
            self.forget([event.user_id])

    def forget(self, user_ids: Iterable[str]) -> None:
        """Drop cached states that the caller is about to change itself."""
        self._forgotten += 1
        self._recent.forget(user_ids)
