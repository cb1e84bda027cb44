"""Plays a year: each day the clock is moved, and while people speak everybody is looked after."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, date, datetime, time
from itertools import groupby

import httpx

from palimpsest.api.resources import Problem
from palimpsest.api.simulated_clock import CLOCK_PATH, SimulatedMoment
from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import Unavailable
from palimpsest.client.retries import retry_while_unavailable
from palimpsest.client.subscription import Subscription
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_lab.simulation.change_watcher import ChangeWatcher, MemoryMirror
from palimpsest_lab.simulation.day_events import build_day_events
from palimpsest_lab.simulation.memory_claims import find_memory_claims
from palimpsest_lab.simulation.user_actions import SimulatedYear, UserAction, UserActionType

CLOCK_SECONDS = 30.0

_UNREACHABLE = Problem(reason="unreachable", message="the simulated clock cannot be reached")


def get_evening(day: date) -> datetime:
    """The last second of a day, at which the turn of every namespace has come."""
    return datetime.combine(day, time(23, 59, 59), UTC)


class YearPlayer:
    """The player of a year on one instance, seen from outside."""

    def __init__(
        self,
        *,
        http: PalimpsestClient,
        kafka: PalimpsestClient,
        clock: httpx.AsyncClient,
        mirror: MemoryMirror,
    ) -> None:
        self._http = http
        self._kafka = kafka
        self._clock = clock
        self._watching = ChangeWatcher(mirror)

    async def play(self, year: SimulatedYear) -> AsyncIterator[tuple[date, int]]:
        """Each day when all that belongs to it is handled, and how many messages it had.

        Raises:
            TransientError: something was not handled within a minute.
        """
        by_id = {act.id: act for act in year.acts}
        acts = {day: list(same) for day, same in groupby(year.acts, key=lambda act: act.day)}
        for day in year.days:
            of_day = acts.get(day, [])
            await self._live(day, of_day)
            await self._forget([act for act in of_day if act.doing is UserActionType.FORGET], by_id)
            yield day, sum(act.doing is not UserActionType.FORGET for act in of_day)

    async def follow(self, changes: Subscription) -> None:
        """Until cancelled."""
        async for change in changes:
            self._watching.hear(change.change_set)

    async def _live(self, day: date, acts: Iterable[UserAction]) -> None:
        """Play a day's messages and its maintenance without waiting for either."""
        said = build_day_events(acts)
        expected = self._watching.expected
        expected.expect_maintenance()
        expected.expect(requests=said.requests, conversations=said.conversations)
        await self._move_on(day)
        await self._kafka.publish(said.events)
        await self._watching.until_over()

    async def _move_on(self, day: date) -> None:
        body = SimulatedMoment(now=get_evening(day)).model_dump_json()

        async def move() -> None:
            try:
                answer = await self._clock.put(CLOCK_PATH, content=body)
            except httpx.TransportError as error:
                # Such as a connection that nobody has used for some seconds and that is closed now.
                raise Unavailable(_UNREACHABLE) from error
            answer.raise_for_status()

        await retry_while_unavailable(move, whom="the clock", within_seconds=CLOCK_SECONDS)

    async def _forget(self, acts: Iterable[UserAction], by_id: Mapping[str, UserAction]) -> None:
        """Have these statements forgotten at once, as their users would."""
        forgotten = {
            memory.id: act.person.user_id
            for act in acts
            for memory in self._watching.mirror.active(act.person.user_id)
            if act.item in find_memory_claims(memory, by_id)
        }
        async with asyncio.TaskGroup() as together:
            for memory_id, user_id in forgotten.items():
                together.create_task(self._http.forget(memory_id, user_id=user_id))


@asynccontextmanager
async def connect_year_player(
    subject: MeasuredInstance, mirror: MemoryMirror
) -> AsyncIterator[YearPlayer]:
    """Connected to the instance, and hearing of all that changes there from now on."""
    key = subject.api_key
    headers = {"Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(subject.over_http())
        kafka = await stack.enter_async_context(subject.over_kafka())
        clock = httpx.AsyncClient(
            base_url=subject.http_url, headers=headers, timeout=CLOCK_SECONDS, trust_env=False
        )
        await stack.enter_async_context(clock)
        changes = await stack.enter_async_context(kafka.subscribe())
        playing = YearPlayer(http=http, kafka=kafka, clock=clock, mirror=mirror)
        following = asyncio.create_task(playing.follow(changes))
        stack.push_async_callback(_ended, following)
        yield playing


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
