"""One contract for the ledger in MongoDB and for its twin in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.stores.collections import LEDGER_TEXTS
from palimpsest_server.stores.ledger import (
    Ledger,
    ModelRequestState,
    QueuedRequest,
    assign_queue_places,
    estimate_request_cost,
)
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from tests.contracts.ledger_contract import LedgerContract, ids
from tests.support.stores.ledger import InMemoryLedger
from tests.support.windows import window


class TestMemoryLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> Ledger:
        return InMemoryLedger()


@pytest.mark.embedded
class TestMongoLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, database: MongoDatabase) -> Ledger:
        return MongoLedger(database)

    async def test_what_has_lost_its_text_is_given_up_and_not_leased_for_ever(
        self, ledger: Ledger, database: MongoDatabase
    ) -> None:
        request = window()
        await self.write(ledger, request)
        # As far as a drop came that died halfway.
        await database.collection(LEDGER_TEXTS).delete_one({"_id": request.window_id})
        assert await self.take(ledger) == []
        counts = (await ledger.backlog()).counts
        assert (counts[ModelRequestState.LEASED], counts[ModelRequestState.FAILED]) == (0, 1)
        await self.write(ledger, request)
        assert ids(await self.take(ledger)) == [request.window_id]


REQUESTS = st.lists(
    st.builds(QueuedRequest, st.sampled_from("abc"), st.integers(1, 9)), max_size=30
)


@given(REQUESTS, st.integers(0, 50), st.integers(0, 50))
def test_a_users_requests_stand_as_far_apart_as_they_cost(
    requests: list[QueuedRequest], behind: int, current: int
) -> None:
    places = assign_queue_places(requests, next_places={"a": behind}, current_place=current)
    for user in {request.user_id for request in requests}:
        expected = max(current, behind) if user == "a" else current
        for (who, cost), place in zip(requests, places, strict=True):
            if who == user:
                assert place == expected
                expected += cost


@pytest.mark.parametrize(
    ("texts", "cost"),
    [
        (["Hi"], 1),
        (["x" * 1_024], 40),
        (["x" * 1_024, "好" * 1_024], 160),
        (["x" * 60_000], 1_000),
        (["x" * 60_000] * 5, 5_000),
    ],
)
def test_what_a_window_costs_grows_with_its_messages_up_to_a_second_each(
    texts: list[str], cost: int
) -> None:
    assert estimate_request_cost(window(*texts)) == QueuedRequest("ana", cost)
