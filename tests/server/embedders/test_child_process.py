"""A parent and its child, whatever becomes of either."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import cast

import pytest

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.embedders import child_process
from palimpsest_server.embedders.child_process import ChildProcess, ChildTimes
from tests.support.eventually import eventually

CHILD = "tests.support.server.embedders.tested_child"


QUICK = ChildTimes(first_backoff_seconds=0.01)


@pytest.fixture
async def child() -> AsyncIterator[ChildProcess]:
    child = ChildProcess("tested process", CHILD, times=QUICK)
    await child.start()
    yield child
    await child.stop()


def ready(child: ChildProcess) -> bool:
    try:
        child.check()
    except TransientError:
        return False
    return True


async def test_answers_come_in_the_order_of_the_questions(child: ChildProcess) -> None:
    came: list[int] = []

    async def ask(number: int) -> None:
        answer = await child.ask(number)
        assert answer["echo"] == number
        came.append(number)

    await asyncio.gather(*(ask(number) for number in range(100)))

    assert came == list(range(100))


async def test_an_error_is_told_by_its_type_and_never_by_its_words(child: ChildProcess) -> None:
    with pytest.raises(PermanentError) as refused:
        await child.ask({"raise": "my password is 1234"})

    assert str(refused.value) == "the tested process cannot do this: ValueError"
    assert (await child.ask("next"))["echo"] == "next"


async def test_what_the_child_prints_is_no_answer(child: ChildProcess) -> None:
    assert (await child.ask({"print": "hello"}))["echo"] == {"print": "hello"}


async def test_long_questions_and_answers_at_once_block_nobody(child: ChildProcess) -> None:
    long = "长" * 300_000

    answers = await asyncio.gather(*(child.ask([number, long]) for number in range(5)))

    assert [answer["echo"] for answer in answers] == [[number, long] for number in range(5)]


async def test_a_child_that_dies_fails_all_that_waits_and_is_started_again(
    child: ChildProcess,
) -> None:
    before = child.pid

    outcomes = await asyncio.gather(
        child.ask("done"), child.ask({"die": 1}), child.ask("behind"), return_exceptions=True
    )

    assert [type(outcome) for outcome in outcomes] == [dict, TransientError, TransientError]
    with pytest.raises(TransientError, match="being started"):
        await child.ask("too early")
    await eventually(lambda: ready(child))
    assert (await child.ask("again"))["pid"] == child.pid != before


async def test_a_child_that_hangs_is_killed_even_if_nobody_waits_any_more() -> None:
    times = ChildTimes(answer_seconds=0.3, first_backoff_seconds=0.01)
    child = ChildProcess("tested process", CHILD, times=times)
    await child.start()
    hung = child.pid
    asked = asyncio.create_task(child.ask({"wait": 600}))
    await asyncio.sleep(0.05)
    asked.cancel()

    with pytest.raises(TransientError, match=r"hung|died"):
        await child.ask("behind it")
    await eventually(lambda: ready(child) and child.pid != hung)
    await child.stop()


async def test_whoever_gives_up_waiting_does_not_disturb_the_others(child: ChildProcess) -> None:
    impatient = asyncio.create_task(child.ask({"wait": 0.1}))
    patient = asyncio.create_task(child.ask("patient"))
    await asyncio.sleep(0.02)
    impatient.cancel()

    assert (await patient)["echo"] == "patient"


async def test_a_child_that_is_never_ready_is_tried_again_until_the_start_is_given_up() -> None:
    times = ChildTimes(start_seconds=0.5, first_backoff_seconds=0.01)
    child = ChildProcess("tested process", CHILD, "never-ready", times=times)

    with pytest.raises(TransientError, match="the tested process did not start"):
        await child.start()
    assert child.pid is None


class Ending:
    """A process without an input, which ends when it is told to."""

    stdin = None

    def __init__(self) -> None:
        self.over = asyncio.Event()

    async def wait(self) -> int:
        await self.over.wait()
        return 0


async def test_a_stop_that_comes_as_the_child_ends_is_not_lost() -> None:
    process = Ending()
    ending = asyncio.create_task(child_process._ended(cast("asyncio.subprocess.Process", process)))
    for _ in range(3):
        await asyncio.sleep(0)
    process.over.set()
    ending.cancel()

    with pytest.raises(asyncio.CancelledError):
        await ending


async def test_stopping_ends_the_child_and_what_was_not_answered(child: ChildProcess) -> None:
    pid = child.pid
    assert pid is not None
    asked = asyncio.create_task(child.ask({"wait": 0.1}))
    await asyncio.sleep(0.02)

    await child.stop()

    with pytest.raises(TransientError):
        await asked
    assert not runs(pid)


PARENT = f"""
import asyncio, sys
from palimpsest_server.embedders import child_process
from palimpsest_server.embedders.child_process import ChildProcess, ChildTimes

async def main():
    child = ChildProcess("tested process", {CHILD!r})
    await child.start()
    print(child.pid, flush=True)
    await child.ask({{"wait": 0.2}})
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.fixture
def orphans() -> Iterator[list[int]]:
    pids: list[int] = []
    yield pids
    for pid in filter(runs, pids):
        os.kill(pid, signal.SIGKILL)


async def test_the_child_of_a_parent_that_was_killed_ends(orphans: list[int]) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    orphans.append(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()

    await eventually(lambda: not runs(orphans[0]))


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"
