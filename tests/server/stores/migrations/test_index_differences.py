"""Declared indexes and those that stand: what differs is found, and built anew."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import TURNS, CollectionIndex
from palimpsest_server.stores.migrations.index_differences import (
    IndexDifferences,
    compare_indexes,
    find_index_differences,
    rebuild_indexes,
)
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.mongo.database import MongoDatabase, OtherIndexes

OF_USER = CollectionIndex(name="of_user", keys=(("user_id", 1), ("at", -1)))
OVER = CollectionIndex(name="over", keys=(("at", 1),), expire_after_seconds=60)
ONE = CollectionIndex(name="one", keys=(("key", 1),), unique=True, partial={"state": "leased"})

STANDING: dict[str, dict[str, Any]] = {
    "_id_": {"v": 2, "key": [("_id", 1)]},
    "of_user": {"v": 2, "key": [("user_id", 1), ("at", -1)]},
    "over": {"v": 2, "key": [("at", 1)], "expireAfterSeconds": 60},
    "one": {
        "v": 2,
        "key": [("key", 1)],
        "unique": True,
        "partialFilterExpression": {"state": "leased"},
    },
}


def test_what_stands_as_it_is_declared_differs_in_nothing() -> None:
    assert not compare_indexes("c", (OF_USER, OVER, ONE), STANDING).to_do


@pytest.mark.parametrize(
    ("name", "standing"),
    [
        ("of_user", {"key": [("user_id", 1)]}),
        ("of_user", {"key": [("at", -1), ("user_id", 1)]}),
        ("of_user", {"key": [("user_id", 1), ("at", -1)], "unique": True}),
        ("over", {"key": [("at", 1)], "expireAfterSeconds": 61}),
        ("over", {"key": [("at", 1)]}),
        ("one", {"key": [("key", 1)], "unique": True}),
        (
            "one",
            {"key": [("key", 1)], "unique": True, "partialFilterExpression": {"state": "new"}},
        ),
    ],
)
def test_other_keys_and_other_options_are_a_change(name: str, standing: dict[str, Any]) -> None:
    found = compare_indexes("c", (OF_USER, OVER, ONE), {**STANDING, name: standing})
    assert found == IndexDifferences(collection="c", changed=(name,))


def test_missing_retired_and_foreign_ones_are_told_apart() -> None:
    found = compare_indexes(
        "c",
        (OF_USER, CollectionIndex(name="new", keys=(("x", 1),))),
        STANDING,
        retired=("over", "never"),
    )
    assert found.missing == ("new",)
    assert found.retired == ("over",)
    assert found.unknown == ("one",)


def test_where_the_server_deletes_nothing_by_itself_no_index_expires() -> None:
    embedded = {**STANDING, "over": {"key": [("at", 1)]}}
    assert not compare_indexes("c", (OVER,), embedded, deletes_expired=False).to_do


@pytest.mark.embedded
async def test_an_index_that_changed_is_refused_at_the_start_and_built_anew_by_a_migration(
    own_database: MongoDatabase,
) -> None:
    turns = own_database.raw(TURNS.name)
    await turns.drop_index("kept_longest")
    await turns.create_index([("sequence", 1)], name="kept_longest")
    with pytest.raises(OtherIndexes, match="`palimpsest migrate`"):
        await own_database.ensure_indexes_of(TURNS, TURNS.name)
    context = MigrationContext(
        database=own_database, layout=Layout.POOLED, clock=lambda: datetime.now(UTC)
    )
    (differences,) = await find_index_differences(context)
    assert differences == IndexDifferences(collection=TURNS.name, changed=("kept_longest",))
    await rebuild_indexes(own_database, differences)
    assert (await turns.index_information())["kept_longest"]["key"] == [("received_at", 1)]
    assert await find_index_differences(context) == []
