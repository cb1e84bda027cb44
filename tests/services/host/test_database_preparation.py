"""What a start does with a database of another version, or that other settings wrote."""

from importlib.metadata import version

import pytest

from palimpsest.model.errors import EmbeddingModelMismatch, NamespaceMismatch
from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.runtime.settings import Mode, Settings, VectorsBackend
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.migrations.database_version import MongoDatabaseVersion
from palimpsest_server.stores.migrations.start_decision import DatabaseTooNew, DatabaseTooOld
from palimpsest_server.stores.migrations.steps import NEWEST_VERSION, STEPS
from palimpsest_server.stores.mongo.database import MongoDatabase, OtherIndexes
from palimpsest_server.stores.namespaces import MongoNamespaces
from services.host.database_preparation import (
    VectorsMoved,
    prepare_database,
    require_known_version,
    verify_written_data,
)
from tests.support.clock import SettableClock

pytestmark = pytest.mark.embedded

EMBEDDED = Settings(mode=Mode.EMBEDDED)
SERVER = Settings(mode=Mode.SERVER, vectors=VectorsBackend.QDRANT)
MIGRATING = SERVER.model_copy(update={"migrate_at_start": True})


async def prepared(database: MongoDatabase, settings: Settings) -> list[str]:
    said: list[str] = []
    await prepare_database(database, settings, say=said.append, clock=SettableClock())
    return said


async def standing(database: MongoDatabase) -> int | None:
    found = await MongoDatabaseVersion(database).read()
    return None if found is None else found.version


async def of_before(database: MongoDatabase) -> None:
    await database.raw(TURNS.name).insert_one({"_id": "1", "user_id": "lin", "unnumbered": True})


async def test_a_new_database_begins_at_the_newest_version_without_a_word(
    database: MongoDatabase,
) -> None:
    assert await prepared(database, SERVER) == []
    assert await standing(database) == NEWEST_VERSION
    await of_before(database)
    assert await prepared(database, SERVER) == []


async def test_a_database_that_another_process_begins_meanwhile_is_no_older_one(
    database: MongoDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_documents = database.has_documents

    async def begun_by_another() -> bool:
        await MongoDatabaseVersion(database).begin_at(NEWEST_VERSION, encrypted=False)
        await of_before(database)
        return await has_documents()

    monkeypatch.setattr(database, "has_documents", begun_by_another)
    assert await prepared(database, SERVER) == []


async def test_services_do_not_start_on_an_older_database(database: MongoDatabase) -> None:
    await of_before(database)
    with pytest.raises(DatabaseTooOld, match="`palimpsest migrate`"):
        await prepared(database, SERVER)
    assert await standing(database) is None


@pytest.mark.parametrize("settings", [EMBEDDED, MIGRATING], ids=["embedded", "by setting"])
async def test_whoever_may_brings_it_up_to_date_and_says_so(
    database: MongoDatabase, settings: Settings
) -> None:
    await of_before(database)
    said = await prepared(database, settings)
    assert "older version" in said[0]
    assert said[1:-1] == [f"step {step.number} of {NEWEST_VERSION}: {step.words}" for step in STEPS]
    assert "0 documents were changed" in said[-1]
    found = await MongoDatabaseVersion(database).read()
    assert found is not None
    assert found.version == NEWEST_VERSION
    assert {step.program for step in found.applied} == {version("palimpsest-server")}


@pytest.mark.parametrize("settings", [EMBEDDED, SERVER, MIGRATING])
async def test_nobody_starts_on_a_newer_database(
    database: MongoDatabase, settings: Settings
) -> None:
    await MongoDatabaseVersion(database).begin_at(NEWEST_VERSION + 1, encrypted=False)
    with pytest.raises(DatabaseTooNew, match="Start the newer program again"):
        await prepared(database, settings)


async def test_an_index_that_changed_is_built_anew_by_whoever_may_migrate(
    own_database: MongoDatabase,
) -> None:
    turns = own_database.raw(TURNS.name)
    await turns.drop_index("kept_longest")
    await turns.create_index([("sequence", 1)], name="kept_longest")
    with pytest.raises(OtherIndexes, match="`palimpsest migrate`"):
        await prepared(own_database, SERVER)
    await prepared(own_database, MIGRATING)
    assert (await turns.index_information())["kept_longest"]["key"] == [("received_at", 1)]


async def test_a_key_that_came_later_is_told_of_at_each_start(
    database: MongoDatabase, mongodb_url: str
) -> None:
    await MongoDatabaseVersion(database).begin_at(NEWEST_VERSION, encrypted=False)
    sealed = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(bytes(32)))
    for _ in range(2):
        (words,) = await prepared(sealed, SERVER)
        assert "is not encrypted until it is written again" in words
    sealed.close()


async def test_other_layouts_and_models_are_refused_by_every_service_that_depends_on_them(
    database: MongoDatabase,
) -> None:
    written = MongoNamespaces(database, layout=Layout.POOLED, model="usem3-512-1")
    await written.register([Namespace(user_id="lin")])
    apart = SERVER.model_copy(update={"layout": Layout.PER_AGENT})
    for service in ("consolidator", "recall", "console", "embedder"):
        with pytest.raises(NamespaceMismatch, match="PALIMPSEST_LAYOUT=pooled"):
            await verify_written_data(database, apart, [service], model="usem3-512-1")
    for service in ("consolidator", "recall", "embedder"):
        with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
            await verify_written_data(database, SERVER, [service], model="other-9-1")
    await verify_written_data(database, apart, ["ingest", "extractor"], model="other-9-1")
    await verify_written_data(database, SERVER, ["console"], model="other-9-1")


async def test_vectors_that_lie_in_another_backend_are_missed_at_the_start(
    database: MongoDatabase,
) -> None:
    versions = MongoDatabaseVersion(database)
    await versions.begin_at(NEWEST_VERSION, encrypted=False)
    await versions.note_vectors("edge")
    with pytest.raises(VectorsMoved, match=r"=edge, and qdrant .*`palimpsest reindex`"):
        await verify_written_data(database, SERVER, ["recall"], model="m")
    none = SERVER.model_copy(update={"vectors": VectorsBackend.NONE})
    await verify_written_data(database, none, ["consolidator"], model="m")
    await verify_written_data(database, SERVER, ["ingest"], model="m")
    await versions.note_vectors("qdrant")
    await verify_written_data(database, SERVER, ["recall"], model="m")


async def test_commands_refuse_databases_of_other_versions(database: MongoDatabase) -> None:
    await require_known_version(database)
    versions = MongoDatabaseVersion(database)
    await versions.begin_at(NEWEST_VERSION - 1, encrypted=False)
    with pytest.raises(DatabaseTooOld):
        await require_known_version(database)
