"""Layouts of namespaces' vectors in MongoDB: recorded once, bounded in number, and moved step by step.

A collection of its own takes one of a limited number of slots. A unique index gives each slot to
one namespace across all processes, so there are never more collections than the bound allows.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from pymongo.errors import DuplicateKeyError

from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.stores.collections import VECTOR_LAYOUTS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.vector_layouts import (
    DEFAULT_TIMES,
    LayoutCache,
    LayoutTimes,
    LayoutView,
    VectorLayout,
)

_MAX_ASSIGNED = 10_000

_TO_OWN = (Layout.POOLED.value, Layout.PER_AGENT.value)
_TO_POOLED = (Layout.PER_AGENT.value, Layout.POOLED.value)


@dataclass(frozen=True)
class RecordedLayout:
    """One record: a namespace, where its vectors are, and the slot of its own collection."""

    physical_name: str
    namespace: Namespace | None
    """None if only a physical name that cannot be decoded was recorded."""
    where: VectorLayout
    slot: int | None


class MongoVectorLayouts:
    """`VectorLayouts` for a server. If pooled is the default, only exceptions are recorded."""

    def __init__(
        self,
        database: MongoDatabase,
        *,
        default: Layout,
        maximum: int,
        times: LayoutTimes = DEFAULT_TIMES,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`maximum` is the largest number of namespaces with a collection of their own."""
        self._records = database.collection(VECTOR_LAYOUTS)
        self._default = default
        self._maximum = maximum
        self._cache = LayoutCache(times, monotonic)
        self._assigned: set[Namespace] = set()

    @property
    def default(self) -> Layout:
        return self._default

    async def of(self, namespaces: Collection[Namespace]) -> LayoutView:
        read_at = self._cache.now()
        read: dict[Namespace, VectorLayout] = {}
        if missing := self._cache.missing(namespaces):
            recorded = await self._read(missing)
            read = {
                namespace: recorded.get(namespace, VectorLayout(self._default))
                for namespace in missing
            }
            # A namespace without a record may get any layout at any moment. Pooled namespaces stay pooled
            # until somebody moves them, which takes longer than a layout is fresh.
            lasting = read if self._default is Layout.POOLED else recorded
            self._cache.keep(lasting, read_at)
        return self._cache.view(namespaces, read, read_at)

    async def assigned(self, namespaces: Collection[Namespace]) -> LayoutView:
        if self._default is Layout.PER_AGENT:
            fresh = set(namespaces) - self._assigned
            if fresh:
                await self._assign(fresh)
            if len(self._assigned) > _MAX_ASSIGNED:
                self._assigned.clear()
            self._assigned |= fresh
        return await self.of(namespaces)

    def is_valid(self, view: LayoutView) -> bool:
        return self._cache.is_valid(view)

    async def adopt(self, names: Iterable[str]) -> None:
        wanted = sorted(names)
        found = self._records.find({"_id": {"$in": wanted}}, {"_id": 1})
        known = {document["_id"] async for document in found}
        for name in (each for each in wanted if each not in known):
            record = {"_id": name, "layout": Layout.PER_AGENT.value}
            await self._insert_with_slot(record, bound=None)

    async def own(self) -> frozenset[str]:
        found = self._records.find({"slot": {"$exists": True}}, {"_id": 1})
        return frozenset([document["_id"] async for document in found])

    async def release(self, namespace: Namespace) -> None:
        await self._records.delete_one(
            {
                "_id": namespace.physical_name,
                "layout": Layout.PER_AGENT.value,
                "moving_to": {"$exists": False},
                "leaving": {"$exists": False},
            }
        )
        self._cache.forget([namespace])
        self._assigned.discard(namespace)

    async def recorded(self) -> list[RecordedLayout]:
        """Return all records, by name."""
        found = await self._records.find({}).to_list(None)
        return sorted(map(_recorded, found), key=lambda layout: layout.physical_name)

    async def count_own(self) -> int:
        """Count the taken slots."""
        return int(await self._records.count_documents({"slot": {"$exists": True}}))

    async def record(self, name: str, namespace: Namespace | None = None) -> None:
        """Record a namespace, by physical name, as pooled unless it is recorded."""
        known = {} if namespace is None else _identity(namespace)
        await self._insert_if_absent({"_id": name, **known, "layout": Layout.POOLED.value})

    async def begin_move(self, name: str, target: Layout, *, mover: str) -> VectorLayout:
        """Begin to move a recorded namespace, or take an unfinished move over.

        Raises:
            PermanentError: all slots are taken, or the namespace is moving elsewhere.
        """
        for under_way in (
            {"moving_to": target.value},
            {"layout": target.value, "leaving": {"$exists": True}},
        ):
            await self._records.update_one({"_id": name, **under_way}, {"$set": {"mover": mover}})
        at_rest: Document = {
            "_id": name,
            "layout": {"$ne": target.value},
            "moving_to": {"$exists": False},
            "leaving": {"$exists": False},
        }
        begun: Document = {"moving_to": target.value, "mover": mover}
        if target is Layout.POOLED:
            await self._records.update_one(at_rest, {"$set": begun})
        else:
            await self._take_slot(at_rest, begun)
        where = await self.find(name)
        if where is None or (where.moving_to or where.layout) is not target:
            raise PermanentError(f"{name} is on its way elsewhere: finish that first")
        return where

    async def find(self, name: str) -> VectorLayout | None:
        """Return where a namespace is recorded to be."""
        found = await self._records.find_one({"_id": name})
        return None if found is None else _where(found)

    async def is_moved_by(self, name: str, mover: str) -> bool:
        """Return whether this mover still owns the move."""
        return await self._records.find_one({"_id": name, "mover": mover}) is not None

    async def switch(self, name: str, *, mover: str) -> None:
        """Switch reading to the copy of a namespace, if this mover still owns the move."""
        for source, target in (_TO_OWN, _TO_POOLED):
            await self._records.update_one(
                {"_id": name, "mover": mover, "layout": source, "moving_to": target},
                {"$set": {"layout": target, "leaving": source}, "$unset": {"moving_to": ""}},
            )

    async def end_move(self, name: str, *, mover: str) -> None:
        """Record that the old place of a namespace is empty; a pooled namespace frees its slot."""
        for layout, freed in ((Layout.POOLED, {"slot": ""}), (Layout.PER_AGENT, {})):
            await self._records.update_one(
                {
                    "_id": name,
                    "mover": mover,
                    "layout": layout.value,
                    "leaving": {"$exists": True},
                },
                {"$unset": {"leaving": "", "mover": "", **freed}},
            )

    async def _read(self, namespaces: Collection[Namespace]) -> Mapping[Namespace, VectorLayout]:
        by_name = {namespace.physical_name: namespace for namespace in namespaces}
        found = await self._records.find({"_id": {"$in": list(by_name)}}).to_list(None)
        return {by_name[document["_id"]]: _where(document) for document in found}

    async def _assign(self, namespaces: Collection[Namespace]) -> None:
        recorded = await self._read(namespaces)
        for namespace in namespaces:
            if namespace not in recorded:
                record = {**_identity(namespace), "layout": Layout.PER_AGENT.value}
                if not await self._insert_with_slot(record, bound=self._maximum):
                    await self._insert_if_absent({**record, "layout": Layout.POOLED.value})

    async def _insert_with_slot(self, record: Document, *, bound: int | None) -> bool:
        """Insert a record with a free slot, unless the namespace has a record; False if no slot is free."""
        refused: set[int] = set()
        while True:
            if await self._records.find_one({"_id": record["_id"]}, {"_id": 1}):
                return True
            slot = await self._free_slot(bound, refused)
            if slot is None:
                return False
            if await self._insert_if_absent({**record, "slot": slot}):
                return True
            # Another process recorded the namespace or took the slot.
            refused.add(slot)

    async def _take_slot(self, at_rest: Document, begun: Document) -> None:
        refused: set[int] = set()
        while await self._records.find_one(at_rest, {"_id": 1}):
            slot = await self._free_slot(self._maximum, refused)
            if slot is None:
                raise PermanentError(
                    f"all {self._maximum} collections of their own are taken: move a namespace to "
                    "the pooled one, or raise PALIMPSEST_QDRANT_MAXIMUM_COLLECTIONS"
                )
            try:
                await self._records.update_one(at_rest, {"$set": {**begun, "slot": slot}})
            except DuplicateKeyError:
                refused.add(slot)

    async def _free_slot(self, bound: int | None, refused: Collection[int]) -> int | None:
        """Return the first slot that is neither taken nor refused; None beyond the bound.

        A refused slot may belong to nobody: DatabaseLimit.STALE_UNIQUE_KEYS.
        """
        found = self._records.find({"slot": {"$exists": True}}, {"slot": 1})
        taken = {document["slot"] async for document in found} | {*refused}
        free = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        return free if bound is None or free < bound else None

    async def _insert_if_absent(self, record: Document) -> bool:
        try:
            await self._records.insert_one(record)
        except DuplicateKeyError:
            return False
        return True


def _identity(namespace: Namespace) -> Document:
    return {
        "_id": namespace.physical_name,
        "user_id": namespace.user_id,
        "agent_id": namespace.agent_id,
    }


def _where(document: Document) -> VectorLayout:
    moving_to, leaving = document.get("moving_to"), document.get("leaving")
    return VectorLayout(
        Layout(document["layout"]),
        moving_to=None if moving_to is None else Layout(moving_to),
        leaving=None if leaving is None else Layout(leaving),
    )


def _recorded(document: Document) -> RecordedLayout:
    namespace = Namespace.of_plain_name(document["_id"])
    if "user_id" in document:
        namespace = Namespace.model_construct(
            user_id=document["user_id"], agent_id=document["agent_id"]
        )
    return RecordedLayout(document["_id"], namespace, _where(document), document.get("slot"))
