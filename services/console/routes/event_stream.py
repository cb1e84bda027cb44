"""`GET /v1/events/stream`: changes as they happen, as server-sent events."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Query
from sse_starlette import EventSourceResponse, ServerSentEvent

from palimpsest.api.change_events import ChangeStreamQuery, PositionText, StreamPosition
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.change_streams import ChangeStreams, StreamedEvent

HEARTBEAT_SECONDS = 15

SEND_SECONDS = 30
"""Seconds without a read after which a reader is cut off."""

_RETRY_MILLISECONDS = 1_000

_DESCRIPTION = """
Changes of memories, todos, profiles and summaries as they happen, as
[server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html): `event` is
the kind of change, `data` a `ChangeEvent` as JSON, `id` the place in the stream. A reader that
comes back with the last `id` in `Last-Event-ID` goes on behind it, also after a restart. Without
it the stream begins now. Every 15 seconds without an event a comment is sent.

With `user_id` each change comes once and in order. Without it, those of all users come; after a
reconnection some of the last ten seconds may come again: the `id` in `data` tells repeats.
"""


def build_router(streams: ChangeStreams) -> APIRouter:
    router = APIRouter(prefix="/v1/events", tags=["events"])

    @router.get(
        "/stream",
        summary="Changes as they happen",
        description=_DESCRIPTION,
        response_class=EventSourceResponse,
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
        openapi_extra=declare_permission(Permission.READ),
    )
    async def stream(
        query: Annotated[ChangeStreamQuery, Query()],
        last_event_id: Annotated[
            PositionText | None, Header(description="The id of the last event that was read.")
        ] = None,
    ) -> EventSourceResponse:
        streams.require_room()
        place = last_event_id or query.after
        events = streams.follow(query, None if place is None else StreamPosition.parse(place))
        # Read before the answer begins, so that a missing database is a 503.
        begun = await anext(events)
        return EventSourceResponse(
            _written(begun, events), ping=HEARTBEAT_SECONDS, sep="\n", send_timeout=SEND_SECONDS
        )

    return router


async def _written(
    begun: StreamedEvent, others: AsyncGenerator[StreamedEvent, None]
) -> AsyncIterator[ServerSentEvent]:
    place = str(begun.position)
    yield ServerSentEvent(comment="ready", id=place, retry=_RETRY_MILLISECONDS, sep="\n")
    async with aclosing(others):
        async for position, event in others:
            if event is not None:
                said = event.model_dump_json(exclude_none=True)
                yield ServerSentEvent(said, event=event.type, id=str(position), sep="\n")
