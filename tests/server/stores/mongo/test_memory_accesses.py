"""Folding recalls into counters, and dying in the middle of it."""

from datetime import timedelta

import pytest

from palimpsest_server.stores.memories import RecordedRecall
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memory_accesses import MongoAccesses
from tests.support.turns import MORNING

LATER = MORNING + timedelta(hours=1)

pytestmark = pytest.mark.embedded


def recall(number: int, *memory_ids: str, user_id: str = "lin") -> RecordedRecall:
    return RecordedRecall(
        user_id=user_id, recall_id=f"r{number}", memory_ids=memory_ids, at=MORNING
    )


@pytest.fixture
def accesses(database: MongoDatabase) -> MongoAccesses:
    return MongoAccesses(database)


async def counts(accesses: MongoAccesses) -> dict[str, int]:
    counted = await accesses.of({"lin": ("tea", "coffee")})
    return {memory_id: each.count for memory_id, each in counted["lin"].items()}


async def folded(accesses: MongoAccesses) -> int:
    total = 0
    while count := await accesses.fold(before=LATER, now=LATER):
        total += count
    return total


async def test_a_process_that_died_before_it_counted_leaves_a_fold_to_the_next(
    accesses: MongoAccesses,
) -> None:
    await accesses.count([recall(1, "tea", "coffee"), recall(2, "tea")])
    assert await accesses._leased(MORNING) is not None
    await accesses._begun(LATER)
    await accesses.count([recall(3, "tea")])

    assert await folded(accesses) == 3
    assert await counts(accesses) == {"tea": 3, "coffee": 1}


async def test_a_process_that_died_after_it_counted_has_it_counted_once(
    accesses: MongoAccesses,
) -> None:
    await accesses.count([recall(1, "tea", "coffee"), recall(2, "tea")])
    assert await accesses._leased(MORNING) is not None
    fold = await accesses._begun(LATER)
    assert fold is not None
    await accesses._add(fold, await accesses._recalls.find({"fold": fold}).to_list(None))

    assert await folded(accesses) == 2
    assert await counts(accesses) == {"tea": 2, "coffee": 1}


async def test_another_process_takes_over_once_the_first_is_silent(
    accesses: MongoAccesses, database: MongoDatabase
) -> None:
    await accesses.count([recall(1, "tea"), recall(2, "tea")])
    assert await accesses._leased(MORNING) is not None
    await accesses._begun(LATER)
    other = MongoAccesses(database)
    assert await other.fold(before=LATER, now=MORNING) == 0

    assert await folded(other) == 2
    assert await counts(accesses) == {"tea": 2}


async def test_what_is_folded_and_comes_again_is_not_counted_again(
    accesses: MongoAccesses,
) -> None:
    await accesses.count([recall(1, "tea")])
    await folded(accesses)
    await accesses.count([recall(1, "tea"), recall(2, "tea")])

    assert await counts(accesses) == {"tea": 2}
    assert await folded(accesses) == 1
    assert await counts(accesses) == {"tea": 2}


async def test_users_who_recall_memories_of_one_id_are_told_apart(accesses: MongoAccesses) -> None:
    await accesses.count([recall(1, "tea"), recall(1, "tea", user_id="bo")])
    await folded(accesses)
    await accesses.count([recall(2, "tea", user_id="bo")])

    counted = await accesses.of({"lin": ["tea"], "bo": ["tea"]})
    assert (counted["lin"]["tea"].count, counted["bo"]["tea"].count) == (1, 2)
