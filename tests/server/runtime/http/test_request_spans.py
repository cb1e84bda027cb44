"""Spans of requests say by OpenTelemetry's names what is done to memories, and nothing of whose."""

from collections.abc import Iterator

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from palimpsest_server.delivery.tracing import set_active_tracing
from palimpsest_server.runtime.opentelemetry_tracing import OpenTelemetryTracing
from tests.support.server.desk_application import application


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    set_active_tracing(OpenTelemetryTracing(provider))
    yield exporter
    set_active_tracing(None)


async def test_a_span_of_a_request_names_the_operation_and_holds_no_words_and_no_ids(
    spans: InMemorySpanExporter,
) -> None:
    transport = httpx.ASGITransport(application())
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        asked = {"user_id": "ann", "query": "Which tea?"}
        assert (await http.post("/v1/recall", json=asked)).status_code == 200
        assert (await http.post("/v1/nowhere", json=asked)).status_code == 404
    recalled, unmatched = spans.get_finished_spans()
    assert recalled.name == "POST /v1/recall"
    assert dict(recalled.attributes or {}) == {
        "gen_ai.operation.name": "search_memory",
        "gen_ai.provider.name": "palimpsest",
    }
    assert dict(unmatched.attributes or {}) == {}
