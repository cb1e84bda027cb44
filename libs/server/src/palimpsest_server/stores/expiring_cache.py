"""A cache whose values expire a fixed time after their reading."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

_MOST_ENTRIES = 10_000

CacheLookupListener = Callable[[int, int], None]
"""Called on each lookup with the number of cached keys and the number of missing ones."""


def ignore_lookups(_hits: int, _misses: int) -> None:
    """Ignore the counts, for a cache without metrics."""


class ExpiringCache(Generic[KeyT, ValueT]):
    """Values that expire `life` after their reading. All are dropped when there are more than 10,000."""

    def __init__(self, life: timedelta) -> None:
        self._life = life
        self._entries: dict[KeyT, tuple[datetime, ValueT]] = {}

    def living(self, keys: Iterable[KeyT], now: datetime) -> dict[KeyT, ValueT]:
        """Return the cached values of `keys` that are young enough."""
        # A clock that was set back must not make an entry live longer.
        return {
            key: entry[1]
            for key in keys
            if (entry := self._entries.get(key)) is not None
            and timedelta() <= now - entry[0] < self._life
        }

    def get(self, key: KeyT) -> ValueT | None:
        """Return the cached value of any age."""
        entry = self._entries.get(key)
        return None if entry is None else entry[1]

    def keep(self, values: Mapping[KeyT, ValueT], read_at: datetime) -> None:
        if len(self._entries) + len(values) > _MOST_ENTRIES:
            self._entries.clear()
        self._entries.update({key: (read_at, value) for key, value in values.items()})

    def amend(self, key: KeyT, value: ValueT) -> None:
        """Replace a cached value without prolonging its life."""
        self._entries[key] = (self._entries[key][0], value)

    def forget(self, keys: Iterable[KeyT]) -> None:
        for key in keys:
            self._entries.pop(key, None)
