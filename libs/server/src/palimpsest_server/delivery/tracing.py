"""Tracing: off unless it is configured, and then nothing is measured.

A process has one tracing object, like a log. Code that has something worth a span asks for the
active one, and goes on if there is none.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest_server.delivery.kafka_records import KafkaRecord

EventT = TypeVar("EventT", bound=Event)

SpanAttributes = Mapping[str, str | int | float]
"""Attributes of a span: kinds, counts and outcomes; never a text, an id or a person's name."""


class OpenSpan(Protocol):
    """A span that has not ended."""

    def call(self, name: str) -> None:
        """Rename the span, now that its subject is known."""
        ...

    def describe(self, attributes: SpanAttributes) -> None:
        """Add attributes, now that they are known."""
        ...


class Tracing(Protocol):
    """Makes spans, each a child of the trace that an event carries, whatever happens in between."""

    def traced(self, event: EventT, record: KafkaRecord | None = None) -> EventT:
        """Return the event with a trace: its own, its record's, the current one, or a new one."""
        ...

    def handled(self, topic: Topic, events: Sequence[Event], *, began: int) -> None:
        """Record that a stage handled these events together, since `began` in nanoseconds."""
        ...

    def failed(self, topic: Topic, events: Sequence[Event], *, began: int, reason: str) -> None:
        """Record that a batch could not be handled."""
        ...

    def record(
        self, name: str, trace: str | None, *, began: int, attributes: SpanAttributes
    ) -> None:
        """Record a span that has ended; without a trace there is none."""
        ...

    def span(
        self, name: str, trace: str | None = None, *, server: bool = False
    ) -> AbstractContextManager[OpenSpan]:
        """Open a span in this trace or in a new one; spans made inside are part of it."""
        ...

    def step(self, name: str) -> AbstractContextManager[None]:
        """Open a part of the current span; without a current span there is none."""
        ...


_active: Tracing | None = None


def get_active_tracing() -> Tracing | None:
    """Return the active tracing; None if no traces are configured."""
    return _active


def set_active_tracing(tracing: Tracing | None) -> None:
    """Send spans to this tracing from now on; called by wiring alone."""
    global _active  # noqa: PLW0603 - one for a process
    _active = tracing
