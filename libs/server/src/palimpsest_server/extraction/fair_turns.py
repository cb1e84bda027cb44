"""Turns on a few workplaces, shared fairly between users by the cost of their turns."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from palimpsest_server.domain.fair_shares import FairShares

PlaceT = TypeVar("PlaceT")


@dataclass
class FairTurn(Generic[PlaceT]):
    place: PlaceT
    cost_seconds: float = 0.0
    """Cost of the turn in seconds of processor time, written by its holder."""


class FairTurns(Generic[PlaceT]):
    """A semaphore over places whose next holder is chosen by `FairShares`."""

    def __init__(self, places: Iterable[PlaceT]) -> None:
        self._free = deque(places)
        self._waiting: dict[str, deque[asyncio.Future[PlaceT]]] = {}
        self._shares = FairShares()

    @asynccontextmanager
    async def take(
        self, user_id: str, *, goes_on: bool, patience_seconds: float
    ) -> AsyncIterator[FairTurn[PlaceT]]:
        """Wait for a place and hold it.

        Args:
            user_id: the user whose work it is.
            goes_on: True if the work continues begun work, which comes before the user's other work.
            patience_seconds: how long to wait.

        Raises:
            TimeoutError: no place was free in that time.
        """
        turn = FairTurn(await self._wait(user_id, patience_seconds, goes_on=goes_on))
        try:
            yield turn
        finally:
            self._shares.charge(user_id, turn.cost_seconds)
            self._give(turn.place)

    async def _wait(self, user_id: str, patience_seconds: float, *, goes_on: bool) -> PlaceT:
        if self._free and not self._waiting:
            self._shares.choose([user_id])
            return self._free.popleft()
        given: asyncio.Future[PlaceT] = asyncio.get_running_loop().create_future()
        own = self._waiting.setdefault(user_id, deque())
        if goes_on:
            own.appendleft(given)
        else:
            own.append(given)
        try:
            async with asyncio.timeout(patience_seconds):
                return await given
        except BaseException:
            self._leave(user_id, given)
            raise

    def _leave(self, user_id: str, given: "asyncio.Future[PlaceT]") -> None:
        """End the wait, or pass on a place that was given at the same moment."""
        if given.done() and not given.cancelled():
            self._give(given.result())
        elif (own := self._waiting.get(user_id)) is not None and given in own:
            own.remove(given)
            if not own:
                del self._waiting[user_id]

    def _give(self, place: PlaceT) -> None:
        if not self._waiting:
            self._free.append(place)
            return
        user_id = self._shares.choose(self._waiting)
        own = self._waiting[user_id]
        given = own.popleft()
        if not own:
            del self._waiting[user_id]
        if given.done():
            self._give(place)
        else:
            given.set_result(place)
