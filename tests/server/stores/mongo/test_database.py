"""One database by two sets of connections."""

import pytest

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.stores.collections import MODEL_CALLS, SUMMARIES, MongoCollection
from palimpsest_server.stores.mongo.database import MongoDatabase

pytestmark = pytest.mark.embedded


@pytest.mark.parametrize("table", [SUMMARIES, MODEL_CALLS], ids=lambda table: table.name)
async def test_what_is_written_by_one_is_read_by_the_other(
    database: MongoDatabase, table: MongoCollection
) -> None:
    """And opened, where it is sealed: there is one memory of keys for both."""
    beside = database.beside()
    written = {"_id": "1", "user_id": "lin", "epoch": 0, "text": "用户喜欢喝茶"}
    await database.collection(table).insert_one(dict(written))

    found = await beside.collection(table).find_one({"_id": "1"})

    assert found is not None
    assert found["text"] == written["text"]
    assert beside.sealing is database.sealing


async def test_both_are_closed_together(mongodb_url: str) -> None:
    database = MongoDatabase(mongodb_url, "closing")
    beside = database.beside()
    await beside.ping()

    database.close()

    with pytest.raises(TransientError):
        await beside.ping()


async def test_the_database_of_run_is_not_for_services_whose_server_deletes_by_itself(
    mongodb_url: str,
) -> None:
    own = MongoDatabase(mongodb_url, "own", deletes_expired=False)
    await own.ensure_indexes()
    given = MongoDatabase(mongodb_url, "own")

    with pytest.raises(PermanentError, match=r"not for `palimpsest serve`"):
        await given.ensure_indexes()

    own.close()
    given.close()
