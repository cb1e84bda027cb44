"""Ingest on a real broker and a real database: in by both ways, out on two topics."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import httpx
import pytest

from palimpsest.events.announcements import DeadLetterAnnounced
from palimpsest.events.conversations import SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS, DEAD_LETTERS, EXTRACTIONS, Topic
from palimpsest.events.writes import TurnStored
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.service import Service
from services.ingest.app import build
from tests.support.turns import MORNING, message

pytestmark = pytest.mark.embedded


@pytest.fixture
async def http(platform: Platform, service: Service) -> AsyncIterator[httpx.AsyncClient]:
    application = build_http_application(
        [service], settings=platform.settings, registry=platform.registry
    )
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://ingest") as client:
        yield client


@pytest.fixture
def service(platform: Platform) -> Service:
    return build(platform)


class Behind:
    """Those who read what ingest writes."""

    def __init__(self, platform: Platform) -> None:
        self._came: dict[Topic, asyncio.Queue[Event]] = {}
        self.bus: ServiceBus = platform.open_bus("others")
        for topic in (CANDIDATES, EXTRACTIONS, DEAD_LETTERS):
            self._read(topic)

    def _read(self, topic: Topic) -> None:
        queue = self._came[topic] = asyncio.Queue()

        async def take(events: Sequence[Event]) -> Sequence[EventRejection]:
            for event in events:
                queue.put_nowait(event)
            return []

        self.bus.consume(topic, take)

    async def next(self, topic: Topic) -> Event:
        async with asyncio.timeout(30):
            return await self._came[topic].get()


async def test_what_is_said_comes_out_as_turns_and_windows(
    platform: Platform, service: Service, http: httpx.AsyncClient
) -> None:
    behind = Behind(platform)
    body = message(1, text="密码是 abc123").model_dump(mode="json", exclude_none=True)
    del body["event_id"]
    assert (await http.post("/v1/events", json=body)).status_code == 503
    assert (await http.get("/readyz")).status_code == 503

    await asyncio.gather(service.start(), behind.bus.start())
    assert (await http.get("/readyz")).status_code == 200
    assert (await http.post("/v1/events", json=body)).json()["outcome"] == "duplicate"
    ended = SessionEnded(event_id="e", user_id="lin", session_id="s", occurred_at=MORNING)
    impostor = message(2, event_id="e2", text="something else")
    await behind.bus.publisher.publish(CONVERSATIONS, [message(2, event_id="e2"), impostor, ended])

    turns = [await behind.next(CANDIDATES), await behind.next(CANDIDATES)]
    window = await behind.next(EXTRACTIONS)
    letter = await behind.next(DEAD_LETTERS)
    await asyncio.gather(service.stop(), behind.bus.stop())

    said = [(turn.turn.sequence, turn.turn.text) for turn in turns if isinstance(turn, TurnStored)]
    assert said == [(1, "密码是 [redacted:password]"), (2, "message number 2")]
    assert isinstance(window, ExtractionRequested)
    assert [turn.sequence for turn in window.fresh] == [1, 2]
    assert isinstance(letter, DeadLetterAnnounced)
    assert (letter.stage, letter.reason) == ("ingest", "conflicting_duplicate")
