"""What takes a model's time to make, made at the first call and kept."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class AsyncCached(Generic[Made]):
    """Whoever calls while it is being made waits for it; where that failed, the next call tries again."""

    def __init__(self, make: Callable[[], Awaitable[Made]]) -> None:
        self._make = make
        self._made: Made | None = None
        self._making = asyncio.Lock()

    async def __call__(self) -> Made:
        """What was made; raises what making it raises."""
        if self._made is None:
            async with self._making:
                if self._made is None:
                    self._made = await self._make()
        return self._made
