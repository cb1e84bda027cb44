"""Summaries of sessions: replacing the current one, projecting points, and removing expired ones."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

import structlog

from palimpsest.api.recall import RecordType
from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.embeddable_event import build_summary_text
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import SummaryReprojectionRequested
from palimpsest.model.change_set import SummaryChange
from palimpsest.model.clock import Clock
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.summaries.supersession import choose_summary
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.vector_points import summary_point
from palimpsest_server.stores.vectors import VectorStore
from services.consolidator.metrics import ConsolidatorMetrics

SWEEP_INTERVAL = timedelta(hours=1)
SUMMARIES_PER_SWEEP = 256

_log = structlog.get_logger("palimpsest.consolidator")


def build_event_summary(event: Event) -> SessionSummary | None:
    """Return the summary that an event brings; None if it brings none.

    Raises:
        InvalidEvent: the summary is of another user.
    """
    if isinstance(event, SummaryPublished):
        return event.summary()
    if not isinstance(event, SummaryProposed) or event.summary is None:
        return None
    if event.summary.scope.user_id != event.user_id:
        raise InvalidEvent("a summary belongs to another user than its event")
    return event.summary


async def read_current_summaries(
    store: SummaryStore, events: Iterable[Event]
) -> list[SessionSummary]:
    """Return the current summaries that these events may replace."""
    wanted: dict[str, set[str]] = {}
    for event in events:
        if isinstance(event, SummaryProposed | SummaryPublished):
            own = summary_id(event.user_id, event.session_id)
            wanted.setdefault(event.user_id, set()).add(own)
    return await store.of_users(wanted) if wanted else []


def decide_summary_change(
    known: dict[str, SessionSummary], made: SessionSummary | None, *, epoch: int
) -> tuple[SummaryChange, ...]:
    """Decide whether a new summary replaces the current one; one of an older epoch does not count."""
    if made is None:
        return ()
    summary = known.get(made.id)
    before = summary if summary is not None and summary.epoch >= epoch else None
    stands = choose_summary(before, made)
    if stands == before:
        return ()
    if summary is not None and before is None:
        stands = stands.model_copy(update={"version": summary.version + 1})
    known[stands.id] = stands
    return (SummaryChange(before=before, after=stands),)


class SummaryPoints:
    """Projects session summaries as points."""

    def __init__(
        self,
        vectors: VectorStore,
        summaries: SummaryStore,
        *,
        publisher: Publisher,
        metrics: ConsolidatorMetrics,
        clock: Clock,
    ) -> None:
        self._vectors = vectors
        self._summaries = summaries
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock

    async def project(
        self, changes: Sequence[SummaryChange], vectors: Mapping[str, TextVectors]
    ) -> None:
        """Project the current summaries, and request missing vectors of the embedding model in use."""
        latest = {change.after.id: change.after for change in changes}
        shown = [summary for summary in latest.values() if not summary.failed]
        fitting = [summary for summary in shown if self._fits(vectors.get(summary.id))]
        await self._upsert([(summary, vectors[summary.id]) for summary in fitting])
        moved = [
            change.before
            for change in changes
            if change.before is not None and change.before.scope != change.after.scope
        ]
        if moved:
            # A point is stored by scope. The point in the former scope would be found for ever.
            await self._vectors.remove({summary.id: summary.scope for summary in moved})
        missing = [summary for summary in shown if summary not in fitting]
        if missing:
            versions = await self._vectors.versions(
                {summary.id: summary.scope for summary in missing}
            )
            await self._ask(
                [summary for summary in missing if versions.get(summary.id) != summary.version]
            )

    async def again(self, events: Sequence[SummaryReprojectionRequested]) -> None:
        """Project summaries whose requested vectors arrived, if version and wording are unchanged.

        Wording counts, because a summary made after an erasure begins at version 1 again.
        """
        asked = {
            (summary_id(event.user_id, event.session_id), event.version, event.text): vector
            for event in events
            for vector in event.vectors[:1]
        }
        wanted: dict[str, set[str]] = {}
        for event in events:
            wanted.setdefault(event.user_id, set()).add(summary_id(event.user_id, event.session_id))
        summaries = await self._summaries.of_users(wanted)
        await self._upsert(
            [
                (summary, asked[key])
                for summary in summaries
                if (key := (summary.id, summary.version, build_summary_text(summary))) in asked
                and not summary.failed
            ]
        )

    async def remove(self, summaries: Sequence[SessionSummary]) -> None:
        await self._vectors.remove({summary.id: summary.scope for summary in summaries})

    def _fits(self, vectors: TextVectors | None) -> bool:
        return vectors is not None and vectors.model == self._vectors.model.slug

    async def _upsert(self, pairs: Sequence[tuple[SessionSummary, TextVectors]]) -> None:
        if pairs:
            await self._vectors.upsert([summary_point(*pair) for pair in pairs])
            self._metrics.projected.labels(RecordType.SUMMARY.value).inc(len(pairs))

    async def _ask(self, summaries: Sequence[SessionSummary]) -> None:
        """Ask the embedder for vectors of these summaries; they come back through `writes`."""
        now = self._clock()
        if summaries:
            await self._publisher.publish(
                CANDIDATES,
                [
                    SummaryReprojectionRequested(
                        # The time is part of the id, because the same vectors may be lost twice.
                        event_id=derive_event_id(
                            "SummaryReprojectionRequested",
                            summary.scope.user_id,
                            summary.id,
                            str(summary.version),
                            now.isoformat(),
                        ),
                        occurred_at=now,
                        received_at=now,
                        epoch=summary.epoch,
                        user_id=summary.scope.user_id,
                        agent_id=summary.scope.agent_id,
                        project_id=summary.scope.project_id,
                        session_id=summary.session_id,
                        version=summary.version,
                        text=build_summary_text(summary),
                    )
                    for summary in summaries
                ],
            )


class ExpiredSummarySweep:
    """Removes expired summaries, which are hidden already.

    The point goes first. A document without its point is found again by the next look.
    """

    def __init__(
        self, summaries: SummaryStore, points: SummaryPoints | None, *, clock: Clock
    ) -> None:
        self._summaries = summaries
        self._points = points
        self._clock = clock

    async def watch(self) -> None:
        """Remove expired summaries periodically, until cancelled."""
        await run_periodically(
            self._look_through,
            every=SWEEP_INTERVAL,
            log=_log,
            failure="could not take away old summaries",
        )

    async def _look_through(self) -> None:
        while await self.look():
            pass

    async def look(self) -> int:
        """Remove some expired summaries and return their number; 0 if another process has the vectors."""
        if self._points is None:
            return 0
        over = await self._summaries.over(now=self._clock(), limit=SUMMARIES_PER_SWEEP)
        if over:
            await self._points.remove(over)
            wanted: dict[str, set[str]] = {}
            for summary in over:
                wanted.setdefault(summary.scope.user_id, set()).add(summary.id)
            await self._summaries.remove(wanted)
        return len(over)
