"""An asynchronous value that is made at the first call and then cached."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class AsyncCached(Generic[Made]):
    """Make a value once. Callers during the making wait for it.

    After a failure the next call tries again.
    """

    def __init__(self, make: Callable[[], Awaitable[Made]]) -> None:
        self._make = make
        self._made: Made | None = None
        self._making = asyncio.Lock()

    async def __call__(self) -> Made:
        """Return the value. Raises whatever making it raises."""
        if self._made is None:
            async with self._making:
                if self._made is None:
                    self._made = await self._make()
        return self._made
