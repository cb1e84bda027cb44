"""Memory maps of a Qdrant server, which aborts when its process reaches their limit."""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from palimpsest.model.errors import TransientError

MAPS_PER_COLLECTION = 65
"""Memory maps of a namespace's own collection. With one segment Qdrant 1.19 took 74 with six payload
indexes and 21 with none; our collections have five."""

COLLECTIONS_DURING_REINDEX = 2
"""Collections per serving collection during a reindex, which makes new ones beside the old."""

USABLE_SHARE = 0.9
"""Share of the limit for own collections: the pooled collection and the server need maps too."""

TIMEOUT_SECONDS = 5.0

_HOST_LIMIT = Path("/proc/sys/vm/max_map_count")
_METRIC = re.compile(
    r"^\w*?(process_open_mmaps|system_max_mmaps)(?:\{[^}]*\})? (\S+)$", re.MULTILINE
)


class MemoryMaps(NamedTuple):
    """Number of memory maps that the server has open, and its limit; None if unknown."""

    open: int | None
    limit: int | None


def count_bearable_collections(limit: int) -> int:
    """Count the namespaces that can have their own collection under this limit of memory maps."""
    return int(limit * USABLE_SHARE) // (COLLECTIONS_DURING_REINDEX * MAPS_PER_COLLECTION)


def compute_needed_limit(collections: int) -> int:
    """Compute the limit of memory maps that this number of own collections needs."""
    return int(collections * COLLECTIONS_DURING_REINDEX * MAPS_PER_COLLECTION / USABLE_SHARE) + 1


async def read_memory_maps(
    url: str, api_key: str | None, *, transport: httpx.AsyncBaseTransport | None = None
) -> MemoryMaps:
    """Read the memory maps that the server reports, and the limit of this host if the server runs here.

    Raises:
        TransientError: the server does not answer.
    """
    headers = {} if api_key is None else {"api-key": api_key}
    try:
        async with httpx.AsyncClient(transport=transport, timeout=TIMEOUT_SECONDS) as client:
            answer = await client.get(f"{url.rstrip('/')}/metrics", headers=headers)
    except httpx.HTTPError as error:
        raise TransientError(f"Qdrant does not answer: {type(error).__name__}") from error
    found = {name: int(float(value)) for name, value in _METRIC.findall(answer.text)}
    limit = found.get("system_max_mmaps")
    return MemoryMaps(found.get("process_open_mmaps"), limit or _limit_of_this_host(url))


def _limit_of_this_host(url: str) -> int | None:
    if urlsplit(url).hostname not in {"127.0.0.1", "localhost", "::1"} or not _HOST_LIMIT.exists():
        return None
    return int(_HOST_LIMIT.read_text())
