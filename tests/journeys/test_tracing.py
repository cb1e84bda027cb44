"""One trace from what a chat service says to the memory that stands, and one of each recall."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest_server.delivery import tracing
from palimpsest_server.runtime.opentelemetry_tracing import OpenTelemetryTracing
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.collections import CHANGE_SETS
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host.embedded_mode import EmbeddedApplication, start_embedded
from tests.support.eventually import eventually
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACE = f"00-{TRACE_ID}-00f067aa0ba902b7-01"
SAID = "I live in Reykjavik, in a house by the harbour."
REMEMBERED = "The user lives in Reykjavik, in a house by the harbour"
ASKED = "Where is my house by the harbour?"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
async def everything(
    tmp_path: Path, spans: InMemorySpanExporter
) -> AsyncIterator[EmbeddedApplication]:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    settings = Settings(
        data_directory=tmp_path / "data", http_port=0, embedder="hashing", log_level="ERROR"
    )
    tracing.set_active_tracing(OpenTelemetryTracing(provider))
    try:
        async with start_embedded(settings, say=lambda _: None) as running:
            yield running
    finally:
        tracing.set_active_tracing(None)


async def test_one_trace_leads_from_an_event_to_its_memory_and_holds_no_content(
    everything: EmbeddedApplication, spans: InMemorySpanExporter
) -> None:
    await _say(everything.http_url)
    async with PalimpsestClient(http_url=everything.http_url, timeout_seconds=30) as client:
        found = await until_listed(client, "ada", {REMEMBERED}, Status.ACTIVE)
        # The last span of the trace ends a moment after the memory is listed.
        await eventually(
            lambda: "consolidator change set" in {s.name for s in spans.get_finished_spans()}
        )
        await client.recall(ASKED, user_id="ada")
    finished = spans.get_finished_spans()
    ours = [span for span in finished if _trace_id(span) == TRACE_ID]
    assert {span.name for span in ours} >= {
        "POST /v1/events",
        "ingest conversations",
        "extractor extractions",
        "extractor asks",
        "embedder candidates",
        "consolidator writes",
        "consolidator change set",
    }
    assert TRACE_ID in await _trace_of_the_change_set(everything, found[REMEMBERED].id)
    recalls = [span for span in finished if span.name == "POST /v1/recall"]
    assert len(recalls) == 1
    steps = {span.name for span in finished if _trace_id(span) == _trace_id(recalls[0])}
    assert steps >= {"whole", "state", "embed", "search", "rank", "read"}
    _check_that_nothing_is_told(finished)


async def _say(url: str) -> None:
    message = Message(message_id="m1", role=Role.USER, text=SAID, occurred_at=NOON)
    event = {
        "type": "MessageAdded",
        "user_id": "ada",
        "session_id": "s1",
        **message.model_dump(mode="json", exclude_none=True),
    }
    ending = {
        "type": "SessionEnded",
        "user_id": "ada",
        "session_id": "s1",
        "occurred_at": NOON.isoformat(),
    }
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=60) as http:
        for each in (event, ending):
            answer = await http.post("/v1/events", json=each, headers={"traceparent": TRACE})
            assert answer.status_code == httpx.codes.ACCEPTED, answer.text


async def _trace_of_the_change_set(everything: EmbeddedApplication, memory_id: str) -> str:
    settings = everything.settings
    database = MongoDatabase(settings.mongodb_url.get_secret_value(), settings.mongodb_database)
    try:
        found = await database.collection(CHANGE_SETS).find_one({"memory_ids": memory_id})
        assert found is not None
        return str(found["cause"]["trace"])
    finally:
        database.close()


def _check_that_nothing_is_told(finished: Sequence[ReadableSpan]) -> None:
    told = "\n".join(span.to_json() for span in finished)
    for text in ("Reykjavik", "harbour", "house", "ada", "s1", "m1"):
        assert f'"{text}' not in told
        assert len(text) < 4 or text not in told


def _trace_id(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"
