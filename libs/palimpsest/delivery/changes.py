"""The feed of `changes`, for caches and for whoever waits: all partitions, no group."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from palimpsest.contracts.events import ChangeSetAnnounced

Listener = Callable[[ChangeSetAnnounced], Awaitable[None]]


class ChangesFeed(Protocol):
    """Calls every listener with each change announced from the moment it was started."""

    def listen(self, listener: Listener) -> None: ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...
