"""OpenTelemetry, loaded only if the settings name a collector: it is an extra."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.topics import CONVERSATIONS, Topic
from palimpsest.model.errors import PermanentError
from palimpsest_server.delivery import tracing
from palimpsest_server.delivery.kafka_publisher import TRACE_HEADER
from palimpsest_server.delivery.kafka_records import KafkaRecord, get_header
from palimpsest_server.delivery.tracing import OpenSpan, SpanAttributes
from palimpsest_server.runtime.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Link, Span

SERVICE = "palimpsest"
_FLUSH_MILLISECONDS = 5_000

EventT = TypeVar("EventT", bound=Event)


class TracesNotInstalled(PermanentError):
    """The settings ask for traces, and the extra that sends them is not installed."""

    reason = "traces_not_installed"


@contextmanager
def trace_process(settings: Settings) -> Iterator[None]:
    """Send spans inside the block, if the settings name a collector.

    Raises:
        TracesNotInstalled: the extra is missing.
    """
    if settings.traces_endpoint is None:
        yield
        return
    provider = _provider(settings.traces_endpoint, settings.traces_share)
    tracing.set_active_tracing(OpenTelemetryTracing(provider))
    try:
        yield
    finally:
        tracing.set_active_tracing(None)
        provider.force_flush(_FLUSH_MILLISECONDS)
        provider.shutdown()


def _provider(endpoint: str, share: float) -> "TracerProvider":
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio  # noqa: PLC0415
    except ImportError:
        raise TracesNotInstalled(
            "PALIMPSEST_TRACES_ENDPOINT is set, and the extra `traces` is not installed:"
            " `uv sync --extra traces` in a checkout brings it"
        ) from None
    provider = TracerProvider(
        sampler=ParentBasedTraceIdRatio(share), resource=Resource({"service.name": SERVICE})
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    return provider


class _Open:
    def __init__(self, span: "Span") -> None:
        self._span = span

    def call(self, name: str) -> None:
        self._span.update_name(name)

    def describe(self, attributes: SpanAttributes) -> None:
        self._span.set_attributes(dict(attributes))


class OpenTelemetryTracing:
    """`Tracing` with OpenTelemetry's SDK."""

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry import trace  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        self._api = trace
        self._tracer = provider.get_tracer(SERVICE)
        self._propagator = TraceContextTextMapPropagator()

    def traced(self, event: EventT, record: KafkaRecord | None = None) -> EventT:
        if event.trace is not None:
            return event
        trace = get_header(record, TRACE_HEADER) if record is not None else None
        return event.model_copy(update={"trace": trace or self._current() or self._new(event)})

    def handled(self, topic: Topic, events: Sequence[Event], *, began: int) -> None:
        self._stage(topic, events, began, {"palimpsest.outcome": "handled"})

    def failed(self, topic: Topic, events: Sequence[Event], *, began: int, reason: str) -> None:
        self._stage(topic, events, began, {"palimpsest.outcome": "failed", "error.type": reason})

    def record(
        self, name: str, trace: str | None, *, began: int, attributes: SpanAttributes
    ) -> None:
        if trace is not None:
            span = self._tracer.start_span(
                name, self._context(trace), attributes=dict(attributes), start_time=began
            )
            span.end()

    @contextmanager
    def span(
        self, name: str, trace: str | None = None, *, server: bool = False
    ) -> Iterator[OpenSpan]:
        kind = self._api.SpanKind.SERVER if server else self._api.SpanKind.INTERNAL
        with self._tracer.start_as_current_span(
            # An error's message may quote a user, so only the fact of the error is recorded.
            name,
            self._context(trace),
            kind=kind,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield _Open(span)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        if not self._api.get_current_span().is_recording():
            yield
            return
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ):
            yield

    def _stage(
        self, topic: Topic, events: Sequence[Event], began: int, outcome: SpanAttributes
    ) -> None:
        for event in events:
            if event.trace is None:
                continue
            span = self._tracer.start_span(
                f"{topic.readers[0]} {topic.name}",
                self._context(event.trace),
                kind=self._api.SpanKind.CONSUMER,
                attributes={
                    "messaging.system": "kafka",
                    "messaging.destination.name": topic.name,
                    "messaging.batch.message_count": len(events),
                    "palimpsest.event_type": event.type,
                    **outcome,
                },
                links=self._links(event),
                start_time=began,
            )
            span.end()

    def _links(self, event: Event) -> "list[Link]":
        """Link a window to the traces of its messages; its own trace is that of its last message."""
        if not isinstance(event, ExtractionRequested):
            return []
        traces = {turn.trace for turn in event.fresh if turn.trace not in (None, event.trace)}
        contexts = [self._api.get_current_span(self._context(trace)) for trace in traces]
        return [self._api.Link(span.get_span_context()) for span in contexts]

    def _context(self, trace: str | None) -> "Context | None":
        return None if trace is None else self._propagator.extract({"traceparent": trace})

    def _current(self) -> str | None:
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get("traceparent")

    def _new(self, event: Event) -> str | None:
        """Return the trace of an event; begin a trace for events of chat services."""
        if CONVERSATIONS.model_named(event.type) is None:
            return None
        began = time.time_ns()
        with self._tracer.start_as_current_span("ingest takes in", start_time=began):
            return self._current()
