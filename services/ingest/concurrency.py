"""Awaits several steps at once until all of them have ended, also if one fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")

_CHARACTERS_AT_A_TIME = 16 * 1024
"""Redacting as much as this takes a few milliseconds at worst."""


async def await_all(*steps: Awaitable[Any]) -> list[Any]:
    """Return the answers in order. No step is still under way when this raises.

    Raises:
        Exception: the first failure in the order of the steps, unchanged. The stage decides by its
            class whether to wait.
    """
    answers = await asyncio.gather(*steps, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


async def iterate_with_pauses(
    items: Iterable[ItemT], characters: Callable[[ItemT], int]
) -> AsyncIterator[ItemT]:
    """Yield the items, with a pause for the event loop after every 16,384 characters or so."""
    since_last = 0
    for item in items:
        yield item
        since_last += characters(item)
        if since_last >= _CHARACTERS_AT_A_TIME:
            since_last = 0
            await asyncio.sleep(0)
