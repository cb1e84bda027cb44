"""Streams of changes: past changes from a given position, then new changes as they are announced.

The stream of one user is read from MongoDB. An announcement only shortens the wait, so a slow
reader holds nothing in memory, and changes that were announced while nobody listened are read as
well. The stream of all users is fed by announcements. A reader that is too slow for them is cut
off, and continues from its last position when it connects again.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol, TypeVar

from palimpsest.api.change_events import (
    ChangeEvent,
    ChangeStreamQuery,
    StreamPosition,
)
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest_server.domain.change_events import list_change_events, without_content
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.user_states import UserStates

MAXIMUM_STREAMS = 1_000
"""The most streams that are open at once in one process."""

PAGE = 50
"""Change sets that are read at a time."""

QUEUED = 256
"""The most change sets that wait for one reader of the stream of all users."""

LOOK_AGAIN_SECONDS = 15.0
"""Seconds between reads without an announcement. A change set is announced before it is marked as
announced, so a listener that starts in between misses it.
"""

ORDER_GRACE = timedelta(seconds=10)
"""Writers decide side by side: a change set may be announced later than one decided this much after
it.
"""

TELLABLE = frozenset({ChangeSetProgress.PROJECTED, ChangeSetProgress.ANNOUNCED})
"""Progress from which a change is streamed. A change that is only decided or applied cannot be read
everywhere yet.
"""


class StreamedEvent(NamedTuple):
    position: StreamPosition
    event: ChangeEvent | None
    """None for the first item, which only tells the position where the stream begins."""


_Followed = AsyncGenerator[tuple[ChangeSet | None, StreamPosition], None]
"""Change sets, each with the position up to which it was already read."""


class StreamListener(Protocol):
    wake: asyncio.Event

    def hear(self, change_set: ChangeSet) -> None: ...


class UserListener:
    """Remembers the highest announced revision of one user."""

    def __init__(self, user_id: str) -> None:
        self._user_id = user_id
        self.heard = 0
        self.wake = asyncio.Event()

    def hear(self, change_set: ChangeSet) -> None:
        if change_set.user_id == self._user_id:
            self.heard = max(self.heard, change_set.revision)
            self.wake.set()


class EveryListener:
    """Keeps announced change sets until they are read; cuts its reader off above `QUEUED`."""

    def __init__(self) -> None:
        self.queue: deque[ChangeSet] = deque()
        self.is_cut_off = False
        self.wake = asyncio.Event()

    def hear(self, change_set: ChangeSet) -> None:
        if len(self.queue) >= QUEUED:
            self.is_cut_off = True
            self.queue.clear()
        elif not self.is_cut_off:
            self.queue.append(change_set)
        self.wake.set()


ListenerT = TypeVar("ListenerT", bound=StreamListener)


class ChangeStreams:
    def __init__(self, change_sets: ChangeSetReader, users: UserStates, clock: Clock) -> None:
        self._change_sets = change_sets
        self._users = users
        self._clock = clock
        self._listeners: set[StreamListener] = set()
        self._ended = False

    @property
    def open_streams(self) -> int:
        return len(self._listeners)

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        """Pass an announced change set to all listeners. Subscribe this method to `changes`."""
        for listener in self._listeners:
            listener.hear(event.change_set)

    def end(self) -> None:
        """End all streams, so that their readers connect to another process."""
        self._ended = True
        for listener in self._listeners:
            listener.wake.set()

    def require_room(self) -> None:
        """Return when another stream can be opened.

        Raises:
            TransientError: too many are open.
        """
        if self._ended or len(self._listeners) >= MAXIMUM_STREAMS:
            raise TransientError("no further stream can be opened here now", retry_after_seconds=5)

    async def follow(
        self, query: ChangeStreamQuery, after: StreamPosition | None
    ) -> AsyncGenerator[StreamedEvent, None]:
        """Yield the events that the query takes and that come after `after`, until the streams end.

        The first item holds no event. It tells the position where the stream begins, which is the
        present if `after` is None.
        """
        found = (
            self._follow_everybody(after)
            if query.user_id is None
            else self._follow_user(query.user_id, after)
        )
        async with aclosing(found):
            async for change_set, position in found:
                if change_set is None:
                    yield StreamedEvent(position, None)
                    continue
                for index, event in enumerate(await self._list_events(change_set), 1):
                    if query.takes(event) and index > position.read:
                        moment = _to_milliseconds(change_set.decided_at)
                        place = StreamPosition(change_set.revision, index, moment)
                        (told,) = (event,) if query.content else without_content([event])
                        yield StreamedEvent(place, told)

    async def _list_events(self, change_set: ChangeSet) -> list[ChangeEvent]:
        state = (await self._users.of([change_set.user_id]))[change_set.user_id]
        return list_change_events(change_set, state)

    async def _follow_user(self, user_id: str, after: StreamPosition | None) -> _Followed:
        with self._listen(UserListener(user_id)) as listener:
            newest = await self._change_sets.page(user_id, limit=1, before=None)
            present = newest[0].revision if newest else 0
            # A position ahead is of data that is no longer there: waiting for it would tell nothing.
            if after is None or after.revision > present:
                after = StreamPosition(present, _ALL, _to_milliseconds(self._clock()))
            yield None, after
            # The change set of that revision may have been read in part.
            revision = after.revision - (after.read != _ALL)
            while not self._ended:
                listener.wake.clear()
                heard = listener.heard
                page = await self._change_sets.later(user_id, revision=revision, limit=PAGE)
                for change_set in page:
                    if change_set.progress not in TELLABLE and change_set.revision > heard:
                        break
                    in_part = change_set.revision == after.revision
                    yield change_set, after if in_part else _BEGINNING
                    revision = change_set.revision
                else:
                    if len(page) == PAGE:
                        continue
                await _wait(listener.wake)

    async def _follow_everybody(self, after: StreamPosition | None) -> _Followed:
        told: deque[str] = deque(maxlen=QUEUED)
        with self._listen(EveryListener()) as listener:
            present = _to_milliseconds(self._clock())
            if after is None or after.milliseconds > present:
                yield None, StreamPosition(0, 0, present)
            else:
                yield None, after
            if after is not None:
                read = min(after.milliseconds, present) / 1000
                since = datetime.fromtimestamp(read, UTC) - ORDER_GRACE
                async for change_set in self._change_sets.decided_since(since):
                    if change_set.progress in TELLABLE:
                        yield change_set, _BEGINNING
                        told.append(change_set.id)
            while not (self._ended or listener.is_cut_off):
                listener.wake.clear()
                while listener.queue:
                    change_set = listener.queue.popleft()
                    if change_set.id not in told:
                        yield change_set, _BEGINNING
                await _wait(listener.wake)

    @contextmanager
    def _listen(self, listener: ListenerT) -> Iterator[ListenerT]:
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)


_ALL = 999_999
"""A position behind every event of a change set."""

_BEGINNING = StreamPosition(0, 0, 0)


async def _wait(wake: asyncio.Event) -> None:
    with suppress(TimeoutError):
        # Not wait_for: Python 3.11's swallows a cancellation that meets the wake.
        async with asyncio.timeout(LOOK_AGAIN_SECONDS):
            await wake.wait()


def _to_milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
