"""The embedder on a real broker: what goes in on `candidates` comes out on `writes`."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from palimpsest.events.commands import ForgetMemory
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES, WRITES
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.runtime.platform import Platform
from services.embedder.app import build

pytestmark = pytest.mark.embedded

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


async def test_events_leave_with_their_vectors_in_the_order_they_came(platform: Platform) -> None:
    came: asyncio.Queue[Event] = asyncio.Queue()

    async def take(events: Sequence[Event]) -> Sequence[EventRejection]:
        for event in events:
            came.put_nowait(event)
        return []

    others = platform.open_bus("others")
    others.consume(WRITES, take)
    service = build(platform)
    with pytest.raises(TransientError):
        await service.checks["kafka"]()
    await asyncio.gather(service.start(), others.start())
    await others.publisher.publish(
        CANDIDATES,
        [
            RememberRequested(
                event_id="1", occurred_at=NOW, user_id="alice", content="green tea", epoch=3
            ),
            ForgetMemory(event_id="2", occurred_at=NOW, user_id="alice", memory_id="m"),
        ],
    )

    async with asyncio.timeout(30):
        remembered, forgotten = await came.get(), await came.get()
    for check in service.checks.values():
        await check()
    await asyncio.gather(service.stop(), others.stop())

    assert isinstance(remembered, RememberRequested)
    assert (remembered.event_id, remembered.epoch) == ("1", 3)
    assert [vector.model for vector in remembered.vectors] == ["hashing-64-1"]
    assert forgotten.event_id == "2"
    handled = platform.registry.get_sample_value("palimpsest_embedder_texts_total")
    assert handled == 1
