"""Which trace an event belongs to, and that errors and texts are told to nobody."""

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased

from palimpsest.events.conversations import MessageAdded
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.events.writes import MemoriesAccessed
from palimpsest.model.turn import Role
from palimpsest_server.delivery import tracing
from palimpsest_server.delivery.kafka_publisher import TRACE_HEADER, encode_event
from palimpsest_server.delivery.kafka_records import EventRecord
from palimpsest_server.runtime.opentelemetry_tracing import OpenTelemetryTracing, trace_process
from palimpsest_server.runtime.settings import Settings
from tests.support.server.delivery.stand import NOON

OWN = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01"
OF_THE_RECORD = "00-cccccccccccccccccccccccccccccccc-dddddddddddddddd-01"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def traces(spans: InMemorySpanExporter) -> OpenTelemetryTracing:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return OpenTelemetryTracing(provider)


def said(trace: str | None = None) -> MessageAdded:
    return MessageAdded(
        user_id="ada",
        session_id="s",
        message_id="1",
        role=Role.USER,
        text="a secret",
        occurred_at=NOON,
        trace=trace,
    )


def record(event: MessageAdded, trace: str) -> EventRecord:
    headers = [(TRACE_HEADER, trace.encode())]
    return EventRecord(key=b"ada", value=encode_event(event), headers=headers)


def test_an_event_keeps_its_own_trace_before_its_records(traces: OpenTelemetryTracing) -> None:
    event = said(OWN)
    assert traces.traced(event, record(event, OF_THE_RECORD)).trace == OWN


def test_what_an_instrumented_producer_says_in_the_header_counts(
    traces: OpenTelemetryTracing,
) -> None:
    event = said()
    assert traces.traced(event, record(event, OF_THE_RECORD)).trace == OF_THE_RECORD


def test_within_a_request_an_event_is_part_of_it(
    traces: OpenTelemetryTracing, spans: InMemorySpanExporter
) -> None:
    with traces.span("request", OWN, server=True):
        trace = traces.traced(said()).trace
    (request,) = spans.get_finished_spans()
    assert trace is not None
    assert trace.split("-")[1:3] == [OWN.split("-")[1], f"{request.context.span_id:016x}"]


def test_what_nobody_traces_begins_where_it_is_taken_in(
    traces: OpenTelemetryTracing, spans: InMemorySpanExporter
) -> None:
    accessed = MemoriesAccessed(user_id="ada", recall_id="r", memory_ids=(), occurred_at=NOON)
    assert traces.traced(accessed).trace is None
    assert traces.traced(said()).trace is not None
    assert [span.name for span in spans.get_finished_spans()] == ["ingest takes in"]


def test_what_is_not_sampled_leaves_nothing(spans: InMemorySpanExporter) -> None:
    provider = TracerProvider(sampler=ParentBased(ALWAYS_OFF))
    provider.add_span_processor(SimpleSpanProcessor(spans))
    traces = OpenTelemetryTracing(provider)
    event = traces.traced(said())
    traces.handled(CONVERSATIONS, [event], began=1)
    assert spans.get_finished_spans() == ()


def test_a_failure_is_told_by_its_kind_alone(
    traces: OpenTelemetryTracing, spans: InMemorySpanExporter
) -> None:
    traces.failed(CONVERSATIONS, [said(OWN), said()], began=1, reason="invalid_event")
    with pytest.raises(ValueError, match="a secret"), traces.span("request", OWN):
        raise ValueError("a secret")
    stage, request = spans.get_finished_spans()
    assert stage.attributes is not None
    assert stage.attributes["error.type"] == "invalid_event"
    assert "a secret" not in _told([stage, request])


def test_a_step_outside_of_any_span_is_none(
    traces: OpenTelemetryTracing, spans: InMemorySpanExporter
) -> None:
    with traces.step("alone"):
        pass
    with traces.span("whole"), traces.step("part"):
        pass
    part, whole = spans.get_finished_spans()
    assert (part.name, whole.name) == ("part", "whole")
    assert part.parent is not None
    assert part.parent.span_id == whole.context.span_id


def test_nothing_is_traced_unless_settings_say_whereto() -> None:
    with trace_process(Settings()):
        assert tracing.get_active_tracing() is None
    # Nobody listens there, and nothing is sent: no span was begun.
    with trace_process(Settings(traces_endpoint="http://127.0.0.1:1/v1/traces")):
        assert tracing.get_active_tracing() is not None
    assert tracing.get_active_tracing() is None


def _told(spans: list[ReadableSpan]) -> str:
    return "".join(span.to_json() for span in spans)
