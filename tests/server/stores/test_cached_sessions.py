from datetime import timedelta

import pytest

from palimpsest.model.errors import TransientError
from palimpsest_server.stores.cached_sessions import CachedSessions
from palimpsest_server.stores.sessions import SessionKey, SessionProgress, SessionStore
from tests.contracts.session_contract import SessionStoreContract
from tests.support.clock import SettableClock
from tests.support.stores.sessions import InMemorySessions
from tests.support.turns import MORNING

SESSION = SessionKey("lin", "s")


class TestCached(SessionStoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return CachedSessions(InMemorySessions(), clock=lambda: MORNING)


class Shared:
    """One store, and two owners of which each sees it through a memory of its own."""

    def __init__(self) -> None:
        self.clock = SettableClock()
        self.stored = InMemorySessions()
        self.ours = CachedSessions(self.stored, clock=self.clock)
        self.theirs = CachedSessions(self.stored, clock=self.clock)

    async def last_sequence(self) -> int:
        return (await self.ours.of([SESSION]))[SESSION].last_sequence


@pytest.fixture
def shared() -> Shared:
    return Shared()


async def test_what_one_wrote_itself_is_seen_at_once(shared: Shared) -> None:
    assert await shared.last_sequence() == 0

    await shared.ours.advance([SessionProgress(key=SESSION, last_sequence=3)])

    assert await shared.last_sequence() == 3
    assert (await shared.stored.of([SESSION]))[SESSION].last_sequence == 3


async def test_what_another_wrote_is_seen_after_five_seconds(shared: Shared) -> None:
    await shared.last_sequence()
    await shared.theirs.advance([SessionProgress(key=SESSION, last_sequence=3)])
    assert await shared.last_sequence() == 0

    shared.clock.advance(timedelta(seconds=5))

    assert await shared.last_sequence() == 3


async def test_what_was_forgotten_is_read_again(shared: Shared) -> None:
    await shared.last_sequence()
    await shared.theirs.advance([SessionProgress(key=SESSION, last_sequence=3)])

    shared.ours.forget([SESSION])

    assert await shared.last_sequence() == 3


async def test_after_a_write_that_failed_nothing_is_believed(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shared.last_sequence()
    advance = shared.stored.advance

    async def written_and_then_cut_off(progress: list[SessionProgress]) -> None:
        await advance(progress)
        raise TransientError("MongoDB does not answer")

    monkeypatch.setattr(shared.stored, "advance", written_and_then_cut_off)
    with pytest.raises(TransientError):
        await shared.ours.advance([SessionProgress(key=SESSION, last_sequence=3)])

    assert await shared.last_sequence() == 3
