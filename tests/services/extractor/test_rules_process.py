"""The extractor with its rules in a child, and the child killed under it."""

import os
import signal
from datetime import datetime, timedelta
from typing import Protocol

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.model.errors import TransientError
from palimpsest_server.embedders.child_process import ChildTimes
from palimpsest_server.extraction.local_extractor_process import LocalExtractorProcess
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger
from tests.support.windows import window


class Clock(Protocol):
    def __call__(self) -> datetime: ...
    def advance(self, by: timedelta) -> None: ...


async def test_a_child_killed_in_the_middle_loses_no_request(
    clock: Clock,
) -> None:
    rules = LocalExtractorProcess(times=ChildTimes(first_backoff_seconds=0.01))
    await rules.start()
    world = World(InMemoryLedger(), clock, provider=rules)  # type: ignore[arg-type]
    requests = [window(f"I live in Town{one}.", session=one, name=one) for one in "ABCD"]
    killed = rules.child_pid
    assert killed is not None
    os.kill(killed, signal.SIGSTOP)

    async with world.running():
        await world.intake.handle(requests)
        await world.until(lambda: world.counted("attempts_total", provider="local") == 4)
        os.kill(killed, signal.SIGKILL)
        await world.until(
            lambda: world.counted("failures_total", provider="local", reason="transient") == 4
        )
        assert world.publisher.published == []
        await world.until(lambda: _ready(rules))
        clock.advance(timedelta(minutes=1))
        world.wake.set()
        await world.until(lambda: len(world.publisher.published) == 4)
    await rules.stop()

    found = {
        event.window_id: [candidate.value for candidate in event.candidates]
        for event in world.publisher.published
        if isinstance(event, CandidatesProposed)
    }
    assert found == {
        extraction_requested.window_id: [f"Town{extraction_requested.session_id}"]
        for extraction_requested in requests
    }
    assert world.dead_lettered == []


def _ready(rules: LocalExtractorProcess) -> bool:
    try:
        rules._process.check()
    except TransientError:
        return False
    return True
