"""One contract for the ledger in MongoDB and for its twin in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.stores.collections import LEDGER_TEXTS
from palimpsest_server.stores.ledger import (
    Ledger,
    ModelRequestState,
    assign_queue_places,
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


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(0, 50))
def test_a_users_places_rise_by_one_from_where_the_queue_stands(
    users: list[str], current: int
) -> None:
    places = assign_queue_places(users, last_places={}, current_place=current)
    for user in set(users):
        own = [place for place, who in zip(places, users, strict=True) if who == user]
        assert own == list(range(current, current + len(own)))


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(0, 9), st.integers(0, 9))
def test_who_waits_already_queues_behind_their_own(
    users: list[str], last: int, current: int
) -> None:
    places = assign_queue_places(users, last_places={"a": last}, current_place=current)
    own = [place for place, who in zip(places, users, strict=True) if who == "a"]
    first = max(current, last + 1)
    assert own == list(range(first, first + len(own)))
