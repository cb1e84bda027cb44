"""Cache of the memories that a user's recalls return most, kept current by `changes`."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.domain.hot_memories import (
    INSPECTED_HOT_CANDIDATES,
    MAXIMUM_HOT_MEMORIES,
    HotMemories,
    apply_to_hot_memories,
    select_current_memories,
    select_hot_memories,
)
from palimpsest_server.stores.expiring_cache import CacheLookupListener, ignore_lookups
from palimpsest_server.stores.memories import MemoryReader

MOST_READERS = 500
"""The most readers: a user with the asking agent or project. 20 memories each of about 3 KB make
some 30 MB.
"""

READ_AGAIN_AFTER = timedelta(hours=1)
"""Time after which a full set is read again: it changes slowly."""

FILLED_AFTER = timedelta(minutes=1)
"""Time after which a set that is not full is read again: its user had few recalls, so the next ones
change it.
"""

_log = structlog.get_logger("palimpsest.recall")

_Reader = tuple[Scope, ...]


class _Kept(NamedTuple):
    hot: HotMemories
    read_at: datetime


class HotSet:
    """Cache of the most recalled memories. It is filled in the background after a first recall."""

    def __init__(
        self,
        memories: MemoryReader,
        *,
        clock: Clock,
        looked_up: CacheLookupListener = ignore_lookups,
        most_readers: int = MOST_READERS,
    ) -> None:
        self._memories = memories
        self._clock = clock
        self._looked_up = looked_up
        self._most_readers = most_readers
        self._kept: OrderedDict[_Reader, _Kept] = OrderedDict()
        self._reading: dict[_Reader, asyncio.Task[None]] = {}
        self._changed: dict[str, int] = {}
        """Numbers of changes during a read, by user."""

    def of(
        self, scopes: Sequence[Scope], versions: Mapping[str, int | None], *, epoch: int
    ) -> dict[str, Memory]:
        """Return the cached memories among these whose version matches."""
        reader, now = tuple(scopes), self._clock()
        kept = self._kept.get(reader)
        if kept is None or not timedelta() <= now - kept.read_at < _lifetime(kept.hot):
            self._read_behind(reader, epoch)
        found = {} if kept is None else select_current_memories(kept.hot, versions)
        if kept is not None:
            self._kept.move_to_end(reader)
        self._looked_up(len(found), len(versions) - len(found))
        return found

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Update cached memories from a change; drop a user's whole cache after an erasure."""
        user_id = event.user_id
        if user_id in self._changed:
            self._changed[user_id] += 1
        for reader, kept in self._of_user(user_id):
            hot = apply_to_hot_memories(kept.hot, event.change_set)
            if hot is None:
                del self._kept[reader]
            elif hot is not kept.hot:
                self._kept[reader] = kept._replace(hot=hot)

    async def settled(self) -> None:
        """Return when no read is under way."""
        await asyncio.gather(*self._reading.values())

    async def stop(self) -> None:
        """Cancel the reads under way."""
        for task in (reading := [*self._reading.values()]):
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    def _of_user(self, user_id: str) -> Iterable[tuple[_Reader, _Kept]]:
        return [
            (reader, kept)
            for reader, kept in self._kept.items()
            if any(scope.user_id == user_id for scope in reader)
        ]

    def _read_behind(self, reader: _Reader, epoch: int) -> None:
        if reader and reader not in self._reading:
            task = asyncio.create_task(self._read(reader, epoch), name="hot memories")
            self._reading[reader] = task
            task.add_done_callback(lambda _: self._reading.pop(reader, None))

    async def _read(self, reader: _Reader, epoch: int) -> None:
        user_id, now = reader[0].user_id, self._clock()
        changed = self._changed.setdefault(user_id, 0)
        try:
            ids = await self._memories.most_accessed(user_id, limit=INSPECTED_HOT_CANDIDATES)
            memories = await self._memories.by_ids(reader, ids) if ids else []
            # A result read during a change may be outdated.
            if self._changed.get(user_id) == changed:
                self._keep(reader, _Kept(select_hot_memories(memories, ids, epoch=epoch), now))
        except Exception as error:  # noqa: BLE001 - whoever asks reads for themselves
            _log.warning("hot memories are not kept", **describe_failure(error))
        self._changed.pop(user_id, None)

    def _keep(self, reader: _Reader, kept: _Kept) -> None:
        self._kept[reader] = kept
        self._kept.move_to_end(reader)
        while len(self._kept) > self._most_readers:
            self._kept.popitem(last=False)


def _lifetime(hot: HotMemories) -> timedelta:
    return READ_AGAIN_AFTER if len(hot) == MAXIMUM_HOT_MEMORIES else FILLED_AFTER
