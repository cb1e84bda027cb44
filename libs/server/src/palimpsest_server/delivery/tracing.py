"""Tracing: off unless somebody sets it up, and then nothing is measured.

One for a process, like a log: whoever does something worth a span asks `active`
and goes on where there is none.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest_server.delivery.kafka_records import KafkaRecord

EventT = TypeVar("EventT", bound=Event)

SpanAttributes = Mapping[str, str | int | float]
"""Attributes of a span: kinds, counts and outcomes; never a text, an id or a name of somebody's."""


class OpenSpan(Protocol):
    """A span that is not over."""

    def call(self, name: str) -> None:
        """Give it another name, now that it is known what it is about."""
        ...

    def describe(self, attributes: SpanAttributes) -> None:
        """Add attributes, now that they are known."""
        ...


class Tracing(Protocol):
    """Spans are children of the trace that an event carries, whatever happens in between."""

    def traced(self, event: EventT, record: KafkaRecord | None = None) -> EventT:
        """The event with a trace: its own, its record's, the current one, or a new one."""
        ...

    def handled(self, topic: Topic, events: Sequence[Event], *, began: int) -> None:
        """A stage has handled these together, since this moment in nanoseconds."""
        ...

    def failed(self, topic: Topic, events: Sequence[Event], *, began: int, reason: str) -> None:
        """Record that a batch could not be handled."""
        ...

    def record(
        self, name: str, trace: str | None, *, began: int, attributes: SpanAttributes
    ) -> None:
        """A span that is over; none without a trace."""
        ...

    def span(
        self, name: str, trace: str | None = None, *, server: bool = False
    ) -> AbstractContextManager[OpenSpan]:
        """A span of its own, of this trace or of a new one; what happens inside is part of it."""
        ...

    def step(self, name: str) -> AbstractContextManager[None]:
        """A part of the current span; nothing where there is none."""
        ...


_active: Tracing | None = None


def get_active_tracing() -> Tracing | None:
    """None where nobody asked for traces."""
    return _active


def set_active_tracing(tracing: Tracing | None) -> None:
    """Send spans there from now on; called by wiring alone."""
    global _active  # noqa: PLW0603 - one for a process
    _active = tracing
