"""Write events that need no decision: vectors, for which people wait, and counters."""

from collections.abc import Sequence

from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.maintenance import TurnsExpired
from palimpsest.events.writes import (
    MemoriesAccessed,
    ReprojectionRequested,
    SummaryReprojectionRequested,
    TurnStored,
)
from palimpsest.model.errors import InvalidEvent, PermanentError
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.embedders.embedded_texts import texts_of
from palimpsest_server.stores.memories import MemoryStore, RecordedRecall
from services.consolidator.event_contents import check_vectors
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.vector_projection import VectorProjection


class DirectWriter:
    """Writes vectors and counters. Without `projecting`, another process writes the vectors."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        finishing: ChangeSetFinisher,
        projecting: VectorProjection | None,
        metrics: ConsolidatorMetrics,
    ) -> None:
        self._memories = memories
        self._finishing = finishing
        self._projecting = projecting
        self._metrics = metrics

    def is_sound(self, event: Event, rejections: list[EventRejection]) -> bool:
        """Return whether an event brings the vectors that it should; if not, add it to the rejections."""
        if not isinstance(event, TurnStored | ReprojectionRequested | SummaryReprojectionRequested):
            return True
        try:
            _check(event, None if self._projecting is None else self._projecting.model)
        except PermanentError as error:
            rejections.append(EventRejection(event, error))
            return False
        return True

    async def write(self, events: Sequence[Event]) -> None:
        """Write sound events, and skip those that need a decision."""
        await self._project(events)
        await self._count([event for event in events if isinstance(event, MemoriesAccessed)])

    async def _project(self, events: Sequence[Event]) -> None:
        turns = [event for event in events if isinstance(event, TurnStored)]
        again = [event for event in events if isinstance(event, ReprojectionRequested)]
        summaries = [event for event in events if isinstance(event, SummaryReprojectionRequested)]
        if self._projecting is None:
            self._metrics.dropped.labels("no_vectors").inc(len(turns) + len(again) + len(summaries))
            return
        expired = [event for event in events if isinstance(event, TurnsExpired)]
        if expired:
            await self._projecting.without(expired)
        if turns:
            with self._metrics.timed("turns"):
                await self._projecting.turns(turns)
        if again:
            await self._projecting.again(again)
        if summaries:
            await self._finishing.project_again(summaries)

    async def _count(self, events: Sequence[MemoriesAccessed]) -> None:
        if not events:
            return
        with self._metrics.timed("accesses"):
            await self._memories.count(
                [
                    RecordedRecall(
                        user_id=event.user_id,
                        agent_id=event.agent_id,
                        recall_id=event.recall_id,
                        memory_ids=event.memory_ids,
                        at=event.occurred_at,
                        returned=[(result.id, result.signs) for result in event.returned],
                        asked=event.query,
                        results=[
                            (result.id, result.record, result.score) for result in event.results
                        ],
                        epoch=event.epoch or 0,
                    )
                    for event in events
                ]
            )


def _check(event: VectorCarrier, model: str | None) -> None:
    check_vectors(event, len(texts_of(event)), model)
    if isinstance(event, TurnStored) and event.turn.user_id != event.user_id:
        raise InvalidEvent("a turn belongs to another user than its event")
