"""Recall over Kafka: requests are answered at once and concurrently, errors as replies."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence

import structlog

from palimpsest.api.problems import UNAVAILABLE_REASON, build_problem, get_http_status
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.recall_exchange import (
    ContextReplied,
    ContextRequested,
    ErrorReply,
    RecallReplied,
    RecallRequested,
)
from palimpsest.events.topics import RECALL_REQUESTS, REPLIES
from palimpsest.model.clock import Clock
from palimpsest.model.errors import EventTooLarge, InvalidEvent, PalimpsestError
from palimpsest_server.delivery.error_classification import (
    describe_error,
    describe_failure,
    get_error_reason,
    is_transient,
)
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.kafka_publisher import (
    EVENT_TYPE_HEADER,
    KafkaPublisher,
    encode_event,
)
from palimpsest_server.delivery.kafka_records import KafkaRecord, get_header, parse_user_key
from palimpsest_server.delivery.stage_metrics import StageMetrics

REPLY_PARTITION_HEADER = "reply-partition"
CORRELATION_HEADER = "correlation-id"
AUTHORIZATION_HEADER = "authorization"
"""Header with the key or token, as over HTTP and without the word `Bearer`."""

CONCURRENT_REQUESTS = 64
"""Requests answered at a time. Others wait on the topic, because recall uses one processor anyway."""

_PARTITION = re.compile(r"[0-9]{1,4}")

RecallRequestEvent = RecallRequested | ContextRequested
RecallReplyEvent = RecallReplied | ContextReplied
RequestAnswerer = Callable[[RecallRequestEvent, str | None], Awaitable[RecallReplyEvent]]
"""Answers a request, given the key or token that came with it, if any."""

_log = structlog.get_logger("palimpsest.answering")


def build_error_reply(error: Exception) -> ErrorReply:
    """Build the reply with the status, reason and message that the same request gets over HTTP."""
    if isinstance(error, PalimpsestError):
        problem = build_problem(error)
        return ErrorReply(
            status=get_http_status(error), reason=problem.reason, message=problem.message
        )
    if is_transient(error):
        return ErrorReply(status=503, reason=UNAVAILABLE_REASON, message=describe_error(error))
    return ErrorReply(status=500, reason=get_error_reason(error), message="recall failed")


class RecallResponder:
    """Answers each request in a task of its own. A recall has no effect, so at-most-once is enough."""

    def __init__(
        self,
        answer: RequestAnswerer,
        *,
        publisher: KafkaPublisher,
        metrics: StageMetrics,
        clock: Clock,
    ) -> None:
        self._answer = answer
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock
        self._room = asyncio.Semaphore(CONCURRENT_REQUESTS)
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, records: Sequence[KafkaRecord]) -> None:
        """Begin to answer records; returns when every record is being answered."""
        self._metrics.received(RECALL_REQUESTS.name, len(records))
        for record in records:
            await self._room.acquire()
            task = asyncio.create_task(self._answer_one(record))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    async def stop(self, patience_seconds: float) -> None:
        """Let pending answers finish within this time."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=patience_seconds)
            for task in late:
                task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._room.release()
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._metrics.replied("unanswered")
            _log.error("reply not sent", **describe_failure(error))

    async def _answer_one(self, record: KafkaRecord) -> None:
        partition = _partition_of(record)
        if partition is None:
            self._metrics.replied("nowhere_to_reply")
            return
        try:
            request = decode_event(RECALL_REQUESTS, record.value)
            assert isinstance(request, RecallRequested | ContextRequested)  # noqa: S101 - the topic's only models
            if request.deadline is not None and request.deadline < self._clock():
                self._metrics.replied("deadline_passed")
                return
            reply: RecallReplyEvent = await self._answer(
                request, get_header(record, AUTHORIZATION_HEADER)
            )
        except Exception as error:  # noqa: BLE001 - an error is an answer, silence is not
            reply = self._error(record, error)
        try:
            await self._send(reply, record, partition)
        except EventTooLarge as error:
            reply = self._error(record, error)
            await self._send(reply, record, partition)
        self._metrics.replied("answered" if reply.error is None else reply.error.reason)

    async def _send(self, reply: RecallReplyEvent, record: KafkaRecord, partition: int) -> None:
        await self._publisher.publish_record(
            REPLIES,
            key=reply.user_id.encode(),
            value=encode_event(reply),
            headers={
                EVENT_TYPE_HEADER: reply.type,
                CORRELATION_HEADER: get_header(record, CORRELATION_HEADER) or "",
            },
            partition=partition,
        )

    def _error(self, record: KafkaRecord, error: Exception) -> RecallReplied:
        """Build an error reply. It is the same for all requests, because clients check for an error first."""
        if not isinstance(error, InvalidEvent):
            _log.warning("recall failed", reason=get_error_reason(error), **describe_failure(error))
        self._metrics.failed(RECALL_REQUESTS.name, get_error_reason(error))
        user_id = parse_user_key(record) or "unknown"
        correlation = get_header(record, CORRELATION_HEADER) or ""
        return RecallReplied(
            event_id=derive_event_id("RecallReplied", user_id, correlation),
            occurred_at=self._clock(),
            user_id=user_id,
            error=build_error_reply(error),
        )


def _partition_of(record: KafkaRecord) -> int | None:
    text = get_header(record, REPLY_PARTITION_HEADER) or ""
    if not _PARTITION.fullmatch(text) or int(text) >= REPLIES.partitions:
        return None
    return int(text)
