"""The promises of every store of accepted requests."""

from palimpsest.events.conversations import RememberRequested, SessionEnded
from palimpsest_server.stores.accepted_requests import AcceptedRequestStore, request_id
from palimpsest_server.stores.outbox import OutboxState
from tests.support.turns import MORNING

REMEMBER = RememberRequested(
    event_id="e1",
    user_id="lin",
    content="I am allergic to peanuts.",
    data={"$where": {"a.b": [1, None, "过敏"]}},
    occurred_at=MORNING,
    received_at=MORNING,
    epoch=3,
)


class RequestStoreContract:
    async def test_a_request_is_read_back_as_it_was(self, store: AcceptedRequestStore) -> None:
        ended = SessionEnded(event_id="e2", user_id="lin", session_id="s", occurred_at=MORNING)
        assert await store.accept([REMEMBER, ended], now=MORNING) == {}

        ids = [request_id("lin", "e1"), request_id("lin", "e2")]
        standing = await store.standing(ids)

        assert [standing[each].item for each in ids] == [REMEMBER, ended]
        assert {kept.state for kept in standing.values()} == {OutboxState.STORED}

    async def test_accepting_twice_answers_what_stood(self, store: AcceptedRequestStore) -> None:
        await store.accept([REMEMBER], now=MORNING)
        other = REMEMBER.model_copy(update={"content": "something else"})

        stood = await store.accept([other], now=MORNING)

        assert [kept.item for kept in stood.values()] == [REMEMBER]

    async def test_two_users_may_use_one_event_id(self, store: AcceptedRequestStore) -> None:
        await store.accept([REMEMBER], now=MORNING)
        assert (
            await store.accept([REMEMBER.model_copy(update={"user_id": "bo"})], now=MORNING) == {}
        )

    async def test_waiting_requests_come_in_order(self, store: AcceptedRequestStore) -> None:
        events = [REMEMBER.model_copy(update={"event_id": f"e{n}"}) for n in (5, 3, 4)]
        await store.accept(events, now=MORNING)
        later = MORNING.replace(hour=10)

        due = await store.due(OutboxState.STORED, before=later)

        assert [each.id for each in due] == [request_id("lin", f"e{n}") for n in (5, 3, 4)]
