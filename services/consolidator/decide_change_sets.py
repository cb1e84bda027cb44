"""Decide the change set that an event causes. No I/O: its inputs are read before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from palimpsest.events.command_registry import require_commands
from palimpsest.events.commands import CommandEvent
from palimpsest.events.conversations import RememberRequested, SummaryPublished
from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    JudgementProposed,
    ProfileProposed,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.maintenance import (
    MemoryDistilled,
    RunMaintenance,
    build_memory_distilled,
    build_next_maintenance_part,
)
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.events.writes import TodoDue
from palimpsest.model.change_set import Cause, ChangeSet, SettingsChange, TodoChange, change_set_id
from palimpsest.model.errors import InvalidEvent
from palimpsest.model.memory import Status
from palimpsest.model.user import UserSettings
from palimpsest_language.time_zone_inference import apply_inferred_time_zone
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.tombstones import strip_erased_changes
from palimpsest_server.embedders.embedded_texts import texts_of
from palimpsest_server.stores.change_sets import DecidedChangeSet
from services.consolidator.commands.command_reader import CommandInputs
from services.consolidator.commands.execute_commands import (
    EXECUTORS,
    CommandGrounds,
    execute_command,
)
from services.consolidator.erasure_step import DatedErasure
from services.consolidator.event_contents import check_vectors, select_change_set_vectors
from services.consolidator.event_decisions import (
    agent_experience,
    due_reminders,
    model_answers,
    proposed_memories,
)
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision
from services.consolidator.maintenance.inspection_history import InspectionRecord
from services.consolidator.maintenance.maintenance_inputs import MaintenanceInputs
from services.consolidator.maintenance.maintenance_run import MaintenanceRun
from services.consolidator.maintenance.reflection_requests import (
    build_reflection_request,
    build_wording_request,
)

EVENT_DECISIONS: Mapping[type[Event], Callable[[Any, DecisionContext], EventDecision]] = {
    RememberRequested: proposed_memories.decide_remember_request,
    SummaryProposed: proposed_memories.decide_summary,
    SummaryPublished: proposed_memories.decide_summary,
    MemoryDistilled: proposed_memories.decide_distillate,
    JudgementProposed: model_answers.decide_judgement,
    ReflectionsProposed: model_answers.decide_reflections,
    ProfileProposed: model_answers.decide_profile,
    FeedbackGiven: agent_experience.decide_feedback,
    RecallUsed: agent_experience.decide_recall_use,
    SkillSucceeded: agent_experience.decide_skill_run,
    SkillFailed: agent_experience.decide_skill_run,
    TodoDue: due_reminders.decide_due_todo,
}
"""Decisions on events that are no command: proposals of models, reports of agents, and timers.
Commands are in `EXECUTORS`, because they may be refused and need inputs of their own.
"""

_DECIDED: Sequence[type[Event]] = (
    *EVENT_DECISIONS,
    *EXECUTORS,
    CandidatesProposed,
    RunMaintenance,
)
require_commands("the consolidator's table of decisions", _DECIDED)

DECIDED_EVENTS: tuple[type[Event], ...] = tuple(_DECIDED)
"""The event types that cause a change set, even an empty one: their senders look for it."""


@dataclass(frozen=True)
class ChangeSetDecision:
    decided: DecidedChangeSet
    outcomes: tuple[StrEnum, ...]
    following: tuple[Event, ...] = ()
    """Events to send before the change set is stored."""


class ChangeSetDecider:
    """Decides events one after another; each decision sees the changes of those before it."""

    def __init__(
        self,
        known: Overlay,
        *,
        settings: Mapping[str, UserSettings],
        revisions: Mapping[str, int],
        model: str | None,
        now: datetime,
        maintenance: MaintenanceInputs,
        asked: CommandInputs | None = None,
        erased: Mapping[str, Sequence[DatedErasure]] | None = None,
    ) -> None:
        self._known = known
        self._maintenance = maintenance
        self._asked = asked or CommandInputs()
        self._settings = dict(settings)
        self._revisions = dict(revisions)
        self._epochs: dict[str, int] = {}
        self._erased = dict(erased or {})
        self._model = model
        self._now = now
        self.looks: list[InspectionRecord] = []
        """Records of the memories that runs of maintenance among these events inspected."""

    def decide(self, event: Event) -> ChangeSetDecision:
        """Decide the change set that the event causes, with the next revision of its user.

        Raises:
            InvalidEvent: the event speaks of another user, or came without its vectors.
            EmbeddingModelMismatch: the vectors are of another model.
        """
        self._known.decide_for(event.user_id)
        if isinstance(event, RunMaintenance):
            return self._maintain(event)
        if self._is_of_what_was_erased(event):
            reason = "asked before something was erased"
            return self._decision(event, EventDecision(actor="extractor", reason=reason))
        grounds = DecisionContext(
            self._known, self._settings[event.user_id], self._model, self._now
        )
        return self._decision(event, self._ruling(event, grounds))

    def _ruling(self, event: Event, grounds: DecisionContext) -> EventDecision:
        if isinstance(event, CandidatesProposed):
            return self._candidates(event, grounds)
        if isinstance(event, CommandEvent) and type(event) in EXECUTORS:
            return self._command(event)
        decide = EVENT_DECISIONS.get(type(event))
        if decide is None:
            raise InvalidEvent(f"nothing is decided about {event.type}")
        return decide(event, grounds)

    def _is_of_what_was_erased(self, event: Event) -> bool:
        return isinstance(event, ExtractorAnswer | SummaryPublished) and any(
            erasure.concerns(event) for erasure in self._erased.get(event.user_id, ())
        )

    def is_over(self, event: Event) -> bool:
        """Return whether an earlier event erased everything of this user."""
        return (event.epoch or 0) < self._epochs.get(event.user_id, 0)

    def _command(self, event: CommandEvent) -> EventDecision:
        if isinstance(event, VectorCarrier):
            check_vectors(event, len(texts_of(event)), self._model)
        user_id = event.user_id
        grounds = CommandGrounds(
            known=self._known,
            asked=self._asked,
            settings=self._settings[user_id],
            now=self._now,
        )
        done = execute_command(event, grounds)
        for change in done.others:
            if isinstance(change, SettingsChange):
                self._settings[user_id] = change.after
            elif isinstance(change, TodoChange):
                continue
            elif change.everything:
                self._epochs[user_id] = change.epoch
            elif change.of_what_was_told:
                known = self._erased.get(user_id, ())
                revision = self._revisions[user_id] + 1
                self._erased[user_id] = (*known, DatedErasure(change, self._now, revision))
        return EventDecision(
            outcomes=() if done.outcome is None else (done.outcome,),
            actor=event.actor,
            reason=done.words,
            vectors=done.vectors,
            others=done.others,
            refusal=done.refusal,
        )

    def _candidates(self, event: CandidatesProposed, grounds: DecisionContext) -> EventDecision:
        """Decide candidates. Their inferred time zone becomes the user's if no time zone is set."""
        heard = apply_inferred_time_zone(grounds.settings, event.time_zone)
        changes = self._settle(event.user_id, heard)
        ruling = proposed_memories.decide_candidates(event, replace(grounds, settings=heard))
        return replace(ruling, others=(*ruling.others, *changes))

    def _settle(self, user_id: str, after: UserSettings) -> tuple[SettingsChange, ...]:
        before, self._settings[user_id] = self._settings[user_id], after
        return () if after == before else (SettingsChange(before=before, after=after),)

    def _maintain(self, event: RunMaintenance) -> ChangeSetDecision:
        settings = self._settings[event.user_id]
        material = self._maintenance.material[event.event_id]
        limit = self._maintenance.room.limit(settings)
        run = MaintenanceRun(self._known, material, settings, limit=limit, now=self._now)
        run.take_all_steps()
        done = tuple(run.counts.elements())
        ruling = EventDecision(actor=event.actor, reason=run.words(), outcomes=done)
        decision = self._decision(event, ruling)
        if not run.complete:
            again = build_next_maintenance_part(event, after=event.after, whole=event.whole)
            return replace(decision, following=(again,))
        if (look := run.look(event)) is not None:
            self.looks.append(look)
        # After the decision: proposals name the versions that are current then.
        following: list[Event] = [build_memory_distilled(made, event) for made in run.proposals()]
        following += [
            build_wording_request(event, made, memories, settings)
            for made, memories in run.to_be_worded()
        ]
        if (shown := run.to_ask_about()) is not None:
            following.append(build_reflection_request(event, shown, settings))
        if material.after is not None:
            following.append(build_next_maintenance_part(event, after=material.after))
        elif material.goes_on_to_whole:
            following.append(build_next_maintenance_part(event, whole=True))
        return replace(decision, following=tuple(following))

    def _decision(self, event: Event, ruling: EventDecision) -> ChangeSetDecision:
        """Turn the decision and its consequences into a change set."""
        outcomes = (*ruling.outcomes, *self._maintenance.room.make(self._known, self._settings))
        changes = self._known.take_changes()
        todos = self._known.todos.following(
            changes, time_zone=self._settings[event.user_id].time_zone, now=self._now
        )
        purged = {change.after.id for change in changes if change.after.status is Status.PURGED}
        self._revisions[event.user_id] += 1
        change_set = ChangeSet(
            id=change_set_id(event.user_id, event.event_id),
            user_id=event.user_id,
            revision=self._revisions[event.user_id],
            # The change set that erases everything is the first of the new epoch, so it can be
            # resumed.
            epoch=self._epochs.get(event.user_id, event.epoch or 0),
            cause=_cause(event),
            actor=ruling.actor,
            reason=ruling.reason,
            decided_at=self._now,
            changes=strip_erased_changes(
                (*changes, *todos, *self._known.entities.following(changes), *ruling.others), purged
            ),
            refusal=ruling.refusal,
            unread_characters=ruling.unread_characters,
        )
        own = select_change_set_vectors(change_set, ruling.vectors)
        return ChangeSetDecision(DecidedChangeSet(change_set=change_set, vectors=own), outcomes)


def _cause(event: Event) -> Cause:
    return Cause(
        event_id=event.event_id,
        type=event.type,
        occurred_at=event.occurred_at,
        received_at=event.received_at or event.occurred_at,
        # A reminder is caused by its time. The session only tells where the todo was noted.
        session_id=None if isinstance(event, TodoDue) else event.session_id,
        trace=event.trace,
    )
