"""One run from the first word to the end state, disturbed or not."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.end_state import EndState, end_state, wrong_with
from tests.faults.feed import Feed
from tests.faults.feeding import Feeding
from tests.faults.forgetting import forget
from tests.faults.injecting import Done, Injecting, Progress
from tests.faults.plan import ALWAYS_THERE, faults, faults_of_commands
from tests.faults.processes import Nursery
from tests.faults.projection import wrong_with_projection
from tests.faults.scale import Scale
from tests.faults.settled import settled
from tests.faults.system import MEMORY, WRITERS, System

SETTLES_WITHIN_SECONDS = 600.0


@dataclass(frozen=True, kw_only=True)
class Watching:
    """How a run tells what it does."""

    begins: Callable[[str, int], None]
    """A stage, and how much is to be said in it."""
    taken: Callable[[], None]
    say: Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    state: EndState
    wrong: Sequence[str]
    """All that is not as the feed alone says it must be."""
    ledger: Sequence[Done]
    said_again: int
    """Because no answer came."""
    starts: int
    """Of all processes together."""
    disk: str
    seconds: float


async def run(
    directory: Path,
    nursery: Nursery,
    feed: Feed,
    scale: Scale,
    *,
    seed: int,
    disturbed: bool,
    watching: Watching,
) -> Outcome:
    """Everything that is to be said is said, and has had its effect.

    Raises:
        NeverSettled: something stays open.
        Refused: a good event was refused.
    """
    began = time.monotonic()
    async with System(directory, nursery, seed=seed, troubled=disturbed) as system:
        one = _Run(system, feed, scale, seed, disturbed, watching)
        async with kept(system):
            await one.through()
        state = await end_state(system)
        # The vectors belong to one process at a time.
        await system.stop(MEMORY)
        projection = await wrong_with_projection(system.data_directory, state.memories, state.turns)
        return Outcome(
            state=state,
            wrong=[*wrong_with(state, feed), *projection, *one.wrong],
            ledger=one.injecting.ledger,
            said_again=one.feeding.attempts_again,
            starts=sum(process.starts for process in system.processes.values()),
            disk=system.disk.how,
            seconds=time.monotonic() - began,
        )


@asynccontextmanager
async def kept(system: System) -> AsyncIterator[None]:
    """What ends by itself is started again."""
    keeping = asyncio.create_task(system.keep())
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])


class _Run:
    def __init__(
        self,
        system: System,
        feed: Feed,
        scale: Scale,
        seed: int,
        disturbed: bool,
        watching: Watching,
    ) -> None:
        self._system = system
        self._feed = feed
        self._scale = scale
        self._seed = seed
        self._disturbed = disturbed
        self._watching = watching
        self._moves: list[asyncio.Task[None]] = []
        self.injecting = Injecting(system, say=watching.say)
        self.feeding = Feeding(
            system,
            per_second=scale.events_per_second if disturbed else None,
            taken=self._taken,
        )
        self._progress = Progress()

    async def through(self) -> None:
        if self._disturbed:
            await self._system.serve(*ALWAYS_THERE, *WRITERS)
            await self._stage(0)
            await self._settle(projected=False)
            await self._system.stop(*WRITERS)
            await self._system.serve(MEMORY)
        else:
            await self._system.serve(*ALWAYS_THERE, MEMORY)
            await self._stage(0)
        await self._stage(1)
        await self._settle(projected=True)
        await self._forget()
        await self._stage(2)
        await self._settle(projected=True)

    async def _stage(self, number: int) -> None:
        said = self._feed.stages[number]
        total = sum(map(len, said.values()))
        self._watching.begins(f"stage {number + 1}", total)
        self._progress = Progress(total)
        async with asyncio.TaskGroup() as at_once:
            at_once.create_task(self.feeding.say(said))
            if self._disturbed:
                planned = faults(self._seed, number, self._scale)
                at_once.create_task(self.injecting.run(number, planned, self._progress))

    async def _forget(self) -> None:
        self._watching.begins("forgetting", len(self._feed.to_forget))
        self._progress = Progress(len(self._feed.to_forget))
        async with asyncio.TaskGroup() as at_once:
            at_once.create_task(forget(self._system, self._feed.to_forget, done=self._taken))
            if self._disturbed:
                at_once.create_task(
                    self.injecting.run(2, faults_of_commands(self._seed), self._progress)
                )

    async def _settle(self, *, projected: bool) -> None:
        await settled(
            self._system,
            within_seconds=SETTLES_WITHIN_SECONDS,
            projected=projected,
            say=self._watching.say,
        )

    @property
    def wrong(self) -> list[str]:
        """Left in peace, no service has a reason to end."""
        ended = [
            name for name, process in self._system.processes.items() if process.ended_by_itself
        ]
        return [] if self._disturbed else [f"{name} ended by itself" for name in ended]

    def _taken(self) -> None:
        self._watching.taken()
        self._progress.step()
