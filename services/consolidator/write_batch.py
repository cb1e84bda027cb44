"""Writes a batch of `writes`: turns first, because they are awaited; then counters; then decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.writes import TurnStored
from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.user import UserState
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.cached_user_states import CachedUserStates
from palimpsest_server.stores.change_sets import ChangeSetStore, DecidedChangeSet
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.commands.command_reader import CommandReader
from services.consolidator.completion_reports import CompletionReports
from services.consolidator.decide_change_sets import (
    DECIDED_EVENTS,
    ChangeSetDecider,
    ChangeSetDecision,
)
from services.consolidator.decision_rounds import split_into_rounds
from services.consolidator.direct_writes import DirectWriter
from services.consolidator.duplicate_questions import DuplicateQuestions
from services.consolidator.finish_change_sets import ChangeSetFinisher
from services.consolidator.finished_revisions import FinishedRevisions
from services.consolidator.forgotten_topics import ForgottenTopics
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.off_the_record_commands import OffTheRecordCommands
from services.consolidator.related_records import RelatedRecordReader
from services.consolidator.resume_change_sets import ChangeSetResumer
from services.consolidator.vector_projection import VectorProjection

MAXIMUM_ATTEMPTS = 5
"""How often another writer may come first before the whole batch waits."""


class BatchWriter:
    """Writes batches of `writes`. Every step may be repeated safely."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        users: UserStates,
        recent: CachedUserStates,
        change_sets: ChangeSetStore,
        memories: MemoryStore,
        gathering: RelatedRecordReader,
        commands: CommandReader,
        maintaining: MaintenanceCoordinator,
        finishing: ChangeSetFinisher,
        projecting: VectorProjection | None,
        questioning: DuplicateQuestions | None = None,
        unsaying: OffTheRecordCommands,
        forgotten_topics: ForgottenTopics,
        completions: CompletionReports,
        metrics: ConsolidatorMetrics,
        clock: Clock,
    ) -> None:
        self._recent = recent
        self._change_sets = change_sets
        self._undecided = DirectWriter(
            memories=memories, finishing=finishing, projecting=projecting, metrics=metrics
        )
        self._gathering = gathering
        self._commands = commands
        self._maintaining = maintaining
        self._finishing = finishing
        self._projecting = projecting
        self._questioning = questioning
        self._unsaying = unsaying
        self._forgotten_topics = forgotten_topics
        self._completions = completions
        self._metrics = metrics
        self._clock = clock
        self._lines = FinishedRevisions(clock)
        self._resuming = ChangeSetResumer(
            users=users,
            change_sets=change_sets,
            finishing=finishing,
            lines=self._lines,
            model=None if projecting is None else projecting.model,
        )

    async def write(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Write a batch, and return the events that can never be written, each with its error.

        Raises:
            TransientError: another writer keeps coming first.
        """
        with self._metrics.timed("states"):
            states = await self._states(events)
        current = [event for event in events if _of_epoch(event, states)]
        self._metrics.dropped.labels("older_epoch").inc(len(events) - len(current))
        rejections: list[EventRejection] = []
        sound = [event for event in current if self._undecided.is_sound(event, rejections)]
        await self._unsaying.note(sound)
        await self._completions.note(
            [event for event in sound if not self._finishing.erasing.concerns(event)]
        )
        await self._undecided.write(sound)
        try:
            for number, together in enumerate(split_into_rounds(_distinct(sound))):
                if number > 0:
                    states = {**states, **await self._settled_anew(together)}
                await self._decide(together, states, rejections)
            await self._unsaying.follow(sound, states)
            await self._forgotten_topics.follow(sound)
        finally:
            self._recent.forget(_settling(events))
        return rejections

    async def _states(self, events: Sequence[Event]) -> Mapping[str, UserState]:
        """Return user states: current for users to decide about, at most two seconds old for others.

        Turns and accesses, which are most events, need only the epoch. If another process raised
        the epoch, a turn may slip through, as it may when this process pauses between reading and
        writing. The result is a vector without a document. Recall shows only documents, and checks
        their epoch.

        A user whose revision this process has just written is not read again. A writer that changed
        the settings meanwhile took a revision, so this decision is refused and repeated.
        """
        everyone = {event.user_id for event in events}
        decisive = {event.user_id for event in events if isinstance(event, DECIDED_EVENTS)}
        unsure = {*self._lines.unknown(decisive), *_settling(events)}
        exact = await self._recent.exactly(unsure) if unsure else {}
        return {**await self._recent.of(everyone - unsure), **exact}

    async def _settled_anew(self, events: Sequence[Event]) -> Mapping[str, UserState]:
        """Return the users' states after the rounds before these events."""
        user_ids = {event.user_id for event in events}
        self._recent.forget(user_ids)
        return await self._recent.exactly(user_ids)

    async def _decide(
        self,
        events: Sequence[Event],
        states: Mapping[str, UserState],
        rejections: list[EventRejection],
    ) -> None:
        pending = events
        for _ in range(MAXIMUM_ATTEMPTS):
            if not pending:
                return
            user_ids = {event.user_id for event in pending}
            try:
                pending = await self._attempt(pending, states, rejections)
            except BaseException:
                # The progress is unknown, so nothing remembered is valid.
                self._lines.forget(user_ids)
                self._maintaining.forget(user_ids)
                raise
        if pending:
            raise TransientError("another writer keeps coming first", retry_after_seconds=1)

    async def _attempt(
        self,
        events: Sequence[Event],
        states: Mapping[str, UserState],
        rejections: list[EventRejection],
    ) -> Sequence[Event]:
        """Decide and write events; return those that another writer's change set prevented."""
        known = await self._known(events)
        # Another writer may have left those change sets unfinished, so their users are read again.
        self._lines.forget({event.user_id for event in events if _change_set_id(event) in known})
        with self._metrics.timed("resume"):
            resumed = await self._resuming.resumed(events, states)
        fresh = [
            event
            for event in events
            if _change_set_id(event) not in known and _of_epoch(event, resumed)
        ]
        decided = await self._decided(fresh, resumed, rejections) if fresh else []
        with self._metrics.timed("append"):
            refused = await self._change_sets.append(self._written_down(decided))
        await self._finish(
            [
                decided_change_set
                for decided_change_set in decided
                if decided_change_set.change_set.id not in refused
            ]
        )
        self._metrics.refused_writes.inc(len(refused))
        for event in fresh:
            if _change_set_id(event) not in refused:
                self._count_experience(event)
        lost = {
            decided_change_set.user_id
            for decided_change_set in decided
            if decided_change_set.change_set.id in refused
        }
        self._lines.forget(lost)
        self._maintaining.forget(lost)
        return [event for event in fresh if _change_set_id(event) in refused]

    def _count_experience(self, event: Event) -> None:
        """Count ratings of recalls, and results that were used."""
        match event:
            case FeedbackGiven():
                self._metrics.feedback.labels(event.verdict.value).inc()
            case RecallUsed():
                self._metrics.used_results.inc(len(event.result_ids))

    async def _known(self, events: Sequence[Event]) -> set[str]:
        """Return the ids of change sets that exist already, for users whose revision is not known.

        For a user whose revision this process has just written, nearly every event is new. One that
        is not is refused when it is appended, together with all that follow. Then the revision is
        unknown, and all of the user's events are looked up.
        """
        unknown = set(self._lines.unknown({event.user_id for event in events}))
        likely = [_change_set_id(event) for event in events if event.user_id in unknown]
        if not likely:
            return set()
        with self._metrics.timed("known"):
            return await self._change_sets.known(likely)

    def _written_down(self, decided: Sequence[DecidedChangeSet]) -> Sequence[DecidedChangeSet]:
        """Return change sets as they are stored: with vectors only if another process projects them.

        Vectors are missed only after a crash. Then the redelivered event brings them again, or else
        the embedder is asked.
        """
        if self._projecting is None:
            return decided
        return [replace(decided_change_set, vectors={}) for decided_change_set in decided]

    async def _finish(self, decided: Sequence[DecidedChangeSet]) -> None:
        self._lines.stand_at(
            {
                decided_change_set.user_id: decided_change_set.revision
                for decided_change_set in decided
            }
        )
        due = {} if self._projecting is None else self._lines.due_checkpoints()
        with self._metrics.timed("finish"):
            await self._finishing.finish(decided, due)
        if self._questioning is not None:
            await self._questioning.follow(decided)

    async def _decided(
        self,
        events: Sequence[Event],
        states: Mapping[str, UserState],
        rejections: list[EventRejection],
    ) -> list[DecidedChangeSet]:
        settings = {user_id: state.settings for user_id, state in states.items()}
        revisions = self._lines.revisions({event.user_id for event in events})
        with self._metrics.timed("gather"):
            epochs = {user_id: state.epoch for user_id, state in states.items()}
            known = await self._gathering.related(events, settings, epochs)
            asked = await self._commands.read(events, known)
            maintenance = await self._maintaining.gathered(events, settings, known, revisions)
        deciding = ChangeSetDecider(
            known,
            settings=settings,
            revisions=revisions,
            model=None if self._projecting is None else self._projecting.model,
            now=self._clock(),
            asked=asked,
            erased=self._finishing.erasing.recent,
            maintenance=maintenance,
        )
        with self._metrics.timed("decide"):
            decisions = await self._decisions(deciding, events, rejections)
        decided = [decision.decided for decision in decisions]
        self._maintaining.decided(
            deciding.looks,
            [decided_change_set.change_set for decided_change_set in decided],
            revisions,
        )
        await self._maintaining.follow(
            [event for decision in decisions for event in decision.following]
        )
        return decided

    async def _decisions(
        self, deciding: ChangeSetDecider, events: Sequence[Event], rejections: list[EventRejection]
    ) -> list[ChangeSetDecision]:
        """Yield decisions one after another; undecidable events join the rejections."""
        decisions: list[ChangeSetDecision] = []
        async for event in iterate_cooperatively(events):
            if deciding.is_over(event):
                self._metrics.dropped.labels("older_epoch").inc()
                continue
            try:
                decision = deciding.decide(event)
            except PermanentError as error:
                rejections.append(EventRejection(event, error))
                continue
            decisions.append(decision)
            for outcome in decision.outcomes:
                self._metrics.decisions.labels(outcome.value).inc()
        return decisions


def _of_epoch(event: Event, states: Mapping[str, UserState]) -> bool:
    """Return whether an event belongs to its user's epoch; an event without epoch has the first, 0."""
    return (event.epoch or 0) >= states[event.user_id].epoch


def _settling(events: Sequence[Event]) -> set[str]:
    """Return the users for whom these events change settings, or withhold a message for good."""
    return {event.user_id for event in events if _settles(event)}


def _settles(event: Event) -> bool:
    if isinstance(event, TurnStored):
        return event.turn.withheld
    return isinstance(event, CommandEvent) and event.PROPERTIES.needs_barrier


def _change_set_id(event: Event) -> str:
    return change_set_id(event.user_id, event.event_id)


def _distinct(events: Sequence[Event]) -> list[Event]:
    """Return the events that need a decision, each id once: a batch may hold a redelivery."""
    decisive = (event for event in events if isinstance(event, DECIDED_EVENTS))
    return list({_change_set_id(event): event for event in decisive}.values())
