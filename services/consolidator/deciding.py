"""From an event to the change set that it causes. No I/O: everything it needs was read before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from palimpsest.contracts.answers import (
    CandidatesProposed,
    JudgementProposed,
    ProfileProposed,
    QuestionAnswered,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.contracts.commands import (
    COMMANDS,
    MEMORY_COMMANDS,
    CommandEvent,
    CompleteTodo,
    ForgetMemory,
    ReopenTodo,
    SetSettings,
    UnsayMemory,
)
from palimpsest.contracts.conversations import RememberRequested, SummaryPublished
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.contracts.maintenance import (
    MemoryDistilled,
    RunMaintenance,
    distilled,
    next_part,
)
from palimpsest.contracts.skills import SkillFailed, SkillRun, SkillSucceeded
from palimpsest.contracts.texts import VectorCarrier
from palimpsest.contracts.writes import TodoDue
from palimpsest.domain.change_set import (
    Cause,
    ChangeSet,
    SettingsChange,
    change_set_id,
)
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.evolution.erasing import changes_unsaid
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.heard_time_zones import with_heard
from palimpsest.domain.memory import Status
from palimpsest.domain.user import UserSettings
from palimpsest.providers.embedded_texts import texts_of
from palimpsest.stores.change_sets import Decided
from services.consolidator.bringing import (
    check_vectors,
    vectors_for,
)
from services.consolidator.commands.carrying_out import carried_out
from services.consolidator.commands.reading import Asked
from services.consolidator.erasing import ErasedAt
from services.consolidator.maintenance.asking import reflection_requested
from services.consolidator.maintenance.gathered import Gathered
from services.consolidator.maintenance.running import Run
from services.consolidator.maintenance.seen import Look
from services.consolidator.rulings import answers, experience, moves, taking_in
from services.consolidator.rulings.ruling import Grounds, Ruling
from services.consolidator.settling import settled

DECIDED_EVENTS: tuple[type[Event], ...] = (
    RememberRequested,
    CandidatesProposed,
    SummaryProposed,
    JudgementProposed,
    ReflectionsProposed,
    SummaryPublished,
    ProfileProposed,
    TodoDue,
    FeedbackGiven,
    RecallUsed,
    SkillSucceeded,
    SkillFailed,
    *COMMANDS,
    RunMaintenance,
    MemoryDistilled,
)
"""Each of these leaves a change set, even an empty one: their senders look for it."""


@dataclass(frozen=True)
class Decision:
    decided: Decided
    outcomes: tuple[StrEnum, ...]
    following: tuple[Event, ...] = ()
    """To be sent on before this is written down."""


class Deciding:
    """Decides events one after another; each sees what the ones before it changed."""

    def __init__(
        self,
        known: Overlay,
        *,
        settings: Mapping[str, UserSettings],
        revisions: Mapping[str, int],
        model: str | None,
        now: datetime,
        maintenance: Gathered,
        asked: Asked | None = None,
        erased: Mapping[str, Sequence[ErasedAt]] | None = None,
    ) -> None:
        self._known = known
        self._maintenance = maintenance
        self._asked = asked or Asked()
        self._settings = dict(settings)
        self._revisions = dict(revisions)
        self._epochs: dict[str, int] = {}
        self._erased = dict(erased or {})
        self._model = model
        self._now = now
        self.looks: list[Look] = []
        """What runs of maintenance among these events have looked at."""

    def decide(self, event: Event) -> Decision:
        """The change set that the event causes, of its user's next revision.

        Raises:
            InvalidEvent: it speaks of another user, or came without its vectors.
            EmbeddingModelMismatch: its vectors are of another model.
        """
        self._known.decide_for(event.user_id)
        if isinstance(event, RunMaintenance):
            return self._maintain(event)
        if self._is_of_what_was_erased(event):
            reason = "asked before something was erased"
            return self._decision(event, Ruling(actor="extractor", reason=reason))
        grounds = Grounds(self._known, self._settings[event.user_id], self._model, self._now)
        return self._decision(event, self._ruling(event, grounds))

    def _ruling(self, event: Event, grounds: Grounds) -> Ruling:  # noqa: C901, PLR0911, PLR0912 - one for each
        match event:
            case RememberRequested():
                return taking_in.on_request(event, grounds)
            case CandidatesProposed():
                return self._candidates(event, grounds)
            case SummaryProposed() | SummaryPublished():
                return taking_in.on_summary(event, grounds)
            case MemoryDistilled():
                return taking_in.on_distillate(event, grounds)
            case JudgementProposed():
                return answers.on_judgement(event, grounds)
            case ReflectionsProposed():
                return answers.on_reflections(event, grounds)
            case ProfileProposed():
                return answers.on_profile(event, grounds)
            case FeedbackGiven():
                return experience.on_feedback(event, grounds)
            case RecallUsed():
                return experience.on_use(event)
            case SkillRun():
                return experience.on_skill_run(event, grounds)
            case ForgetMemory() | UnsayMemory() | CompleteTodo() | ReopenTodo():
                return moves.on_move(event, grounds)
            case TodoDue():
                return moves.on_todo_due(event, grounds)
            case SetSettings():
                return self._set(event)
            case _ if isinstance(event, MEMORY_COMMANDS):
                return self._command(event)
            case _:
                raise InvalidEvent(f"nothing is decided about {event.type}")

    def _is_of_what_was_erased(self, event: Event) -> bool:
        return isinstance(event, QuestionAnswered | SummaryPublished) and any(
            one.concerns(event) for one in self._erased.get(event.user_id, ())
        )

    def is_over(self, event: Event) -> bool:
        """Whether its user had everything forgotten by an event before it."""
        return (event.epoch or 0) < self._epochs.get(event.user_id, 0)

    def _command(self, event: CommandEvent) -> Ruling:
        if isinstance(event, VectorCarrier):
            check_vectors(event, len(texts_of(event)), self._model)
        user_id = event.user_id
        done = carried_out(
            event, self._known, self._asked, settings=self._settings[user_id], now=self._now
        )
        for change in done.others:
            if isinstance(change, SettingsChange):
                self._settings[user_id] = change.after
            elif change.everything:
                self._epochs[user_id] = change.epoch
            elif change.of_what_was_told:
                known = self._erased.get(user_id, ())
                revision = self._revisions[user_id] + 1
                self._erased[user_id] = (*known, ErasedAt(change, self._now, revision))
        return Ruling(
            outcomes=(done.outcome,),
            actor=event.actor,
            reason=done.words,
            vectors=done.vectors,
            others=done.others,
            refusal=done.refusal,
        )

    def _candidates(self, event: CandidatesProposed, grounds: Grounds) -> Ruling:
        """The zone that was heard beside them is the user's, where none is settled."""
        heard = with_heard(grounds.settings, event.time_zone)
        changes = self._settle(event.user_id, heard)
        ruling = taking_in.on_candidates(event, replace(grounds, settings=heard))
        return replace(ruling, others=(*ruling.others, *changes))

    def _settle(self, user_id: str, after: UserSettings) -> tuple[SettingsChange, ...]:
        before, self._settings[user_id] = self._settings[user_id], after
        return () if after == before else (SettingsChange(before=before, after=after),)

    def _set(self, event: SetSettings) -> Ruling:
        changes = self._settle(event.user_id, settled(event, self._settings[event.user_id]))
        reason = "settings changed" if changes else "settings as they were"
        return Ruling(actor=event.actor, reason=reason, others=changes)

    def _maintain(self, event: RunMaintenance) -> Decision:
        settings = self._settings[event.user_id]
        material = self._maintenance.material[event.event_id]
        limit = self._maintenance.room.limit(settings)
        run = Run(self._known, material, settings, limit=limit, now=self._now)
        run.take_all_steps()
        done = tuple(run.counts.elements())
        ruling = Ruling(actor=event.actor, reason=run.words(), outcomes=done)
        decision = self._decision(event, ruling)
        if not run.complete:
            again = next_part(event, after=event.after, whole=event.whole)
            return replace(decision, following=(again,))
        if (look := run.look(event)) is not None:
            self.looks.append(look)
        # After the decision, for what is proposed speaks of the versions that stand then.
        following: list[Event] = [distilled(made, event) for made in run.proposals()]
        if (shown := run.to_ask_about()) is not None:
            following.append(reflection_requested(event, shown, settings))
        if material.after is not None:
            following.append(next_part(event, after=material.after))
        elif material.goes_on_to_whole:
            following.append(next_part(event, whole=True))
        return replace(decision, following=tuple(following))

    def _decision(self, event: Event, ruling: Ruling) -> Decision:
        """The ruling and what follows from it, written down as a change set."""
        outcomes = (*ruling.outcomes, *self._maintenance.room.make(self._known, self._settings))
        changes = self._known.take_changes()
        todos = self._known.todos.following(
            changes, time_zone=self._settings[event.user_id].time_zone, now=self._now
        )
        purged = {one.after.id for one in changes if one.after.status is Status.PURGED}
        self._revisions[event.user_id] += 1
        change_set = ChangeSet(
            id=change_set_id(event.user_id, event.event_id),
            user_id=event.user_id,
            revision=self._revisions[event.user_id],
            # What forgets everything is the first of the new epoch: whoever resumes it goes on.
            epoch=self._epochs.get(event.user_id, event.epoch or 0),
            cause=_cause(event),
            actor=ruling.actor,
            reason=ruling.reason,
            decided_at=self._now,
            changes=changes_unsaid(
                (*changes, *todos, *self._known.entities.following(changes), *ruling.others), purged
            ),
            refusal=ruling.refusal,
        )
        own = vectors_for(change_set, ruling.vectors)
        return Decision(Decided(change_set=change_set, vectors=own), outcomes)


def _cause(event: Event) -> Cause:
    return Cause(
        event_id=event.event_id,
        type=event.type,
        occurred_at=event.occurred_at,
        received_at=event.received_at or event.occurred_at,
        trace=event.trace,
    )
