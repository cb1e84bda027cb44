"""The version of a database and the lease of the process that migrates it, in one document.

Each change of the document is one write that expects the state read before, so two processes never
change it at once. A lease that is not renewed expires. Steps can be repeated, so a process that
lost its lease without knowing does no harm beside the next one.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from palimpsest.model.errors import TransientError
from palimpsest.model.value_types import Instant, Value
from palimpsest_server.stores.collections import SCHEMA
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document

LEASE_SECONDS = 60.0
_ID: Mapping[str, Any] = {"_id": "schema"}


class MigrationLeaseTaken(TransientError):
    """Another process migrates this database."""

    reason = "migration_lease_taken"


class MigrationLeaseLost(TransientError):
    """The lease ran out and another process may migrate, so this process stops."""

    reason = "migration_lease_lost"


class AppliedStep(Value):
    step: int
    at: Instant
    program: str
    """Version of the program that applied the step."""


class MigrationLease(Value):
    owner: str
    until: Instant


class DatabaseVersion(Value):
    version: int
    """Number of the last completed step; 0 before any."""
    applied: tuple[AppliedStep, ...] = ()
    lease: MigrationLease | None = None
    vectors: str | None = None
    """Backend that the vectors were last written to; None before any."""
    encrypted: bool | None = None
    """True if content was encrypted when the version was first written down."""


class MongoDatabaseVersion:
    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._documents = database.collection(SCHEMA)

    async def read(self) -> DatabaseVersion | None:
        """Return the stored version; None in an empty database, or in one older than versions."""
        document = await self._documents.find_one(dict(_ID))
        return None if document is None else from_document(DatabaseVersion, document)

    async def read_or_empty(self) -> tuple[DatabaseVersion | None, bool]:
        """Return the stored version, and whether the database is empty."""
        found = await self.read()
        if found is not None:
            return found, False
        if not await self._database.has_documents():
            return None, True
        # Another process may have begun the database and written documents since the version was read.
        return await self.read(), False

    async def begin_at(self, version: int, *, encrypted: bool) -> None:
        """Write the version down if none is stored."""
        first = {"version": version, "encrypted": encrypted}
        await self._documents.update_one(dict(_ID), {"$setOnInsert": first}, upsert=True)

    async def note_vectors(self, backend: str) -> None:
        await self._documents.update_one(dict(_ID), {"$set": {"vectors": backend}})

    async def take_lease(self, owner: str, now: datetime) -> DatabaseVersion:
        """Take the lease, and return the stored version.

        Raises:
            MigrationLeaseTaken: another process holds the lease.
        """
        free = [{"lease": None}, {"lease.until": {"$lte": now}}, {"lease.owner": owner}]
        document = await self._documents.find_one_and_update(
            {**_ID, "$or": free}, {"$set": {"lease": _lease(owner, now)}}
        )
        if document is None:
            raise MigrationLeaseTaken("another process migrates this database")
        return from_document(DatabaseVersion, document)

    async def renew_lease(self, owner: str, now: datetime) -> None:
        await self._change(owner, {}, {"$set": {"lease": _lease(owner, now)}})

    async def advance(self, owner: str, applied: AppliedStep) -> None:
        """Write down that a step is done.

        Raises:
            MigrationLeaseLost: the lease is another's, or the version is not the one before.
        """
        change: Document = {
            "$set": {"version": applied.step},
            "$push": {"applied": applied.model_dump()},
        }
        await self._change(owner, {"version": applied.step - 1}, change)

    async def release_lease(self, owner: str) -> None:
        """Release the lease if this process still holds it."""
        await self._documents.update_one({**_ID, "lease.owner": owner}, {"$unset": {"lease": ""}})

    async def _change(self, owner: str, expected: Document, change: Document) -> None:
        own = {**_ID, "lease.owner": owner, **expected}
        answer = await self._documents.update_one(own, change)
        if not answer.matched_count:
            raise MigrationLeaseLost("another process took over the migration of this database")


def _lease(owner: str, now: datetime) -> Document:
    return {"owner": owner, "until": now + timedelta(seconds=LEASE_SECONDS)}
