"""Cache of the sorted ids of a namespace's active memories, for callers that read page by page.

No index sorts them by id, so each page read by itself would read the whole namespace.
"""

import time
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Sequence
from math import inf

from palimpsest.model.scope import Namespace

ReadNamespaceIds = Callable[[Namespace], Awaitable[Sequence[str]]]
"""Reads all ids of a namespace, in any order."""

CACHE_LIFETIME_SECONDS = 600.0
"""Ids are read again after this time, which is longer than a caller takes for all pages."""
MAX_CACHED_NAMESPACES = 4
"""Namespaces; 100,000 memories take some 9 MB."""


class SortedIdCache:
    def __init__(
        self, read: ReadNamespaceIds, *, lifetime_seconds: float = CACHE_LIFETIME_SECONDS
    ) -> None:
        self._lifetime_seconds = lifetime_seconds
        self._read = read
        self._known: dict[Namespace, tuple[float, Sequence[str]]] = {}
        """Ids of each namespace with the time of their reading, the latest last."""

    async def after(self, namespace: Namespace, after: str | None, *, limit: int) -> Sequence[str]:
        """Return the ids that follow `after`; ids added since the first page may be missing."""
        # A machine's clock begins at 0, so that no number stands for long ago.
        read_at, ids = self._known.get(namespace, (-inf, ()))
        if after is None or time.monotonic() - read_at > self._lifetime_seconds:
            ids = sorted(await self._read(namespace))
            self._known.pop(namespace, None)
            self._known[namespace] = time.monotonic(), ids
            while len(self._known) > MAX_CACHED_NAMESPACES:
                del self._known[next(iter(self._known))]
        begins = 0 if after is None else bisect_right(ids, after)
        return ids[begins : begins + limit]
