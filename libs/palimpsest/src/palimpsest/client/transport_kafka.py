"""The transport over Kafka: events to `conversations`, questions to `recall-requests`."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

from aiokafka import AIOKafkaProducer

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.problems import TOO_LARGE_REASON
from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.api.resources import EventResult, EventResults, Problem
from palimpsest.client.errors import (
    NotConnected,
    RequestTooLarge,
    ServerFailed,
    build_client_error,
)
from palimpsest.client.event_encoding import encode_client_event
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.kafka_connection import AnswerT, call_kafka, connect_to_kafka
from palimpsest.client.replies import AUTHORIZATION_HEADER, Headers, ReplyEvent, ReplyReader
from palimpsest.client.retries import retry_while_unavailable
from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.kafka_clients import translate_lost_connections
from palimpsest.events.recall_exchange import (
    ContextReplied,
    ContextRequested,
    RecallReplied,
    RecallRequested,
)
from palimpsest.events.topics import CONVERSATIONS, RECALL_REQUESTS, USER_COMMANDS, Topic
from palimpsest.model.clock import Clock


class KafkaTransport:
    """Publishes and recalls over Kafka. `timeout_seconds` covers a call with all its attempts."""

    def __init__(
        self,
        address: KafkaAddress,
        *,
        timeout_seconds: float,
        clock: Clock,
        api_key: str | None = None,
    ) -> None:
        self._shown: Headers = [(AUTHORIZATION_HEADER, api_key.encode())] if api_key else []
        self._address = address
        self._timeout_seconds = timeout_seconds
        self._clock = clock
        self._replies = ReplyReader(address)
        self._producer: AIOKafkaProducer | None = None
        self._opened = AsyncExitStack()

    async def open(self) -> None:
        translate_lost_connections()
        await self._retrying(self._connect)

    async def _connect(self) -> None:
        async with AsyncExitStack() as opening:
            # Not idempotent: ids make a repeated record harmless, and not every
            # broker that Palimpsest runs on knows idempotent producers.
            producer = AIOKafkaProducer(
                bootstrap_servers=self._address.bootstrap_servers,
                **self._address.security.options(),
                acks="all",
                max_request_size=2 * CONVERSATIONS.maximum_record_bytes,
            )
            opening.push_async_callback(producer.stop)
            await connect_to_kafka(producer.start(), self._address)
            opening.push_async_callback(self._replies.close)
            await call_kafka(self._replies.open(), self._address)
            self._producer, self._opened = producer, opening.pop_all()

    async def close(self) -> None:
        self._producer = None
        # A producer flushes before it stops; a missing broker must not delay the stop.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._timeout_seconds):
                await self._opened.aclose()

    async def publish(self, events: Sequence[Event]) -> EventResults:
        return await self._publish(CONVERSATIONS, events)

    async def command(self, command: CommandEvent) -> None:
        await self._publish(USER_COMMANDS, [command])

    async def _publish(self, topic: Topic, events: Sequence[Event]) -> EventResults:
        records = [(event.user_id, _record(topic, event)) for event in events]

        async def attempt() -> None:
            # One after another into the producer's buffer, which keeps the order of each
            # user, and then all answers at once.
            taken = [await self._send(topic, user_id, value) for user_id, value in records]
            await call_kafka(asyncio.gather(*taken), self._address)

        await self._retrying(attempt)
        return EventResults(results=tuple(_accepted(event) for event in events))

    async def recall(self, request: RecallRequest) -> RecallResponse:
        deadline = self._clock() + timedelta(seconds=self._timeout_seconds)

        async def attempt() -> RecallResponse:
            reply = _successful(await self._ask(RecallRequested, request, deadline))
            if not isinstance(reply, RecallReplied) or reply.response is None:
                raise ServerFailed(_UNREADABLE)
            return reply.response

        return await self._retrying(attempt)

    async def context(self, request: ContextRequest) -> ContextResponse:
        deadline = self._clock() + timedelta(seconds=self._timeout_seconds)

        async def attempt() -> ContextResponse:
            reply = _successful(await self._ask(ContextRequested, request, deadline))
            if not isinstance(reply, ContextReplied) or reply.response is None:
                raise ServerFailed(_UNREADABLE)
            return reply.response

        return await self._retrying(attempt)

    async def _ask(
        self,
        event: type[RecallRequested] | type[ContextRequested],
        request: RecallRequest | ContextRequest,
        deadline: datetime,
    ) -> ReplyEvent:
        with self._replies.expect() as expected:
            asked = event.model_validate(
                {
                    "event_id": derive_event_id(
                        event.__name__, request.user_id, expected.correlation_id
                    ),
                    "occurred_at": self._clock(),
                    "user_id": request.user_id,
                    "agent_id": request.agent_id,
                    "project_id": request.project_id,
                    "request": request,
                    "deadline": deadline,
                }
            )
            value = _record(RECALL_REQUESTS, asked)
            taken = await self._send(
                RECALL_REQUESTS, asked.user_id, value, [*expected.headers, *self._shown]
            )
            await call_kafka(taken, self._address)
            return await expected.reply

    async def _retrying(self, attempt: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        return await retry_while_unavailable(
            attempt, whom=self._address.words, within_seconds=self._timeout_seconds
        )

    async def _send(
        self, topic: Topic, user_id: str, value: bytes, headers: Headers | None = None
    ) -> "asyncio.Future[object]":
        if self._producer is None:
            raise NotConnected(_NOT_ENTERED)
        name = self._address.physical(topic)
        sending = self._producer.send(name, value, key=user_id.encode(), headers=headers)
        taken: asyncio.Future[object] = await call_kafka(sending, self._address)
        return taken


_NOT_ENTERED = Problem(
    reason="not_connected", message="use the client as a context manager: `async with`"
)
_UNREADABLE = Problem(reason="unreadable_answer", message="the reply holds no answer")


def _record(topic: Topic, event: Event) -> bytes:
    value = encode_client_event(event)
    if len(value) > topic.maximum_record_bytes:
        words = f"{len(value)} bytes, more than the {topic.maximum_record_bytes} that {topic.name} takes"
        raise RequestTooLarge(Problem(reason=TOO_LARGE_REASON, message=words))
    return value


def _accepted(event: Event) -> EventResult:
    return EventResult(status=202, event_id=event.event_id, outcome="accepted")


def _successful(reply: ReplyEvent) -> ReplyEvent:
    """Return the reply, unless it is an error.

    Raises:
        ClientError: by the status that the same request would get over HTTP.
    """
    if reply.error is not None:
        problem = Problem(reason=reply.error.reason, message=reply.error.message)
        raise build_client_error(reply.error.status, problem)
    return reply
