import asyncio
from datetime import timedelta

import pytest

from palimpsest_server.delivery.periodic import run_periodically

NO_TIME = timedelta(0)


async def test_a_look_that_fails_is_told_of_and_the_next_one_is_taken() -> None:
    looks = 0
    told: list[str] = []
    third = asyncio.Event()

    async def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise ConnectionResetError("the database went away")
        if looks == 3:
            third.set()

    looking = asyncio.create_task(run_periodically(look, every=NO_TIME, failed=told.append))
    await third.wait()
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
    assert len(told) == 1
    assert "ConnectionResetError" in told[0]


@pytest.mark.parametrize("at_once", [True, False])
async def test_the_first_look_is_taken_at_once_or_after_an_interval(at_once: bool) -> None:
    looked = asyncio.Event()

    async def look() -> None:
        looked.set()

    looking = asyncio.create_task(
        run_periodically(look, every=timedelta(hours=1), failed=print, at_once=at_once)
    )
    for _ in range(3):
        await asyncio.sleep(0)
    assert looked.is_set() is at_once
    looking.cancel()
