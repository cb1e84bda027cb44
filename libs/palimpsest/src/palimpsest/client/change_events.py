"""Changes as they happen, over HTTP: a stream of events that resumes after an interruption."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pydantic import ValidationError

from palimpsest.api.change_events import ChangeEvent, ChangeStreamQuery
from palimpsest.api.resources import Problem
from palimpsest.client.connections import ClientConnections
from palimpsest.client.errors import ServerFailed, Unavailable
from palimpsest.client.request_validation import build_valid_request
from palimpsest.client.retries import retry_while_unavailable

SILENCE_SECONDS = 45.0
"""Seconds without a byte after which a stream counts as lost: three heartbeats of the services."""

_PATH = "/v1/events/stream"
_ENDED = Problem(reason="stream_ended", message="the stream of changes ended")
_UNREADABLE = Problem(
    reason="unreadable_answer",
    message="an event of the stream is not understood: of a newer version",
)


async def watch_changes(
    connections: ClientConnections, *, timeout_seconds: float, **fields: object
) -> AsyncGenerator[ChangeEvent, None]:
    """Yield changes as they happen; `fields` are those of `ChangeStreamQuery`.

    Raises:
        Unavailable: nobody answered for `timeout_seconds`.
    """
    query = build_valid_request(ChangeStreamQuery, **fields)
    while True:
        stream = await retry_while_unavailable(
            _Stream(connections, query).open, whom="the services", within_seconds=timeout_seconds
        )
        async with aclosing(stream.events()) as events:
            async for event in events:
                yield event
        query = stream.query


class _Stream:
    """One connection, and its position in the stream."""

    def __init__(self, connections: ClientConnections, query: ChangeStreamQuery) -> None:
        self._connections = connections
        self.query = query

    async def open(self) -> "_Stream":
        """Return once the services have answered.

        Raises:
            Unavailable: they do not answer, or end the stream at once.
        """
        self._lines = self._connections.console.lines(
            _PATH, self.query, silence_seconds=SILENCE_SECONDS
        )
        async for line in self._lines:
            if line.startswith(b"id:"):
                self._go_on(line)
                return self
        raise Unavailable(_ENDED)

    def _go_on(self, line: bytes) -> None:
        place = line.removeprefix(b"id:").strip().decode()
        self.query = self.query.model_copy(update={"after": place})

    async def events(self) -> AsyncGenerator[ChangeEvent, None]:
        """Yield events until the connection is lost."""
        place = b""
        try:
            async with aclosing(self._lines) as lines:
                async for line in lines:
                    if line.startswith(b"id:"):
                        place = line
                    elif line.startswith(b"data:"):
                        event = _parse(line.removeprefix(b"data:"))
                        self._go_on(place)
                        yield event.model_copy(update={"position": self.query.after})
        except Unavailable:
            return


def _parse(written: bytes) -> ChangeEvent:
    try:
        return ChangeEvent.model_validate_json(written)
    except ValidationError:
        raise ServerFailed(_UNREADABLE) from None
