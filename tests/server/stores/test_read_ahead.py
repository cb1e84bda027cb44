"""Pages are read one ahead, in their order."""

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing

import pytest

from palimpsest_server.stores.read_ahead import read_ahead


async def test_the_next_page_is_under_way_while_one_is_worked_off() -> None:
    begun: list[int] = []

    async def read(page: int) -> int:
        begun.append(page)
        return page

    pages = []
    async for page in read_ahead(read(page) for page in range(4)):
        await asyncio.sleep(0)
        pages.append(page)
        assert len(begun) == min(page + 2, 4)
    assert pages == [0, 1, 2, 3]


async def test_nothing_is_read_of_nothing() -> None:
    reads: list[Coroutine[None, None, int]] = []
    assert [page async for page in read_ahead(reads)] == []


async def test_a_reader_that_leaves_and_a_read_that_fails_leave_no_read_behind() -> None:
    endless = asyncio.Event()

    async def read(page: int) -> int:
        if page == 1:
            await endless.wait()
        return page

    async with aclosing(read_ahead(read(page) for page in (0, 1))) as pages:
        assert await anext(pages) == 0

    async def fail() -> int:
        raise LookupError

    with pytest.raises(LookupError):
        async for _ in read_ahead([fail(), read(1)]):
            pass
    await asyncio.sleep(0)
    assert [task.get_name() for task in asyncio.all_tasks()].count("read ahead") == 0
