"""Changes as they happen, passed on to an open page: ids and kinds of change, no words."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from palimpsest.api.change_events import ChangeEvent
from palimpsest.client.errors import ClientError
from services.page.visit import Visit

HEARTBEAT_SECONDS = 25
_TOLD = {"record", "id", "status", "agent_id", "project_id"}

SEND_SECONDS = 30
"""Seconds without a read after which a browser is cut off."""


class OpenStreams:
    """Streams that are open to browsers. A browser holds one only while its page is in sight."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def end(self) -> None:
        """End all streams that are open now."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def follow(self, visit: Visit) -> Response:
        """Answer with the changes of the visitor's user, behind the last one that was read."""
        session = visit.session
        changes = session.client.watch(
            user_id=session.user_id, agent_id=session.agent_id, after=visit.query.get("after")
        )
        return EventSourceResponse(
            self._write(changes), ping=HEARTBEAT_SECONDS, sep="\n", send_timeout=SEND_SECONDS
        )

    async def _write(
        self, changes: AsyncGenerator[ChangeEvent, None]
    ) -> AsyncIterator[ServerSentEvent]:
        ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(ending)
        try:
            async with aclosing(changes):
                while (change := await _take_next(changes, ending)) is not None:
                    written = change.data.model_dump_json(include=_TOLD)
                    yield ServerSentEvent(written, event=change.type, id=change.position, sep="\n")
        except ClientError:
            # The browser connects again, and is then told by the status of the answer.
            return
        finally:
            self._waiting.discard(ending)


async def _take_next(
    changes: AsyncGenerator[ChangeEvent, None], ending: asyncio.Future[None]
) -> ChangeEvent | None:
    """Return the next change; None once the streams are ended."""
    coming = asyncio.ensure_future(anext(changes))
    try:
        waited: set[asyncio.Future[Any]] = {coming, ending}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        return await coming if coming.done() else None
    except StopAsyncIteration:
        return None
    finally:
        if not coming.done():
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming
