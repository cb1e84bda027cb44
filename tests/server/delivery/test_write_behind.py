import asyncio
from collections.abc import Mapping
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.write_behind import WriteBehindBuffer, flush_buffers


class Written:
    """What was written, write by write; while `down` nothing is."""

    def __init__(self) -> None:
        self.writes: list[dict[str, int]] = []
        self.down = False
        self.tried = asyncio.Semaphore(0)
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, marks: Mapping[str, int]) -> None:
        await self.gate.wait()
        self.tried.release()
        if self.down:
            raise TransientError("MongoDB does not answer")
        self.writes.append(dict(marks))


async def test_many_marks_are_one_write_and_of_one_thing_the_last() -> None:
    written = Written()
    marks = WriteBehindBuffer[str, int](written)
    marks.note({"a": 1, "b": 2})
    marks.note({"a": 300})
    assert marks.waiting(["a", "c"]) == {"a": 300}

    await marks.flush()
    await marks.flush()

    assert written.writes == [{"a": 300, "b": 2}]
    assert marks.waiting(["a", "b"]) == {}


async def test_what_was_dropped_is_not_written() -> None:
    written = Written()
    marks = WriteBehindBuffer[str, int](written, behind=timedelta(milliseconds=5))
    running = asyncio.create_task(marks.run())
    marks.note({"a": 1, "b": 2})
    marks.drop(["a", "c"])
    await asyncio.sleep(0.05)
    marks.note({"a": 1})
    marks.drop(["a"])
    await asyncio.sleep(0.05)
    running.cancel()
    assert written.writes == [{"b": 2}]


async def test_what_comes_during_a_write_waits_for_the_next() -> None:
    written = Written()
    marks = WriteBehindBuffer[str, int](written)
    marks.note({"a": 1000})
    written.gate.clear()
    writing = asyncio.create_task(marks.flush())
    await asyncio.sleep(0)
    marks.note({"a": 2000})
    written.gate.set()
    await writing

    assert marks.waiting(["a"]) == {"a": 2000}
    await marks.flush()
    assert written.writes == [{"a": 1000}, {"a": 2000}]


async def test_what_could_not_be_written_goes_on_waiting() -> None:
    written = Written()
    marks = WriteBehindBuffer[str, int](written)
    marks.note({"a": 1})
    written.down = True
    with pytest.raises(TransientError):
        await marks.flush()
    with capture_logs() as logs:
        await flush_buffers([marks])
    assert [log["error"] for log in logs] == ["MongoDB does not answer"]

    written.down = False
    await flush_buffers([marks])
    assert written.writes == [{"a": 1}]


async def test_they_are_written_by_themselves_and_again_after_a_failure() -> None:
    written = Written()
    marks = WriteBehindBuffer[str, int](written, behind=timedelta(milliseconds=1))
    written.down = True
    with capture_logs():
        running = asyncio.create_task(marks.run())
        marks.note({"a": 1})
        async with asyncio.timeout(60):
            await written.tried.acquire()
            written.down = False
            await written.tried.acquire()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert written.writes == [{"a": 1}]
