"""What is made once is made once, however many ask; what failed is made at the next call."""

import asyncio

import pytest

from palimpsest.model.errors import TransientError
from palimpsest_server.embedders.async_cached import AsyncCached


async def test_all_who_ask_while_it_is_made_get_what_was_made_once() -> None:
    asked = 0

    async def make() -> list[str]:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return ["made"]

    made_once = AsyncCached(make)
    first, *others = await asyncio.gather(*(made_once() for _ in range(5)))
    assert asked == 1
    assert all(other is first for other in (*others, await made_once()))


async def test_what_could_not_be_made_is_tried_again() -> None:
    troubles = [TransientError("not right now")]

    async def make() -> str:
        if troubles:
            raise troubles.pop()
        return "made"

    made_once = AsyncCached(make)
    with pytest.raises(TransientError):
        await made_once()
    assert await made_once() == "made"
