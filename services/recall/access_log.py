"""Log of recalls and their results, published to the consolidator in the background."""

import asyncio
import contextlib
import math

import structlog

from palimpsest.api.recall import RecordType
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.topics import WRITES
from palimpsest.events.writes import MemoriesAccessed, PresentedResult, RankedResult
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PalimpsestError, TransientError
from palimpsest.model.scope import Scope
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.delivery.publisher import Publisher
from services.recall.answer import RecallAnswer
from services.recall.metrics import RecallMetrics

MAXIMUM_WAITING = 10_000
"""The most accesses that wait. They are counters: if Kafka is away for long, some are dropped
rather than fill the memory.
"""

BATCH = 100
TICK_SECONDS = 0.2
EVENTS_PER_TICK = 4
DRAIN_TICKS = 150
"""Ticks over which a burst is published, about half a minute. Counting ten memories costs the
database more than recalling them, so counting must not slow a burst of recalls.
"""

STORED_QUESTION_CHARACTERS = 1_000
"""Characters of a question that are stored."""

RETRY_SECONDS = 2.0
FLUSH_ON_STOP_SECONDS = 3.0

_log = structlog.get_logger("palimpsest.recall")


class AccessLog:
    """Keeps accesses until they are published, in small batches, oldest first."""

    def __init__(
        self,
        publisher: Publisher,
        clock: Clock,
        metrics: RecallMetrics,
        privacy: PrivacyPolicy = DEFAULT_POLICY,
        *,
        tick_seconds: float = TICK_SECONDS,
    ) -> None:
        """`tick_seconds`: the time between two batches."""
        self._tick_seconds = tick_seconds
        self._privacy = privacy
        self._publisher = publisher
        self._clock = clock
        self._metrics = metrics
        self._waiting: asyncio.Queue[MemoriesAccessed] = asyncio.Queue(MAXIMUM_WAITING)

    def note(
        self, scope: Scope, epoch: int, recall_id: str, answer: RecallAnswer, *, asked: str = ""
    ) -> None:
        """Note the question and the results of a recall, without waiting.

        Its memories are counted. A recall without results is not noted.
        """
        if not answer.results:
            return
        memory_ids = tuple(
            result.id for result in answer.results if result.record is RecordType.MEMORY
        )
        now = self._clock()
        event = MemoriesAccessed(
            event_id=derive_event_id("MemoriesAccessed", scope.user_id, recall_id),
            occurred_at=now,
            received_at=now,
            epoch=epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            recall_id=recall_id,
            memory_ids=memory_ids,
            returned=tuple(
                RankedResult(id=result.id, signs=answer.score_features[result.id])
                for result in answer.results
                if result.id in answer.score_features
            ),
            query=asked,
            results=tuple(
                PresentedResult(id=result.id, record=result.record, score=result.score)
                for result in answer.results
            ),
        )
        try:
            self._waiting.put_nowait(event)
        except asyncio.QueueFull:
            self._metrics.accesses("given_up", 1)

    async def drain(self) -> None:
        """Publish waiting accesses when the service stops, for a few seconds at most."""
        with contextlib.suppress(TransientError, TimeoutError):
            await asyncio.wait_for(self.flush(), FLUSH_ON_STOP_SECONDS)

    async def flush(self) -> None:
        """Publish all waiting accesses.

        Raises:
            TransientError: Kafka did not take them.
        """
        while batch := self._next_batch(BATCH):
            await self._publish(batch)

    async def publish_forever(self) -> None:
        """Publish some accesses at each tick, until cancelled."""
        while True:
            await asyncio.sleep(self._tick_seconds)
            try:
                await self._publish(self._next_batch(compute_tick_share(self._waiting.qsize())))
            except TransientError as error:
                await asyncio.sleep(error.retry_after_seconds or RETRY_SECONDS)
            except Exception as error:  # noqa: BLE001 - it must not end what counts from now on
                _log.warning("accesses were not published", **describe_failure(error))
                await asyncio.sleep(RETRY_SECONDS)

    def _next_batch(self, limit: int) -> list[MemoriesAccessed]:
        size = min(limit, self._waiting.qsize())
        return [self._waiting.get_nowait() for _ in range(size)]

    async def _publish(self, batch: list[MemoriesAccessed]) -> None:
        if not batch:
            return
        # Redacted here and not before the answer, so that nobody waits for it.
        batch = [redact_question(event, self._privacy) for event in batch]
        try:
            await self._publisher.publish(WRITES, batch)
        except (TransientError, asyncio.CancelledError):
            self._put_back(batch)
            raise
        except PalimpsestError:
            # Another attempt would fail again, and hold up later accesses.
            self._metrics.accesses("given_up", len(batch))
        else:
            self._metrics.accesses("published", len(batch))

    def _put_back(self, batch: list[MemoriesAccessed]) -> None:
        """Queue accesses again. Their order does not matter, and publishing one twice counts once."""
        for event in batch:
            try:
                self._waiting.put_nowait(event)
            except asyncio.QueueFull:
                self._metrics.accesses("given_up", 1)


def redact_question(event: MemoriesAccessed, privacy: PrivacyPolicy) -> MemoriesAccessed:
    """Return the event with its question redacted and cut for storage."""
    redacted = redact(event.query, privacy)
    refused = any(finding.kind in privacy.blocked for finding in redacted.findings)
    said = "" if refused else redacted.text[:STORED_QUESTION_CHARACTERS]
    return event if said == event.query else event.model_copy(update={"query": said})


def compute_tick_share(waiting: int) -> int:
    """Return how many events to publish in one tick: the more wait, the more are published."""
    return max(EVENTS_PER_TICK, math.ceil(waiting / DRAIN_TICKS))
