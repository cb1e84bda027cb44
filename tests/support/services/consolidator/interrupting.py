"""Stores that a process loses hold of, at whichever call a test chooses."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.services.consolidator.stores import Stores

Happening = Callable[[Callable[..., Awaitable[Any]], Any], Awaitable[Any]]
"""Gets the call and its argument, and decides what becomes of it."""


class Interrupted:
    """Stores as one process sees them, with something happening around one of its calls."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._around: dict[str, Any] = {}
        self.happened = 0

    def around(self, collaborator: str, method: str, happening: "Happening") -> None:
        async def counted(call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
            self.happened += 1
            return await happening(call, *arguments)

        self._around[collaborator] = _Around(getattr(self._stores, collaborator), method, counted)

    def __getattr__(self, name: str) -> Any:
        return self._around.get(name) or getattr(self._stores, name)


class _Around:
    def __init__(self, target: Any, method: str, happening: Happening) -> None:
        self._target = target
        self._method = method
        self._happening = happening

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)
        if name != self._method:
            return method

        async def call(*arguments: Any) -> Any:
            return await self._happening(method, *arguments)

        return call


class Crash(BaseException):
    """The process is gone: nothing in it catches this and goes on."""


async def before(_call: Callable[..., Awaitable[Any]], *_arguments: Any) -> None:
    raise Crash
