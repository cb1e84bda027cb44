"""Publishes stored answers to the embedder, empty answers included."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import structlog

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.topics import CANDIDATES, Topic
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.delivery.error_classification import describe_error, get_error_reason
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.write_behind import WriteBehindBuffer
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.user_states import UserStates
from services.extractor.epoch_filter import OLDER_EPOCH_REASON, split_by_epoch
from services.extractor.metrics import ExtractorMetrics

DeadLetterCallback = Callable[[Topic, Event, Exception], Awaitable[None]]

_log = structlog.get_logger("palimpsest.extractor")


class AnswerPublisher:
    def __init__(
        self,
        ledger: Ledger,
        *,
        publisher: Publisher,
        dead_letter: DeadLetterCallback,
        states: UserStates,
        metrics: ExtractorMetrics,
        clock: Clock,
        published: WriteBehindBuffer[str, datetime] | None = None,
    ) -> None:
        """`published` buffers marks of answers that Kafka took; None writes the marks at once."""
        self._published = published
        self._ledger = ledger
        self._publisher = publisher
        self._dead_letter = dead_letter
        self._states = states
        self._metrics = metrics
        self._clock = clock

    async def send(self, events: Sequence[ExtractorAnswer]) -> None:
        """Publish stored answers and mark them; repeating it changes nothing.

        Raises:
            TransientError: Kafka or MongoDB is away; unmarked answers are sent again.
        """
        if not events:
            return
        standing, erased = await split_by_epoch(events, self._states)
        await self._drop(erased, OLDER_EPOCH_REASON)
        taken = await self._publish(standing)
        await self._mark([event.request_id for event in taken])
        self._metrics.proposed(taken)

    async def _mark(self, request_ids: Sequence[str]) -> None:
        if self._published is None:
            await self._ledger.mark_published(request_ids, now=self._clock())
        else:
            # An answer whose mark is lost is published again, without effect.
            self._published.note(dict.fromkeys(request_ids, self._clock()))

    async def _publish(self, events: Sequence[ExtractorAnswer]) -> Sequence[ExtractorAnswer]:
        """Publish answers, and return those that Kafka took.

        An answer that Kafka will never take is dead-lettered; the others go on.
        """
        try:
            await self._publisher.publish(CANDIDATES, events)
        except PermanentError as error:
            if len(events) > 1:
                return [
                    extractor_answer
                    for event in events
                    for extractor_answer in await self._publish([event])
                ]
            await self._refused(events[0], error)
            return []
        return events

    async def _refused(self, event: ExtractorAnswer, error: PermanentError) -> None:
        _log.warning(
            "an answer cannot be published", window=event.request_id, error=describe_error(error)
        )
        await self._dead_letter(CANDIDATES, event, error)
        await self._drop([event], get_error_reason(error))

    async def _drop(self, events: Sequence[ExtractorAnswer], reason: str) -> None:
        await self._ledger.drop(
            [(event.request_id, event.user_id) for event in events],
            reason=reason,
            now=self._clock(),
        )
        self._metrics.dropped.labels(reason).inc(len(events))
