"""Move namespaces between their own collections and the pooled one, while they are in use.

    begin     new points are written to both places from here on
    copy      points that differ, until none do
    switch    read from the new place
    clear     the old place

Each step is recorded before the next, and all can be repeated: the next mover takes over the
unfinished move of another. Between steps a mover waits until no process relies on the old layout.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import groupby
from uuid import uuid4

from qdrant_client import AsyncQdrantClient, models

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.scope import Layout
from palimpsest_server.stores import vector_schema
from palimpsest_server.stores.mongo.vector_layouts import MongoVectorLayouts
from palimpsest_server.stores.qdrant import calls
from palimpsest_server.stores.qdrant.collections import QdrantCollections

MAX_ROUNDS = 20
"""Rounds of copying one namespace. From the second on, only changes of the round before are copied."""

MoveProgress = Callable[[str, str], None]
"""Called with the physical name of a namespace and the step just completed."""


class TakenOver(TransientError):
    """Another mover has taken a namespace over."""


class NamespaceMover:
    def __init__(
        self,
        client: AsyncQdrantClient,
        collections: QdrantCollections,
        layouts: MongoVectorLayouts,
        *,
        wait: Callable[[], Awaitable[None]],
    ) -> None:
        """`wait` returns when no process relies on an earlier layout."""
        self._client = client
        self._collections = collections
        self._layouts = layouts
        self._wait = wait
        self._id = uuid4().hex

    async def move(
        self,
        names: Sequence[str],
        target: Layout,
        *,
        progress: MoveProgress = lambda _name, _step: None,
    ) -> None:
        """Move recorded namespaces by physical name, or finish unfinished moves.

        Raises:
            PermanentError: no slot for another own collection is free; earlier namespaces are moved.
            TransientError: a server does not answer, or another mover took over; begin again.
        """
        begun: list[str] = []
        refused: PermanentError | None = None
        for name in names:
            try:
                await self._layouts.begin_move(name, target, mover=self._id)
            except PermanentError as error:
                refused = error
                break
            begun.append(name)
        if begun:
            await self._finish(begun, target, progress)
        if refused is not None:
            raise refused

    async def _finish(self, names: Sequence[str], target: Layout, progress: MoveProgress) -> None:
        await self._wait()
        for name in names:
            where = await self._layouts.find(name)
            if where is not None and where.moving_to is target:
                await self._copy(name, where.layout, target)
                await self._layouts.switch(name, mover=self._id)
                progress(name, "copied")
        await self._wait()
        for name in names:
            where = await self._layouts.find(name)
            if where is not None and where.leaving is not None:
                await self._clear(name, where.leaving)
                await self._layouts.end_move(name, mover=self._id)
            progress(name, "moved")

    async def _copy(self, name: str, source: Layout, target: Layout) -> None:
        old, new = (self._collections.alias(name, layout) for layout in (source, target))
        await self._collections.ensure(new)
        for _ in range(MAX_ROUNDS):
            copied = await self._copy_differing(name, old, new)
            removed = await self._remove_strays(name, old, new)
            if not copied and not removed:
                return
        raise TransientError(f"{name} changes faster than it is copied")

    async def _copy_differing(self, name: str, old: str, new: str) -> int:
        copied = 0
        async for page in self._pages(name, old):
            standing = await self._versions(new, list(page))
            wanted = [each for each, version in page.items() if standing.get(each, -1) < version]
            if not wanted:
                continue
            with calls.translate_failures():
                records = await self._client.retrieve(
                    old, wanted, with_payload=True, with_vectors=True
                )
                for version, same in groupby(sorted(records, key=_version), key=_version):
                    await self._client.upsert(
                        new,
                        [
                            models.PointStruct(
                                id=record.id, vector=record.vector, payload=record.payload
                            )
                            for record in same
                        ],
                        update_filter=calls.build_older_version_filter(version),
                    )
            copied += len(records)
        return copied

    async def _remove_strays(self, name: str, old: str, new: str) -> int:
        """Remove copied points that were removed from the old place meanwhile; return how many."""
        removed = 0
        async for page in self._pages(name, new):
            standing = await self._versions(old, list(page))
            strays = [each for each in page if each not in standing]
            if not strays:
                continue
            # Checked after the old place was read: if the old place was cleared, another mover took over.
            await self._require_own(name)
            with calls.translate_failures():
                await self._client.delete(new, models.PointIdsList(points=[*strays]))
            removed += len(strays)
        return removed

    async def _clear(self, name: str, layout: Layout) -> None:
        await self._require_own(name)
        alias = self._collections.alias(name, layout)
        if layout is Layout.PER_AGENT:
            await self._collections.drop(alias)
            return
        selector = models.FilterSelector(filter=calls.build_namespace_filter(name))
        with suppress(calls.CollectionMissing), calls.translate_failures():
            await self._client.delete(alias, selector)

    async def _require_own(self, name: str) -> None:
        if not await self._layouts.is_moved_by(name, self._id):
            raise TakenOver(f"another mover has taken {name} over")

    async def _pages(self, name: str, alias: str) -> AsyncIterator[dict[str, int]]:
        """Yield the versions of a namespace's points by id, page by page."""
        wanted = calls.build_namespace_filter(name) if self._collections.is_pooled(alias) else None
        offset = None
        while True:
            try:
                with calls.translate_failures():
                    records, offset = await self._client.scroll(
                        alias,
                        scroll_filter=wanted,
                        limit=calls.POINTS_PER_CALL,
                        offset=offset,
                        with_payload=[vector_schema.VERSION],
                    )
            except calls.CollectionMissing:
                return
            if records:
                yield {str(record.id): _version(record) for record in records}
            if offset is None:
                return

    async def _versions(self, alias: str, ids: Sequence[str]) -> dict[str, int]:
        try:
            with calls.translate_failures():
                found = await self._client.retrieve(
                    alias, ids, with_payload=[vector_schema.VERSION]
                )
        except calls.CollectionMissing:
            return {}
        return {str(record.id): _version(record) for record in found}


def _version(record: models.Record) -> int:
    return int((record.payload or {})[vector_schema.VERSION])
