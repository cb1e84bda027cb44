"""Stored answers go on: published for the embedder, an empty answer like any other."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import structlog

from palimpsest.contracts.answers import QuestionAnswered
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import CANDIDATES, Topic
from palimpsest.delivery.failures import reason_of, words_of
from palimpsest.delivery.late_marks import LateMarks
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import PermanentError
from palimpsest.stores.ledger import Ledger
from palimpsest.stores.users import UserStates
from services.extractor.erased import OLDER_EPOCH, apart
from services.extractor.metrics import ExtractorMetrics

SetAside = Callable[[Topic, Event, Exception], Awaitable[None]]

_log = structlog.get_logger("palimpsest.extractor")


class Proposals:
    def __init__(
        self,
        ledger: Ledger,
        *,
        publisher: Publisher,
        set_aside: SetAside,
        states: UserStates,
        metrics: ExtractorMetrics,
        clock: Clock,
        published: LateMarks[str, datetime] | None = None,
    ) -> None:
        """`published`: takes the marks of answers that Kafka took, to write them later."""
        self._published = published
        self._ledger = ledger
        self._publisher = publisher
        self._set_aside = set_aside
        self._states = states
        self._metrics = metrics
        self._clock = clock

    async def send(self, events: Sequence[QuestionAnswered]) -> None:
        """Publish answers that are stored, and mark them; to do it twice changes nothing.

        Raises:
            TransientError: Kafka is away, or MongoDB; what is not marked is sent again.
        """
        if not events:
            return
        standing, erased = await apart(events, self._states)
        await self._drop(erased, OLDER_EPOCH)
        taken = await self._publish(standing)
        await self._mark([event.request_id for event in taken])
        self._metrics.proposed(taken)

    async def _mark(self, request_ids: Sequence[str]) -> None:
        if self._published is None:
            await self._ledger.mark_published(request_ids, now=self._clock())
        else:
            # An answer whose mark is lost is published again, to no effect.
            self._published.note(dict.fromkeys(request_ids, self._clock()))

    async def _publish(self, events: Sequence[QuestionAnswered]) -> Sequence[QuestionAnswered]:
        """Those that Kafka took. One that it never will is set aside, the others go on."""
        try:
            await self._publisher.publish(CANDIDATES, events)
        except PermanentError as error:
            if len(events) > 1:
                return [each for event in events for each in await self._publish([event])]
            await self._refused(events[0], error)
            return []
        return events

    async def _refused(self, event: QuestionAnswered, error: PermanentError) -> None:
        _log.warning(
            "an answer cannot be published", window=event.request_id, error=words_of(error)
        )
        await self._set_aside(CANDIDATES, event, error)
        await self._drop([event], reason_of(error))

    async def _drop(self, events: Sequence[QuestionAnswered], reason: str) -> None:
        await self._ledger.drop(
            [(event.request_id, event.user_id) for event in events],
            reason=reason,
            now=self._clock(),
        )
        self._metrics.dropped.labels(reason).inc(len(events))
