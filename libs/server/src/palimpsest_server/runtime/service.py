"""A service as its host sees it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from fastapi import APIRouter

ReadinessCheck = Callable[[], Awaitable[None]]
"""Returns if all is well; otherwise raises a PalimpsestError with words for people."""


class Service(Protocol):
    """One service of a process.

    Each `services.X.app` has `build(platform, *, stores=None)`, which only wires. Its background
    tasks run under a `Supervisor`, whose check is among the service's.
    """

    @property
    def name(self) -> str: ...

    @property
    def routers(self) -> Sequence[APIRouter]:
        """HTTP routes, mounted before `start`; they answer 503 until the service is ready."""
        ...

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        """The checks behind `/readyz` and `palimpsest doctor`, by the name of the checked part."""
        ...

    async def start(self) -> None:
        """Join Kafka and begin. Several services are started at once."""
        ...

    async def stop(self) -> None:
        """Finish work in hand, leave the groups, release everything. Never raises."""
        ...


@runtime_checkable
class StreamingService(Protocol):
    """A service with answers that go on until somebody ends them."""

    def end_streams(self) -> None:
        """End all streams, because the process is about to stop."""
        ...
