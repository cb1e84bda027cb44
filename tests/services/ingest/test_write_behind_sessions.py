from datetime import timedelta

import pytest

from palimpsest.events.conversations import SessionStarted
from palimpsest_server.stores.sessions import SessionKey, SessionProgress, SessionStore
from services.ingest.write_behind_sessions import WriteBehindSessions
from tests.contracts.session_contract import SessionStoreContract
from tests.support.stores.sessions import InMemorySessions
from tests.support.turns import MORNING

SESSION = SessionKey("lin", "s")


class TestTrailing(SessionStoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return WriteBehindSessions(InMemorySessions())


def spoke(sequence: int) -> SessionProgress:
    return SessionProgress(
        key=SESSION,
        last_sequence=sequence,
        published_through=sequence,
        idle_at=MORNING + timedelta(minutes=sequence),
    )


async def written(sessions: InMemorySessions) -> tuple[int, int, int]:
    session = (await sessions.of([SESSION]))[SESSION]
    return session.last_sequence, session.windowed_through, session.ended_through


async def test_a_session_that_goes_on_is_written_once_for_all_of_it() -> None:
    sessions = InMemorySessions()
    buffered = WriteBehindSessions(sessions)
    for sequence in (1, 2, 4, 3):
        await buffered.advance([spoke(sequence)])
    await buffered.advance([SessionProgress(key=SESSION, windowed_through=2)])
    assert await written(sessions) == (0, 0, 0)
    seen = (await buffered.of([SESSION]))[SESSION]
    assert (seen.last_sequence, seen.published_through, seen.windowed_through) == (4, 4, 2)

    await buffered.late.flush()

    assert await written(sessions) == (4, 2, 0)
    assert (await sessions.of([SESSION]))[SESSION].idle_at == MORNING + timedelta(minutes=4)


async def test_a_window_of_a_session_that_is_silent_is_written_at_once() -> None:
    """No turn that would be taken in again leads to it."""
    sessions = InMemorySessions()
    await WriteBehindSessions(sessions).advance([SessionProgress(key=SESSION, windowed_through=9)])
    assert await written(sessions) == (0, 9, 0)


async def test_what_a_chat_service_says_of_a_session_is_written_at_once() -> None:
    sessions = InMemorySessions()
    buffered = WriteBehindSessions(sessions)
    started = SessionStarted(
        user_id="lin", session_id="s", topic="stars", participants=("ana",), occurred_at=MORNING
    )
    await buffered.advance([spoke(3), SessionProgress(key=SESSION, started=started)])
    await buffered.advance([SessionProgress(key=SESSION, ended_through=3)])

    assert await written(sessions) == (0, 0, 3)
    assert (await sessions.of([SESSION]))[SESSION].topic == "stars"
