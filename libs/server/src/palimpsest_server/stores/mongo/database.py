"""MongoDB: the connection, the indexes of the collections table, and documents made from values.

This is the only module that imports motor, which PyMongo's own asynchronous client will
replace one day.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit
from uuid import UUID

from bson.codec_options import CodecOptions
from bson.tz_util import utc
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase
from pydantic import BaseModel
from pymongo import IndexModel, ReadPreference
from pymongo.errors import ConfigurationError, OperationFailure, PyMongoError
from pymongo.read_concern import ReadConcern
from pymongo.write_concern import WriteConcern

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.value_types import STORED
from palimpsest_server.stores.collections import (
    ACCESS_KEYS,
    ACCESSES,
    CHECKPOINTS,
    COLLECTIONS,
    DEAD_LETTERS,
    EPOCHS,
    ERASURES,
    KEYS,
    LEDGER,
    NAMESPACES,
    SCHEMA,
    SETTINGS,
    VECTOR_LAYOUTS,
    WITHHELD,
    CollectionIndex,
    MongoCollection,
)
from palimpsest_server.stores.encryption.keyring import Keyring
from palimpsest_server.stores.encryption.master_keys import MasterKeys, UnknownMasterKey
from palimpsest_server.stores.encryption.sealed_collection import ContentSealer, SealedCollection

Document = dict[str, Any]
ModelT = TypeVar("ModelT", bound=BaseModel)

_SAYING_NOTHING = frozenset(
    table.name
    for table in (
        *(ACCESSES, CHECKPOINTS, EPOCHS, ERASURES, KEYS, NAMESPACES, SETTINGS),
        *(ACCESS_KEYS, SCHEMA, VECTOR_LAYOUTS, WITHHELD),
    )
)
_PLAIN = {
    # Words of the table of reasons, and names of Kafka's topics: asked for by them.
    DEAD_LETTERS.name: frozenset({"reason", "topic"}),
    LEDGER.name: frozenset({"reason"}),
}

_MAJORITY_JOURNALED = WriteConcern(w="majority", j=True)

_OTHER_INDEXES = frozenset({85, 86})
"""MongoDB's error codes for an index whose name or keys exist already with other options."""


class OtherIndexes(PermanentError):
    """An index with a declared name or declared keys exists with other options."""

    reason = "other_indexes"


