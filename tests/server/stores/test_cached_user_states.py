import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

import pytest

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import SettingsChange
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.domain.consolidation.withheld_evidence import WithheldEvidence
from palimpsest_server.stores.cached_user_states import CachedUserStates, StoredUserStates
from palimpsest_server.stores.epochs import InMemoryEpochs, MongoEpochs
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.user_settings import (
    InMemoryUserSettings,
    MongoUserSettings,
)
from palimpsest_server.stores.withheld_messages import InMemoryWithheld
from tests.contracts.user_state_contract import (
    CHINESE,
    EpochStoreContract,
    UserSettingsStoreContract,
    at,
)
from tests.support.clock import SettableClock
from tests.support.stores.decided_change_sets import decided


class TestSettingsInMemory(UserSettingsStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryUserSettings:
        return InMemoryUserSettings()


class TestSettingsInMongo(UserSettingsStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoUserSettings:
        return MongoUserSettings(database)


class TestEpochsInMemory(EpochStoreContract):
    @pytest.fixture
    def store(self) -> InMemoryEpochs:
        return InMemoryEpochs()


class TestEpochsInMongo(EpochStoreContract):
    @pytest.fixture
    def store(self, database: MongoDatabase) -> MongoEpochs:
        return MongoEpochs(database)


Announce = Callable[..., ChangeSetAnnounced]
SETTLED = (SettingsChange(before=UserSettings(), after=CHINESE),)


@pytest.fixture
def announcement() -> Announce:
    def announce(
        user_id: str,
        *,
        changes: Sequence[object] = SETTLED,
        epoch: int = 0,
        cause: str = "SetSettings",
    ) -> ChangeSetAnnounced:
        change_set = decided(user_id, 1, changes=changes, epoch=epoch).change_set
        caused = change_set.cause.model_copy(update={"type": cause})
        change_set = change_set.model_copy(update={"cause": caused})
        return ChangeSetAnnounced(
            event_id="a", occurred_at=change_set.decided_at, user_id=user_id, change_set=change_set
        )

    return announce


class TestCache:
    @pytest.fixture
    def settings(self) -> InMemoryUserSettings:
        return InMemoryUserSettings()

    @pytest.fixture
    def epochs(self) -> InMemoryEpochs:
        return InMemoryEpochs()

    @pytest.fixture
    def cache(
        self, settings: InMemoryUserSettings, epochs: InMemoryEpochs, clock: SettableClock
    ) -> CachedUserStates:
        return CachedUserStates(StoredUserStates(settings, epochs), clock=clock)

    async def test_an_answer_is_never_older_than_two_seconds(
        self, cache: CachedUserStates, epochs: InMemoryEpochs, clock: SettableClock
    ) -> None:
        await cache.of(["alice"])
        await epochs.raise_to("alice", 1)
        clock.advance(timedelta(seconds=1.9))
        assert (await cache.of(["alice"]))["alice"].epoch == 0
        clock.advance(timedelta(seconds=0.1))
        assert (await cache.of(["alice"]))["alice"].epoch == 1

    async def test_of_whoever_is_asked_about_again_it_is_read_behind_the_callers(
        self,
        cache: CachedUserStates,
        epochs: InMemoryEpochs,
        clock: SettableClock,
    ) -> None:
        await cache.of(["alice", "bob"])
        await epochs.raise_to("alice", 1)
        clock.advance(timedelta(seconds=1.5))
        assert (await cache.of(["alice"]))["alice"].epoch == 0
        for _ in range(20):
            await asyncio.sleep(0)
        clock.advance(timedelta(seconds=1.5))
        assert (await cache.of(["alice"]))["alice"].epoch == 1

    async def test_all_who_were_asked_about_are_renewed_in_one_reading(
        self, settings: InMemoryUserSettings, epochs: InMemoryEpochs, clock: SettableClock
    ) -> None:
        stored = StoredUserStates(settings, epochs)
        readings: list[set[str]] = []

        class Noted:
            async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
                readings.append(set(user_ids))
                return await stored.of(user_ids)

        cache = CachedUserStates(Noted(), clock=clock)
        await cache.of(["alice", "bob"])
        clock.advance(timedelta(seconds=0.5))
        await cache.of(["carol"])
        clock.advance(timedelta(seconds=0.5))
        await cache.of(["alice"])
        for _ in range(20):
            await asyncio.sleep(0)
        await cache.of(["alice", "bob", "carol"])
        assert readings == [{"alice", "bob"}, {"carol"}, {"alice", "bob", "carol"}]

    async def test_an_announced_change_is_seen_at_once(
        self, cache: CachedUserStates, settings: InMemoryUserSettings, announcement: Announce
    ) -> None:
        await cache.of(["alice", "bob"])
        await settings.write([at(1, CHINESE), at(1, CHINESE, "bob")])
        await cache.on_change(announcement("alice"))
        assert await cache.of(["alice", "bob"]) == {
            "alice": UserState(settings=CHINESE),
            "bob": UserState(),
        }

    async def test_of_a_user_who_only_remembers_more_nothing_is_read_anew(
        self, cache: CachedUserStates, settings: InMemoryUserSettings, announcement: Announce
    ) -> None:
        await cache.of(["alice"])
        await settings.write([at(1, CHINESE)])
        await cache.on_change(announcement("alice", changes=()))
        assert (await cache.of(["alice"]))["alice"] == UserState()
        await cache.on_change(announcement("alice", changes=(), epoch=1))
        assert (await cache.of(["alice"]))["alice"] == UserState(settings=CHINESE)

    @pytest.mark.parametrize(
        "cause", ["ForgetMemory", "RestoreMemory", "ForgetTopic", "EditMemory"]
    )
    async def test_what_is_to_be_hidden_is_seen_at_once_though_nothing_is_told_of_it(
        self, cause: str, settings: InMemoryUserSettings, epochs: InMemoryEpochs,
        clock: SettableClock, announcement: Announce,
    ) -> None:  # fmt: skip
        withheld = InMemoryWithheld()
        states = StoredUserStates(settings, epochs, withheld=withheld)
        cache = CachedUserStates(states, clock=clock)
        await cache.of(["alice"])
        forgotten = WithheldEvidence(
            memory_id="m",
            user_id="alice",
            epoch=0,
            revision=1,
            turn_ids=("t",),
            left_out=("t", "corrected"),
            summary_ids=("s",),
        )
        await withheld.write([forgotten])
        await cache.on_change(announcement("alice", changes=(), cause=cause))
        state = (await cache.of(["alice"]))["alice"]
        assert state.withheld == {"t"}
        assert state.forgotten_at == 1
        assert state.not_told == {"s": {"t", "corrected"}}

    async def test_what_was_read_while_somebody_settled_something_is_not_believed(
        self, settings: InMemoryUserSettings, epochs: InMemoryEpochs, clock: SettableClock
    ) -> None:
        stored = StoredUserStates(settings, epochs)

        class Slow:
            async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
                before = await stored.of(user_ids)
                await settings.write([at(1, CHINESE)])
                cache.forget(["alice"])
                return before

        cache = CachedUserStates(Slow(), clock=clock)
        assert (await cache.of(["alice"]))["alice"] == UserState()
        assert (await cache.of(["alice"]))["alice"] == UserState(settings=CHINESE)

    async def test_of_those_who_share_it_one_listens_for_all(self, cache: CachedUserStates) -> None:
        listening: list[str] = []

        class Feed:
            def __init__(self, name: str) -> None:
                self.name = name

            def listen(self, listener: object, /) -> None:
                assert listener == cache.on_change
                listening.append(self.name)

        cache.follow(Feed("ingest"))
        cache.follow(Feed("recall"))
        assert listening == ["ingest"]

    async def test_a_clock_set_back_keeps_no_entry_alive(
        self, cache: CachedUserStates, epochs: InMemoryEpochs, clock: SettableClock
    ) -> None:
        await cache.of(["alice"])
        await epochs.raise_to("alice", 1)
        clock.advance(timedelta(hours=-1))
        assert (await cache.of(["alice"]))["alice"].epoch == 1
