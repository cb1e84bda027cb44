"""The embedded servers as real processes."""

from palimpsest.stores.mongo import MongoDatabase


async def test_a_test_gets_a_database_that_answers(database: MongoDatabase) -> None:
    await database.ping()


async def test_again(database: MongoDatabase, kafka_bootstrap: str) -> None:
    await database.ping()
    assert kafka_bootstrap.startswith("127.0.0.1:")
