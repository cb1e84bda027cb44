"""A clock that stands still until it is moved over HTTP, to live through a year in minutes.

Only `palimpsest run --simulated-from` has it. Whoever can set the clock can have memories forgotten
early, so no other instance has the route.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from fastapi import APIRouter

from palimpsest.api.resources import HttpProblem
from palimpsest.api.simulated_clock import CLOCK_PATH, SimulatedMoment
from palimpsest.model.errors import CommandRefused
from palimpsest.model.value_types import to_instant
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.runtime.service import ReadinessCheck

_BACKWARDS = {"model": HttpProblem, "description": "The clock does not go back."}


class SimulatedTime:
    """The clock of everything in the process, and the service that moves it."""

    name = "simulated-time"
    checks: Mapping[str, ReadinessCheck] = {}

    def __init__(self, begins: datetime) -> None:
        self._now = to_instant(begins)
        self.routers: Sequence[APIRouter] = (_routes(self),)

    def __call__(self) -> datetime:
        return self._now

    def move(self, to: datetime) -> None:
        """Move the clock forward.

        Raises:
            CommandRefused: the moment is earlier than the current one.
        """
        if to < self._now:
            raise CommandRefused("simulated time only moves on", reason="clock_goes_back")
        self._now = to_instant(to)

    async def start(self) -> None:
        """Do nothing: the clock needs no start."""

    async def stop(self) -> None:
        """Do nothing: the clock needs no stop."""


def _routes(time: SimulatedTime) -> APIRouter:
    router = APIRouter(tags=["simulation"])

    @router.get(CLOCK_PATH, openapi_extra=declare_permission(Permission.READ))
    async def read() -> SimulatedMoment:
        """The moment at which the clock stands."""
        return SimulatedMoment(now=time())

    @router.put(
        CLOCK_PATH, openapi_extra=declare_permission(Permission.ADMIN), responses={409: _BACKWARDS}
    )
    async def move(moment: SimulatedMoment) -> SimulatedMoment:
        """Move the clock on."""
        time.move(moment.now)
        return SimulatedMoment(now=time())

    return router
