"""Exchanges: a user's messages through a proxy and the answer, kept as a conversation."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ClientError, EventsRefused, Unavailable
from palimpsest.model.clock import Clock
from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES
from palimpsest.model.identifiers import derive_id
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.runtime.http.scope_headers import SessionScope
from services.console.chat_proxy.chat_request import ASSISTANT, ChatMessage, ChatRequest
from services.console.metrics import ConsoleMetrics

ANSWER_WAIT_SECONDS = 2.0
"""The longest time, in seconds, that the end of an answer waits for its exchange to be kept."""

STOP_SECONDS = 5.0

_CONFLICT = 409
_FIELDS = frozenset({"role", "content", "name"})

_log = structlog.get_logger("palimpsest.console.proxy")

ClientFactory = Callable[[], AbstractAsyncContextManager[PalimpsestClient]]


@dataclass(frozen=True)
class ChatExchange:
    """The user's messages since the last answer, to be kept with the reply.

    Messages are named by their position in the dialogue and their words. A chat that is sent again,
    because the upstream failed, has the same names.
    """

    whose: SessionScope
    said: Sequence[tuple[int, ChatMessage]]
    session_id: str
    asked_at: datetime
    length: int
    """The number of messages in the dialogue, before the answer."""

    @classmethod
    def of(cls, whose: SessionScope, chat: ChatRequest, now: datetime) -> "ChatExchange":
        """Raises ValueError if a message cannot be read."""
        named = whose.session_id or derive_id(
            "proxied chat",
            whose.user_id,
            whose.agent_id,
            now.astimezone(UTC).date().isoformat(),
            chat.opening_words,
        )
        return cls(whose, chat.said, named, now, len(chat.spans))

    def build_messages(self, reply: str, now: datetime) -> list[Mapping[str, Any]]:
        """Build the messages as the client saves them; empty if nothing was said."""
        said = [
            self._name(
                place,
                {key: value for key, value in message.items() if key in _FIELDS},
                self.asked_at,
            )
            for place, message in self.said
        ]
        if reply.strip():
            said.append(self._name(self.length, {"role": ASSISTANT, "content": reply}, now))
        return said

    def _name(self, place: int, message: Mapping[str, Any], moment: datetime) -> Mapping[str, Any]:
        content = _fit(message["content"])
        named = derive_id("proxied", self.session_id, str(place), message["role"], str(content))
        return {**message, "content": content, "message_id": named, "occurred_at": moment}


class ExchangeKeeper:
    """Keeps exchanges in the background; a task outlives its request."""

    def __init__(self, metrics: ConsoleMetrics, clock: Clock) -> None:
        self._metrics = metrics
        self._clock = clock
        self._under_way: set[asyncio.Task[None]] = set()

    async def keep_before_the_end(
        self, exchange: ChatExchange, reply: str, client: ClientFactory
    ) -> None:
        """Return when the exchange is kept, or after `ANSWER_WAIT_SECONDS`; the task then continues.

        The client takes the end of the answer for its completion. Sent after this, it means that no
        crash loses the exchange.
        """
        task = self.start_keeping(exchange, reply, client)
        await asyncio.wait([task], timeout=ANSWER_WAIT_SECONDS)

    def start_keeping(
        self, exchange: ChatExchange, reply: str, client: ClientFactory
    ) -> asyncio.Task[None]:
        task = asyncio.create_task(self._keep(exchange, reply, client), name="proxied exchange")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def stop(self) -> None:
        """Wait a few seconds for the tasks, then cancel them."""
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=STOP_SECONDS)
            for task in late:
                task.cancel()

    async def _keep(self, exchange: ChatExchange, reply: str, connect: ClientFactory) -> None:
        messages = exchange.build_messages(reply, self._clock())
        if not messages:
            return
        whose = exchange.whose.model_dump(exclude={"session_id"})
        outcome = "kept"
        try:
            async with connect() as client:
                await client.save_conversation(messages, session_id=exchange.session_id, **whose)
        except EventsRefused as error:
            # A message sent again later is known already, with another time.
            known = all(result.status in {202, _CONFLICT} for result in error.results)
            outcome = "kept" if known else "refused"
        except Unavailable as error:
            outcome = "failed"
            _log.warning("a proxied exchange was not kept", **describe_failure(error))
        except ClientError as error:
            outcome = "refused"
            _log.warning("a proxied exchange was refused", **describe_failure(error))
        self._metrics.proxied_exchanges.labels(outcome).inc()


def _fit(content: Any) -> Any:
    """Return content that a message can hold: longer texts are cut."""
    if isinstance(content, str):
        return _cut(content, MAXIMUM_CONTENT_BYTES)
    room, parts = MAXIMUM_CONTENT_BYTES, []
    for part in content:
        if isinstance(part.get("text"), str):
            text = _cut(part["text"], room)
            room -= len(text.encode()) + 1
            if text:
                parts.append({"type": "text", "text": text})
        else:
            room -= 64
            parts.append(part)
    return parts


def _cut(text: str, most: int) -> str:
    encoded = text.encode(errors="replace")
    return encoded[: max(most, 0)].decode(errors="ignore")
