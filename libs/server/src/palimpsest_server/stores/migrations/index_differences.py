"""Compare the indexes of collections with the declared ones, and rebuild those that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest_server.stores.collections import COLLECTIONS, MEMORIES, CollectionIndex
from palimpsest_server.stores.migrations.migration_step import MigrationContext
from palimpsest_server.stores.mongo.database import MongoDatabase

_ALWAYS = "_id_"


@dataclass(frozen=True, kw_only=True)
class IndexDifferences:
    """Indexes of one collection to be created, changed or dropped, by name."""

    collection: str
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Indexes that exist under a declared name with other keys or options."""
    retired: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Indexes that are not declared: somebody else made them, and they stay."""

    @property
    def to_do(self) -> bool:
        return bool(self.missing or self.changed or self.retired)


def compare_indexes(
    collection: str,
    declared: Sequence[CollectionIndex],
    existing: Mapping[str, Mapping[str, Any]],
    *,
    retired: Sequence[str] = (),
    deletes_expired: bool = True,
) -> IndexDifferences:
    """Compare the declared indexes of a collection with the existing ones, as the driver reports them."""
    wanted = {index.name: _wanted(index, deletes_expired) for index in declared}
    standing = {name: _standing(options) for name, options in existing.items() if name != _ALWAYS}
    both = wanted.keys() & standing.keys()
    return IndexDifferences(
        collection=collection,
        missing=tuple(sorted(wanted.keys() - standing.keys())),
        changed=tuple(sorted(name for name in both if wanted[name] != standing[name])),
        retired=tuple(sorted(standing.keys() & {*retired})),
        unknown=tuple(sorted(standing.keys() - wanted.keys() - {*retired})),
    )


def _wanted(index: CollectionIndex, deletes_expired: bool) -> Mapping[str, Any]:  # noqa: FBT001
    return {
        "key": [list(key) for key in index.keys],
        "unique": index.unique,
        "partial": index.partial or {},
        "expires": index.expire_after_seconds if deletes_expired else None,
    }


def _standing(options: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "key": [list(key) for key in options["key"]],
        "unique": bool(options.get("unique", False)),
        "partial": _plain(options.get("partialFilterExpression") or {}),
        "expires": options.get("expireAfterSeconds"),
    }


def _plain(value: Any) -> Any:
    """Return the driver's ordered documents as plain ones."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value


async def find_index_differences(context: MigrationContext) -> list[IndexDifferences]:
    """Return the collections whose indexes differ from the declared ones, in the order of the table."""
    database, found = context.database, list[IndexDifferences]()
    for table in COLLECTIONS:
        names = await context.memory_collections() if table is MEMORIES else [table.name]
        for name in names:
            differences = compare_indexes(
                name,
                database.declared_indexes(table),
                await database.raw(name).index_information(),
                retired=table.retired,
                deletes_expired=database.deletes_expired,
            )
            if differences.to_do:
                found.append(differences)
    return found


async def rebuild_indexes(database: MongoDatabase, differences: IndexDifferences) -> None:
    """Drop changed and retired indexes, and create missing ones."""
    collection = database.raw(differences.collection)
    for name in (*differences.changed, *differences.retired):
        await collection.drop_index(name)
    tables = {table.name: table for table in COLLECTIONS}
    # A namespace's own collection holds memories, and is not in the table.
    table = tables.get(differences.collection, MEMORIES)
    await database.ensure_indexes_of(table, differences.collection)
