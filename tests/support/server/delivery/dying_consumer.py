"""A consumer that is killed after it has handled a batch and before it has committed it."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.clock import system_clock
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters


async def main(settings: KafkaSettings, handled: TextIO) -> None:
    async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
        handled.write("\n".join(event.event_id for event in events))
        handled.flush()
        os.kill(os.getpid(), signal.SIGKILL)
        return ()

    bus = Bus(
        "ingest",
        settings=settings,
        dead_letters=InMemoryDeadLetters(),
        registry=CollectorRegistry(),
        clock=system_clock,
    )
    bus.consume(CONVERSATIONS, handle)
    await bus.start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w") as output:
        asyncio.run(main(KafkaSettings(**json.load(sys.stdin)), output))
