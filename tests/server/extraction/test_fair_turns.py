"""Turns on places of work: who gets the next one, and what becomes of who leaves."""

import asyncio

import pytest

from palimpsest_server.extraction.fair_turns import FairTurns
from tests.support.eventually import eventually

LONG = 60.0


class Workshop:
    """Takes turns that end when the test says so, and notes in which order they began."""

    def __init__(self, places: int = 1) -> None:
        self.turns = FairTurns(range(places))
        self.begun: list[str] = []
        self._end = asyncio.Semaphore(0)
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(
        self, user: str, cost: float = 1.0, *, goes_on: bool = False
    ) -> asyncio.Task[None]:
        async def work() -> None:
            async with self.turns.take(user, goes_on=goes_on, patience_seconds=LONG) as turn:
                self.begun.append(user)
                await self._end.acquire()
                turn.cost_seconds = cost

        self.tasks.append(asyncio.create_task(work()))
        await asyncio.sleep(0)
        return self.tasks[-1]

    def end(self, turns: int) -> None:
        for _ in range(turns):
            self._end.release()

    async def finish(self) -> list[str]:
        self.end(len(self.tasks))
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return self.begun


async def test_a_quiet_user_is_next_though_many_of_another_wait() -> None:
    shop = Workshop()
    for _ in range(20):
        await shop.ask("heavy")
    await shop.ask("quiet")
    assert (await shop.finish()).index("quiet") == 1


async def test_of_one_user_the_first_comes_first_but_for_what_goes_on() -> None:
    shop = Workshop()
    tasks = [await shop.ask("ana") for _ in range(3)]
    tasks.append(await shop.ask("ana", goes_on=True))
    done: list[asyncio.Task[None]] = []
    for task in tasks:
        task.add_done_callback(done.append)
    await shop.finish()
    assert [tasks.index(task) for task in done] == [0, 3, 1, 2]


async def test_as_many_work_at_once_as_there_are_places() -> None:
    shop = Workshop(places=2)
    for user in "abc":
        await shop.ask(user)
    assert shop.begun == ["a", "b"]
    assert await shop.finish() == ["a", "b", "c"]


async def test_who_leaves_the_line_or_the_work_takes_no_place_along() -> None:
    shop = Workshop()
    working = await shop.ask("a")
    waiting = await shop.ask("b")
    await shop.ask("c")
    waiting.cancel()
    working.cancel()
    await asyncio.gather(waiting, working, return_exceptions=True)
    await eventually(lambda: shop.begun == ["a", "c"])
    assert await shop.finish() == ["a", "c"]


async def test_a_place_given_to_who_leaves_in_the_same_moment_goes_to_the_next() -> None:
    shop = Workshop()
    await shop.ask("a")
    leaving = await shop.ask("b")
    await shop.ask("c")
    shop.end(1)
    await shop.tasks[0]
    leaving.cancel()
    assert "c" in await shop.finish()


async def test_patience_ends() -> None:
    shop = Workshop()
    await shop.ask("a")
    with pytest.raises(TimeoutError):
        async with shop.turns.take("b", goes_on=False, patience_seconds=0.0):
            pass
    await shop.ask("c")
    assert await shop.finish() == ["a", "c"]
