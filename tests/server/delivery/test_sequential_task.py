import asyncio

from structlog.testing import capture_logs

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.sequential_task import SequentialTask


async def test_a_step_runs_behind_whoever_gave_it() -> None:
    sequence, gate, noted = SequentialTask(), asyncio.Event(), list[str]()

    async def note() -> None:
        await gate.wait()
        noted.append("first")

    await sequence.follow(note())
    assert noted == []

    gate.set()
    await sequence.over()
    assert noted == ["first"]


async def test_the_next_step_waits_for_the_one_before() -> None:
    sequence, gate, noted = SequentialTask(), asyncio.Event(), list[str]()

    async def first() -> None:
        await gate.wait()
        noted.append("first")

    async def second() -> None:
        noted.append("second")

    await sequence.follow(first())
    waiting = asyncio.create_task(sequence.follow(second()))
    await asyncio.sleep(0)
    assert noted == []

    gate.set()
    await waiting
    await sequence.over()
    assert noted == ["first", "second"]


async def test_a_step_that_fails_is_said_and_stops_nobody() -> None:
    sequence, noted = SequentialTask(), list[str]()

    async def failing() -> None:
        raise TransientError("MongoDB does not answer")

    async def working() -> None:
        noted.append("second")

    with capture_logs() as logs:
        await sequence.follow(failing())
        await sequence.follow(working())
        await sequence.over()

    assert noted == ["second"]
    assert [log["error"] for log in logs] == ["MongoDB does not answer"]


async def test_a_batch_cut_short_while_it_waits_leaves_the_step_running() -> None:
    sequence, gate, noted = SequentialTask(), asyncio.Event(), list[str]()

    async def first() -> None:
        await gate.wait()
        noted.append("first")

    await sequence.follow(first())
    waiting = asyncio.create_task(sequence.follow(first()))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    gate.set()
    await sequence.over()
    assert noted == ["first"]