class MongoDatabase:
    """One database with the collections of the table.

    Every write is acknowledged by a majority of servers and their journals.
    """

    def __init__(
        self,
        url: str,
        database: str,
        *,
        masters: MasterKeys | None = None,
        deletes_expired: bool = True,
        embedded: bool = False,
    ) -> None:
        """Prepare the connection, which the first call opens.

        Args:
            url: of the server.
            database: its name.
            masters: master keys; if given, content is sealed.
            deletes_expired: whether the server deletes expired documents by itself. If not, call
                `delete_expired`.
            embedded: whether the server is the embedded one, with the limits of `DatabaseLimit`.

        Raises:
            PermanentError: the address cannot be read.
        """
        self._url, self._name = url, database
        self._client = _client(url)
        self._beside: MongoDatabase | None = None
        self.deletes_expired = deletes_expired
        self.embedded = embedded
        options: CodecOptions[Document] = CodecOptions(tz_aware=True)
        self._database: AsyncIOMotorDatabase[Document] = self._client.get_database(
            database,
            codec_options=options,
            write_concern=_MAJORITY_JOURNALED,
            read_concern=ReadConcern("majority"),
            read_preference=ReadPreference.PRIMARY,
        )

        self.sealing: ContentSealer | None = None
        self._masters = masters
        if masters is not None:
            keyring = Keyring(self._database[KEYS.name], masters)
            self.sealing = ContentSealer(keyring, self._database[EPOCHS.name])

    def beside(self) -> "MongoDatabase":
        """Return the same database with connections of its own; each call returns the same object.

        It serves calls that somebody waits for. On few shared connections such calls would queue behind
        all other work of this process. Closing this database closes it too.
        """
        if self._beside is None:
            other = MongoDatabase(
                self._url,
                self._name,
                deletes_expired=self.deletes_expired,
                embedded=self.embedded,
            )
            other.sealing, other._masters = self.sealing, self._masters
            self._beside = other
        return self._beside

    def collection(self, table: MongoCollection) -> AsyncIOMotorCollection[Document]:
        return self.named(table.name)

    def named(self, physical_name: str) -> AsyncIOMotorCollection[Document]:
        """Return a collection by its physical name, for instance one that the registry gave a namespace."""
        collection = self._database[physical_name]
        if self.sealing is None or physical_name in _SAYING_NOTHING:
            return collection
        plain = _PLAIN.get(physical_name, frozenset())
        sealed = SealedCollection(collection, self.sealing, plain)
        return cast("AsyncIOMotorCollection[Document]", sealed)

    def raw(self, physical_name: str) -> AsyncIOMotorCollection[Document]:
        """Return a collection without unsealing its documents, for migrations."""
        return self._database[physical_name]

    async def has_documents(self) -> bool:
        """Return whether the database holds any document, apart from those of migrations."""
        names = await self._database.list_collection_names()
        for name in sorted({*names} - {SCHEMA.name}):
            if await self._database[name].find_one({}, {"_id": 1}) is not None:
                return True
        return False

    async def ping(self) -> None:
        """Return when the server answers.

        Raises:
            TransientError: it does not.
        """
        try:
            await self._database.command("ping")
        except PyMongoError as error:
            raise self._not_answering(error) from error

    def _not_answering(self, error: PyMongoError) -> TransientError:
        # The user's name and password in the address are left out of the message.
        where = urlsplit(self._url).netloc.rpartition("@")[2]
        return TransientError(f"MongoDB at {where} does not answer: {type(error).__name__}")

    async def ensure_indexes(self) -> None:
        """Create the indexes of the table; existing ones are left alone.

        Raises:
            OtherIndexes: an index exists with other options.
        """
        for table in COLLECTIONS:
            await self.ensure_indexes_of(table, table.name)

    def declared_indexes(self, table: MongoCollection) -> list[CollectionIndex]:
        """Return the indexes of a collection that this database needs."""
        return [index for index in table.indexes if self.embedded or not index.for_embedded_only]

    async def ensure_indexes_of(self, table: MongoCollection, physical_name: str) -> None:
        if not self.deletes_expired:
            await self._no_longer_expiring(table, physical_name)
        models = [
            IndexModel(
                list(index.keys),
                name=index.name,
                unique=index.unique,
                **({"partialFilterExpression": index.partial} if index.partial else {}),
                **(
                    {"expireAfterSeconds": index.expire_after_seconds}
                    if index.expire_after_seconds is not None and self.deletes_expired
                    else {}
                ),
            )
            for index in self.declared_indexes(table)
        ]
        if models:
            await self._create(physical_name, models)
        if table.retired:
            await self._drop_retired(table, physical_name)

    async def _create(self, physical_name: str, models: list[IndexModel]) -> None:
        try:
            await self._database[physical_name].create_indexes(models)
        except OperationFailure as error:
            if error.code not in _OTHER_INDEXES:
                raise
            raise OtherIndexes(
                f"the database {self._name!r} has other indexes on {physical_name} than are needed"
                " here: `palimpsest migrate` builds them anew. But a database that `palimpsest run`"
                " keeps is not for `palimpsest serve`: PALIMPSEST_MONGODB_DATABASE names another"
            ) from None

    async def _drop_retired(self, table: MongoCollection, physical_name: str) -> None:
        """Drop retired indexes, which every write would go on paying for."""
        collection = self._database[physical_name]
        for name in {*table.retired} & (await collection.index_information()).keys():
            await collection.drop_index(name)

    async def _no_longer_expiring(self, table: MongoCollection, physical_name: str) -> None:
        """Drop indexes by which the server deletes documents, so that they can be made again without that."""
        if all(index.expire_after_seconds is None for index in table.indexes):
            return
        collection = self._database[physical_name]
        for name, options in (await collection.index_information()).items():
            if "expireAfterSeconds" in options:
                await collection.drop_index(name)

    async def delete_expired(self, now: datetime) -> int:
        """Delete documents that have expired by `now`, as their indexes say; return how many."""
        deleted = 0
        for table in COLLECTIONS:
            for index in table.indexes:
                if index.expire_after_seconds is None:
                    continue
                over = now - timedelta(seconds=index.expire_after_seconds)
                ((field, _),) = index.keys
                outcome = await self._database[table.name].delete_many({field: {"$lt": over}})
                deleted += outcome.deleted_count
        return deleted

    async def ensure_keys(self) -> None:
        """Check that content sealed here can be opened, by unwrapping one user's key.

        Raises:
            PermanentError: there are users' keys, and no master key unwraps the one tried.
            TransientError: MongoDB does not answer.
        """
        try:
            document = await self._database[KEYS.name].find_one({"wrapped": {"$exists": True}})
        except PyMongoError as error:
            raise self._not_answering(error) from error
        if document is None:
            return
        if self._masters is None:
            raise PermanentError(
                "what people said is encrypted in this database: set PALIMPSEST_ENCRYPTION_KEY"
            )
        try:
            self._masters.unwrapped(document, UUID(document["_id"]).bytes)
        except UnknownMasterKey as error:
            raise PermanentError(str(error)) from None

    async def drop(self) -> None:
        """Delete the whole database, for tests and for benchmarks on data of their own."""
        await self._client.drop_database(self._database.name)

    def close(self) -> None:
        if self._beside is not None:
            self._beside.close()
        self._client.close()


def _client(url: str) -> AsyncIOMotorClient[Document]:
    try:
        return AsyncIOMotorClient(
            url,
            tz_aware=True,
            retryWrites=False,
            serverSelectionTimeoutMS=5_000,
            appname="palimpsest",
        )
    except (ConfigurationError, ValueError):
        # The error's text is left out, because the address may hold a password.
        raise PermanentError("the address of MongoDB cannot be read") from None


def to_document(value: BaseModel) -> Document:
    """Return a value as a document; its `id`, if it has one, becomes `_id`."""
    document = value.model_dump(mode="python")
    if "id" in document:
        document["_id"] = document.pop("id")
    return document


def from_document(model: type[ModelT], document: Mapping[str, Any]) -> ModelT:
    """Return the value of a document; fields that the model does not have are ignored."""
    known = model.__pydantic_fields__
    fields = {name: _in_utc(value) for name, value in document.items() if name in known}
    if "id" in known and "_id" in document:
        fields["id"] = document["_id"]
    return model.model_validate(fields, context=STORED)


def _in_utc(value: Any) -> Any:
    # The driver's own UTC is slow Python code, called several times for each validated time.
    return value.replace(tzinfo=UTC) if type(value) is datetime and value.tzinfo is utc else value
