"""The promises of every session store."""

from datetime import timedelta

from palimpsest.events.conversations import SessionStarted
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore
from tests.support.turns import MORNING

SESSION = SessionKey("lin", "s")


SOON = MORNING + timedelta(minutes=30)


class SessionStoreContract:
    async def test_a_session_nobody_spoke_in_stands_at_the_beginning(
        self, store: SessionStore
    ) -> None:
        assert await store.of([SESSION]) == {SESSION: Session.unknown(SESSION)}

    async def test_numbers_only_rise(self, store: SessionStore) -> None:
        await store.advance(
            [SessionProgress(key=SESSION, last_sequence=7, windowed_through=5, ended_through=6)]
        )
        await store.advance(
            [
                SessionProgress(key=SESSION, last_sequence=3),
                SessionProgress(key=SESSION, ended_through=7, ended_at=SOON),
                SessionProgress(key=SESSION, ended_at=MORNING),
            ]
        )

        session = (await store.of([SESSION]))[SESSION]

        assert (session.last_sequence, session.windowed_through, session.ended_through) == (7, 5, 7)
        assert session.ended_at == SOON

    async def test_who_takes_part_is_remembered(self, store: SessionStore) -> None:
        started = SessionStarted(
            user_id="lin",
            session_id="s",
            project_id="p",
            topic="搬家",
            participants=("planner", "Lin"),
            occurred_at=MORNING,
        )
        await store.advance([SessionProgress(key=SESSION, started=started)])
        await store.advance([SessionProgress(key=SESSION, last_sequence=1)])

        session = (await store.of([SESSION]))[SESSION]

        assert session.topic == "搬家"
        assert session.participants == ("planner", "Lin")
        assert session.project_id == "p"

    async def test_sessions_of_one_name_and_two_users_are_two(self, store: SessionStore) -> None:
        other = SessionKey("bo", "s")
        await store.advance([SessionProgress(key=SESSION, last_sequence=2)])

        assert (await store.of([SESSION, other]))[other].last_sequence == 0

    async def test_a_silent_session_is_found_until_it_is_settled(self, store: SessionStore) -> None:
        quiet, busy = SessionKey("lin", "quiet"), SessionKey("lin", "busy")
        await store.advance(
            [
                SessionProgress(key=quiet, idle_at=SOON),
                SessionProgress(key=busy, idle_at=SOON + timedelta(minutes=1)),
            ]
        )

        assert await store.idle(now=SOON - timedelta(seconds=1), limit=10) == []
        (session,) = await store.idle(now=SOON, limit=10)
        assert session.key == quiet

        await store.settle_idle(session, until=None)
        assert await store.idle(now=SOON, limit=10) == []

    async def test_a_session_that_spoke_meanwhile_is_not_settled(self, store: SessionStore) -> None:
        await store.advance([SessionProgress(key=SESSION, idle_at=SOON)])
        (seen,) = await store.idle(now=SOON, limit=10)
        later = SOON + timedelta(minutes=5)
        await store.advance([SessionProgress(key=SESSION, idle_at=later)])

        await store.settle_idle(seen, until=None)

        assert [session.key for session in await store.idle(now=later, limit=10)] == [SESSION]

    async def test_a_session_can_be_left_for_later(self, store: SessionStore) -> None:
        await store.advance([SessionProgress(key=SESSION, idle_at=SOON)])
        (seen,) = await store.idle(now=SOON, limit=10)

        await store.settle_idle(seen, until=SOON + timedelta(hours=1))

        assert await store.idle(now=SOON, limit=10) == []
        assert len(await store.idle(now=SOON + timedelta(hours=1), limit=10)) == 1
