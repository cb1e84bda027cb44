"""What Kafka lost is looked for until that succeeds, and once more for what was stored late."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

import pytest
import structlog

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from tests.support.eventually import eventually

LOSS = datetime(2026, 3, 2, 9, tzinfo=UTC)
AT_ONCE = ReconcilerTimes(
    interval=timedelta(milliseconds=1),
    grace=timedelta(minutes=10),
    late_writes=timedelta(),
    after_failure=timedelta(milliseconds=1),
)


def loop_of(look: Callable[[datetime | None], Awaitable[object]]) -> PeriodicReconciliation:
    return PeriodicReconciliation(
        look, AT_ONCE, log=structlog.get_logger(), failure="nothing could be reconciled"
    )


@asynccontextmanager
async def running(
    loop: PeriodicReconciliation, lost_before: datetime | None
) -> AsyncIterator[None]:
    task = asyncio.create_task(loop.run(lost_before=lost_before))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_what_is_seen_only_after_the_first_look_is_found_by_a_second() -> None:
    stored_before_the_loss = ["seen at once"]
    published: list[str] = []

    async def look(lost_before: datetime | None) -> None:
        if lost_before is not None:
            published.extend(stored_before_the_loss)
            stored_before_the_loss.clear()
        if len(published) == 1:
            # The database was asked for this before the loss, and does it now.
            stored_before_the_loss.append("seen late")

    async with running(loop_of(look), LOSS):
        await eventually(lambda: len(published) == 2)
    assert published == ["seen at once", "seen late"]


@pytest.mark.parametrize(("lost_before", "first"), [(LOSS, [LOSS, LOSS]), (None, [])])
async def test_all_later_looks_are_for_what_is_late(
    lost_before: datetime | None, first: list[datetime]
) -> None:
    looks: list[datetime | None] = []

    async def look(moment: datetime | None) -> None:
        looks.append(moment)

    async with running(loop_of(look), lost_before):
        await eventually(lambda: len(looks) >= 5)
    assert looks[:5] == [*first, *[None] * (5 - len(first))]


async def test_it_tells_while_what_was_lost_cannot_be_published_again() -> None:
    kafka_is_there = asyncio.Event()
    looks: list[datetime | None] = []

    async def look(lost_before: datetime | None) -> None:
        looks.append(lost_before)
        if not kafka_is_there.is_set():
            raise TransientError("Kafka is away")

    loop = loop_of(look)
    await loop.check()
    async with running(loop, LOSS):
        await eventually(lambda: len(looks) >= 3)
        with pytest.raises(TransientError, match=r"nothing could be reconciled: .*Kafka is away"):
            await loop.check()
        kafka_is_there.set()
        await eventually(lambda: None in looks)
        await loop.check()
    assert looks.index(None) == looks.count(LOSS) >= 5
