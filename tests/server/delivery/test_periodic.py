import asyncio
from datetime import timedelta

import pytest
import structlog
from structlog.testing import capture_logs

from palimpsest_server.delivery.periodic import run_periodically

NO_TIME = timedelta(0)
HOUR = timedelta(hours=1)
LOG = structlog.get_logger("tests")


async def test_a_look_that_fails_is_told_of_and_the_next_one_is_taken() -> None:
    looks = 0
    third = asyncio.Event()

    async def look() -> None:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise ConnectionResetError("the database went away")
        if looks == 3:
            third.set()

    with capture_logs() as lines:
        looking = asyncio.create_task(
            run_periodically(look, every=NO_TIME, log=LOG, failure="could not look")
        )
        await third.wait()
        looking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await looking
    (line,) = lines
    assert (line["event"], line["error"]) == ("could not look", "ConnectionResetError")
    assert line["at"].startswith("periodic.py:")
    assert "went away" not in str(line)


@pytest.mark.parametrize("at_once", [True, False])
async def test_the_first_look_is_taken_at_once_or_after_an_interval(at_once: bool) -> None:
    looked = asyncio.Event()

    async def look() -> None:
        looked.set()

    looking = asyncio.create_task(
        run_periodically(look, every=HOUR, log=LOG, failure="no", at_once=at_once)
    )
    for _ in range(3):
        await asyncio.sleep(0)
    assert looked.is_set() is at_once
    looking.cancel()


async def test_a_look_is_taken_when_it_is_woken() -> None:
    looks, wake = asyncio.Queue[None](), asyncio.Event()

    async def look() -> None:
        looks.put_nowait(None)

    looking = asyncio.create_task(
        run_periodically(look, every=HOUR, log=LOG, failure="no", wake=wake)
    )
    await looks.get()
    wake.set()
    await looks.get()
    looking.cancel()


async def test_after_a_failure_the_next_look_comes_earlier() -> None:
    again = asyncio.Event()
    failures = [OSError("gone")]

    async def look() -> None:
        if failures:
            raise failures.pop()
        again.set()

    looking = asyncio.create_task(
        run_periodically(look, every=HOUR, log=LOG, failure="no", after_failure=NO_TIME)
    )
    await again.wait()
    looking.cancel()
