"""A collection whose documents are sealed on their way in and opened on their way out.

Readers and writers of the collection do not notice. Fields used in filters are never sealed: ids,
keys, times, states.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Self

from pymongo import InsertOne, ReplaceOne, UpdateMany, UpdateOne

from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.encrypted_fields import (
    NO_OWNER,
    ContentOwner,
    decrypt_fields,
    encrypt_fields,
    find_content_owner,
)
from palimpsest_server.stores.encryption.keyring import Keyring, is_sealed, read_key_id, seal_value

_WHOSE = {"user_id": 1, "epoch": 1, "scope": 1, "namespace": 1}

Document = dict[str, Any]


class ContentSealer:
    """Chooses the key of each value: of the owner that a document names, else of its user's current epoch."""

    def __init__(self, keyring: Keyring, epochs: Any) -> None:
        self.keyring = keyring
        self._epochs = epochs

    async def seal(self, document: Any, owner: ContentOwner, *, plain: frozenset[str]) -> Any:
        wanted: set[ContentOwner] = set()

        def note(whose: ContentOwner, value: Any) -> Any:
            wanted.add(whose)
            return value

        encrypt_fields(document, note, owner, plain=plain)
        if not wanted:
            return document
        today = {whose: await self._dated(whose) for whose in wanted}
        keys = await self.keyring.of(today.values())
        return encrypt_fields(
            document, lambda whose, value: seal_value(keys[today[whose]], value), owner, plain=plain
        )

    async def open(self, documents: Sequence[Document]) -> list[Document]:
        """Return the documents as they were before they were sealed.

        Raises:
            PermanentError: a value was sealed for another user, or not by the key that it names.
        """
        wanted = [_keys_of(document) for document in documents]
        if not any(wanted):
            return list(documents)
        known = {key.id: key.user_id for key in await self.keyring.load(set().union(*wanted))}
        for document, key_ids in zip(documents, wanted, strict=True):
            own = {"", find_content_owner(document).user_id}
            # Part of a document may not name its owner.
            if own != {"", None} and any(known.get(key_id, "") not in own for key_id in key_ids):
                raise PermanentError("a document holds what was sealed for another user")
        return [decrypt_fields(document, is_sealed, self.keyring.open) for document in documents]

    async def _dated(self, owner: ContentOwner) -> ContentOwner:
        if owner.epoch is not None or owner.user_id is None:
            return owner
        found = await self._epochs.find_one({"_id": owner.user_id})
        return ContentOwner(owner.user_id, found["epoch"] if found else 0)


def _keys_of(document: Document) -> set[bytes]:
    found: set[bytes] = set()

    def note(token: bytes) -> bytes:
        found.add(read_key_id(token))
        return token

    decrypt_fields(document, is_sealed, note)
    return found


class SealedCursor:
    def __init__(self, cursor: Any, sealing: ContentSealer) -> None:
        self._cursor = cursor
        self._sealing = sealing

    def sort(self, *arguments: Any) -> Self:
        self._cursor.sort(*arguments)
        return self

    def limit(self, count: int) -> Self:
        self._cursor.limit(count)
        return self

    async def to_list(self, length: int | None = None) -> list[Document]:
        return await self._sealing.open(await self._cursor.to_list(length))

    async def __aiter__(self) -> AsyncIterator[Document]:
        async for document in self._cursor:
            yield (await self._sealing.open([document]))[0]


class SealedCollection:
    def __init__(self, collection: Any, sealing: ContentSealer, plain: frozenset[str]) -> None:
        self._collection = collection
        self._sealing = sealing
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        """Delegate calls that neither write nor read contents."""
        return getattr(self._collection, name)

    def find(self, *arguments: Any, **options: Any) -> SealedCursor:
        return SealedCursor(self._collection.find(*arguments, **options), self._sealing)

    async def find_one(self, *arguments: Any, **options: Any) -> Document | None:
        return await self._opened(await self._collection.find_one(*arguments, **options))

    async def find_one_and_update(
        self, which: Document, update: Document, **options: Any
    ) -> Document | None:
        sealed_update = await self._update(which, update)
        found = await self._collection.find_one_and_update(which, sealed_update, **options)
        return await self._opened(found)

    async def insert_one(self, document: Document) -> Any:
        return await self._collection.insert_one(await self._whole(document))

    async def insert_many(self, documents: Iterable[Document], **options: Any) -> Any:
        ready = [await self._whole(document) for document in documents]
        return await self._collection.insert_many(ready, **options)

    async def replace_one(self, which: Document, document: Document, **options: Any) -> Any:
        return await self._collection.replace_one(which, await self._whole(document), **options)

    async def update_one(self, which: Document, update: Document, **options: Any) -> Any:
        return await self._collection.update_one(
            which, await self._update(which, update), **options
        )

    async def update_many(self, which: Document, update: Document, **options: Any) -> Any:
        return await self._collection.update_many(
            which, await self._update(which, update), **options
        )

    async def bulk_write(self, writes: Sequence[Any], **options: Any) -> Any:
        ready = [await self._write(write) for write in writes]
        return await self._collection.bulk_write(ready, **options)

    async def _write(self, write: Any) -> Any:
        ready = copy(write)
        match write:
            case InsertOne() | ReplaceOne():
                ready._doc = await self._whole(write._doc)  # noqa: SLF001 - it has no other way in
            case UpdateOne() | UpdateMany():
                ready._doc = await self._update(write._filter, write._doc)  # noqa: SLF001
        return ready

    async def _opened(self, found: Document | None) -> Document | None:
        return None if found is None else (await self._sealing.open([found]))[0]

    async def _whole(self, document: Any) -> Document:
        ready: Document = await self._sealing.seal(document, NO_OWNER, plain=self._plain)
        return ready

    async def _update(self, which: Any, update: Any) -> Document:
        said = {**update.get("$setOnInsert", {}), **update.get("$set", {})}
        owner = find_content_owner(said, find_content_owner(which))
        if owner.user_id is None and self._says_something(said):
            found = await self._collection.find_one(which, _WHOSE)
            owner = NO_OWNER if found is None else find_content_owner(found)
        ready: Document = await self._sealing.seal(update, owner, plain=self._plain)
        return ready

    def _says_something(self, document: Mapping[str, Any]) -> bool:
        found: list[ContentOwner] = []

        def note(owner: ContentOwner, value: Any) -> Any:
            found.append(owner)
            return value

        encrypt_fields(document, note, plain=self._plain)
        return any(owner.user_id is None for owner in found)
