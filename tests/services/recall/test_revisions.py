"""Waiting for a reader's own write: for what is found, and for what is not to be shown any more."""

import pytest

from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.clock import Clock
from palimpsest.model.user import UserSettings
from palimpsest_server.stores.cached_user_states import CachedUserStates, StoredUserStates
from palimpsest_server.stores.epochs import InMemoryEpochs
from palimpsest_server.stores.user_settings import InMemoryUserSettings, SettingsRevision
from services.recall.revisions import Revisions
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.decided_change_sets import decided


@pytest.fixture
def settings() -> InMemoryUserSettings:
    return InMemoryUserSettings()


@pytest.fixture
def states(settings: InMemoryUserSettings, clock: Clock) -> CachedUserStates:
    return CachedUserStates(StoredUserStates(settings, InMemoryEpochs()), clock=clock)


async def test_what_was_settled_by_then_is_known_though_nobody_has_announced_it_yet(
    settings: InMemoryUserSettings, states: CachedUserStates
) -> None:
    change_sets = InMemoryChangeSets()
    revisions = Revisions(change_sets, states.forget, 0.05)
    assert (await states.of(["alice"]))["alice"].settings.memory_enabled

    off = UserSettings(memory_enabled=False)
    await settings.write([SettingsRevision(user_id="alice", revision=1, settings=off)])
    change = decided("alice", 1)
    await change_sets.append([change])
    assert not await revisions.reached("alice", 1), "it is not projected yet"
    await change_sets.mark([change.change_set.id], ChangeSetProgress.PROJECTED)

    assert await revisions.reached("alice", 1)
    assert not (await states.of(["alice"]))["alice"].settings.memory_enabled
