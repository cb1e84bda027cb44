"""Background tasks are named, started again, seen by readiness, and stopped together."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.supervisor import Supervisor
from tests.support.eventually import eventually

AT_ONCE = Backoff(first_seconds=0.0, maximum_seconds=0.0)
NEVER = Backoff(first_seconds=3_600.0, maximum_seconds=3_600.0)


class Loop:
    """A loop that ends as often as it is told to, and then runs on."""

    def __init__(self, *ends: BaseException | None) -> None:
        self._ends = list(ends)
        self.starts = 0
        self.runs = asyncio.Event()

    async def run(self) -> None:
        self.starts += 1
        if self._ends:
            end = self._ends.pop(0)
            if end is not None:
                raise end
            return
        self.runs.set()
        await asyncio.Event().wait()


@pytest.mark.parametrize("end", [ValueError("secret"), asyncio.CancelledError(), None])
async def test_a_task_that_ends_is_logged_and_started_again(end: BaseException | None) -> None:
    supervisor, loop = Supervisor("ingest", backoff=AT_ONCE), Loop(end, end)
    with capture_logs() as lines:
        supervisor.start("looks", loop.run)
        await loop.runs.wait()
    assert [(line["owner"], line["task"]) for line in lines] == [("ingest", "looks")] * 2
    assert "secret" not in str(lines)
    await supervisor.check()
    await supervisor.stop()


async def test_until_it_runs_again_readiness_names_it() -> None:
    supervisor, loop = Supervisor("ingest", backoff=NEVER), Loop(ValueError())
    supervisor.start("looks", loop.run)
    supervisor.start("marks", Loop().run)
    await eventually(lambda: "looks" not in supervisor.running)
    with pytest.raises(TransientError, match="ingest ended: looks"):
        await supervisor.check()
    await supervisor.stop()


async def test_the_pause_grows_with_failures_in_a_row() -> None:
    backoff = Backoff(first_seconds=0.001, maximum_seconds=0.004)
    supervisor, loop = Supervisor("ingest", backoff=backoff), Loop(*[ValueError()] * 4)
    with capture_logs() as lines:
        supervisor.start("looks", loop.run)
        await loop.runs.wait()
    assert [line["again_in_seconds"] for line in lines] == [0.001, 0.002, 0.004, 0.004]
    await supervisor.stop()


async def test_the_log_says_where_in_our_code_a_task_was() -> None:
    looked = asyncio.Event()

    async def look() -> None:
        looked.set()

    def look_hourly() -> Coroutine[Any, Any, None]:
        log = structlog.get_logger("tests")
        return run_periodically(look, every=timedelta(hours=1), log=log, failure="no")

    supervisor = Supervisor("ingest", backoff=NEVER)
    supervisor.start("looks", look_hourly)
    await looked.wait()
    with capture_logs() as lines:
        supervisor.running["looks"].cancel()
        await eventually(lambda: bool(lines))
    assert lines[0]["at"].startswith("periodic.py:")
    await supervisor.stop()


async def test_a_task_that_is_to_be_done_once_is_tried_until_it_is() -> None:
    supervisor, loop = Supervisor("consumer", backoff=AT_ONCE), Loop(ValueError(), None)
    supervisor.start("replacement", loop.run, until_done=True)
    await eventually(lambda: loop.starts == 2 and not supervisor.running)
    await supervisor.check()
    supervisor.start("replacement", loop.run)
    await supervisor.stop()


async def test_one_name_is_one_task() -> None:
    supervisor = Supervisor("ingest")
    supervisor.start("looks", Loop().run)
    with pytest.raises(ValueError, match="looks"):
        supervisor.start("looks", Loop().run)
    await supervisor.stop()


async def test_stopping_cancels_and_awaits_all_or_those_that_are_named() -> None:
    ended: list[str] = []

    async def end_slowly(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(name)

    supervisor = Supervisor("ingest")
    for name in ("a", "b", "c"):
        supervisor.start(name, partial(end_slowly, name))
    await asyncio.sleep(0)
    await supervisor.stop("b")
    assert (ended, set(supervisor.running)) == (["b"], {"a", "c"})
    await supervisor.stop()
    assert sorted(ended) == ["a", "b", "c"]


async def test_a_task_that_does_not_end_is_left_behind_and_named() -> None:
    let_go = asyncio.Event()

    async def hold_on() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    supervisor = Supervisor("ingest", stop_seconds=0.01)
    supervisor.start("stubborn", hold_on)
    supervisor.start("looks", Loop().run)
    await asyncio.sleep(0)
    with capture_logs() as lines:
        async with asyncio.timeout(60):
            await supervisor.stop()
    (line,) = lines
    assert line["task"] == "ingest: stubborn"
    assert line["at"][0].startswith("test_supervisor.py:")
    assert supervisor.running == {}
    let_go.set()


async def test_a_task_that_ran_once_may_begin_again_before_its_end_was_noticed() -> None:
    supervisor, runs = Supervisor("bus", backoff=NEVER), asyncio.Queue[None]()

    async def run() -> None:
        runs.put_nowait(None)

    supervisor.start("replacement", run, until_done=True)
    await runs.get()
    assert "replacement" not in supervisor.running
    supervisor.start("replacement", run, until_done=True)
    await runs.get()
    await supervisor.stop()
