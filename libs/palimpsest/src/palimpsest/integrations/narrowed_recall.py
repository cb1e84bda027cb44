"""Recall among memories that were chosen before, however few of the user's memories they are."""

import asyncio
from collections.abc import Sequence
from typing import Any

from palimpsest.api.recall import (
    MAXIMUM_NAMED,
    MAXIMUM_QUERY_CHARACTERS,
    RecallResult,
    RecordType,
)
from palimpsest.client.client import PalimpsestClient

MOST_RECALLED = 100
"""The most results that the API returns at once."""

_MOST_WAITS = 20
"""The most times that a recall waits half a second for the writes before it."""


async def recall_among(
    client: PalimpsestClient, query: str, memory_ids: Sequence[str], **fields: Any
) -> list[RecallResult]:
    """Return those of these memories that answer, the most relevant first.

    Of a longer question its beginning is asked: frameworks search by whole messages.

    `fields` are arguments of `client.recall`; a `min_revision` is waited for.
    """
    starts = range(0, len(memory_ids), MAXIMUM_NAMED)
    parts = [memory_ids[start : start + MAXIMUM_NAMED] for start in starts]
    found = await asyncio.gather(*(_recall(client, query, part, **fields) for part in parts))
    results = [result for part in found for result in part]
    return sorted(results, key=lambda result: result.relevance or 0.0, reverse=True)


async def _recall(
    client: PalimpsestClient, query: str, memory_ids: Sequence[str], **fields: Any
) -> Sequence[RecallResult]:
    for _ in range(_MOST_WAITS):
        answer = await client.recall(
            query[:MAXIMUM_QUERY_CHARACTERS],
            memory_ids=memory_ids,
            records=[RecordType.MEMORY],
            limit=MOST_RECALLED,
            **fields,
        )
        if not answer.stale:
            break
    return answer.results
