"""From an event to the change set that it causes. No I/O: everything it needs was read before."""

from collections.abc import Iterable, Mapping, Sequence
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
from palimpsest.contracts.texts import TextCarrier
from palimpsest.contracts.vectors import TextVectors
from palimpsest.contracts.writes import TodoDue
from palimpsest.domain.change_set import (
    Cause,
    Change,
    ChangeSet,
    Refusal,
    SettingsChange,
    change_set_id,
)
from palimpsest.domain.compression.accepting import accepted
from palimpsest.domain.errors import InvalidEvent
from palimpsest.domain.evolution.deciding import Outcome, decide, forget
from palimpsest.domain.evolution.erasing import changes_unsaid
from palimpsest.domain.evolution.feedback import feed_back
from palimpsest.domain.evolution.judging import resolve
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.reviewing import propose, waits
from palimpsest.domain.memory import Candidate, Status
from palimpsest.domain.reflection.proposed import taken_up
from palimpsest.domain.skills.learning import learn
from palimpsest.domain.todos.doing import complete, reopen
from palimpsest.domain.user import UserSettings
from palimpsest.stores.change_sets import Decided
from services.consolidator.bringing import (
    check_vectors,
    vectors_for,
    vectors_of_candidates,
    vectors_of_texts,
)
from services.consolidator.commands.carrying_out import carried_out
from services.consolidator.commands.reading import Asked
from services.consolidator.erasing import ErasedAt
from services.consolidator.maintenance.asking import reflection_requested
from services.consolidator.maintenance.gathered import Gathered
from services.consolidator.maintenance.running import Run
from services.consolidator.maintenance.seen import Look
from services.consolidator.profiles import described
from services.consolidator.remembering import remembered
from services.consolidator.settling import settled
from services.consolidator.skills import run_of, skill_candidate
from services.consolidator.summaries import summary_of, summed_up

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
        if self._is_of_what_was_erased(event):
            reason = "asked before something was erased"
            return self._decision(event, [], actor="extractor", reason=reason)
        return self._by_kind(event)

    def _by_kind(self, event: Event) -> Decision:  # noqa: C901, PLR0911, PLR0912 - one for each
        match event:
            case RememberRequested():
                return self._remember(event)
            case CandidatesProposed():
                return self._take_in(event, event.candidates, actor="extractor")
            case SummaryProposed() | SummaryPublished():
                return self._sum_up(event)
            case ProfileProposed():
                return self._describe(event)
            case JudgementProposed():
                return self._judge(event)
            case ReflectionsProposed():
                return self._reflect(event)
            case ForgetMemory() | CompleteTodo() | ReopenTodo():
                return self._move(event)
            case TodoDue():
                return self._remind(event)
            case FeedbackGiven():
                return self._feed_back(event)
            case RecallUsed():
                reason = "results of a recall were used"
                return self._decision(event, [], actor=event.actor, reason=reason)
            case SkillRun():
                return self._learn(event)
            case SetSettings():
                return self._set(event)
            case RunMaintenance():
                return self._maintain(event)
            case MemoryDistilled():
                return self._accept(event)
            case _ if isinstance(event, MEMORY_COMMANDS):
                return self._command(event)
            case _:
                raise InvalidEvent(f"nothing is decided about {event.type}")

    def _remember(self, event: RememberRequested) -> Decision:
        policy = self._settings[event.user_id].sharing_policy
        actor = "agent" if event.source.value == "skill" else "user"
        return self._take_in(event, (remembered(event, policy),), actor=actor)

    def _judge(self, event: JudgementProposed) -> Decision:
        check_vectors(event, len(event.texts()), self._model)
        outcome = resolve(self._known, event.judgement)
        vectors = vectors_of_texts(event)
        return self._decision(
            event, [outcome], actor="extractor", reason=outcome.value, vectors=vectors
        )

    def _reflect(self, event: ReflectionsProposed) -> Decision:
        check_vectors(event, len(event.texts()), self._model)
        outcomes = [
            taken_up(
                self._known,
                found,
                scope=event.scope,
                received_at=event.received_at or event.occurred_at,
                epoch=event.epoch or 0,
            )
            for found in event.reflections
        ]
        words = ", ".join(dict.fromkeys(outcome.value for outcome in outcomes))
        return self._decision(
            event,
            outcomes,
            actor="extractor",
            reason=f"reflection: {words or 'nothing found'}",
            vectors=vectors_of_texts(event),
        )

    def _sum_up(self, event: SummaryProposed | SummaryPublished) -> Decision:
        changes = summed_up(self._known.summaries, summary_of(event), epoch=event.epoch or 0)
        facts = () if isinstance(event, SummaryPublished) else event.candidates
        what = "a session was summed up" if changes else "its summary stays as it is"
        actor = "extractor" if isinstance(event, SummaryProposed) else "chat service"
        return self._take_in(event, facts, actor=actor, what=what, others=changes)

    def _describe(self, event: ProfileProposed) -> Decision:
        changes = described(self._known.profiles, event)
        for change in changes:
            self._known.profiles[event.user_id] = change.after
        reason = "a profile was written" if changes else "the profile has changed since"
        return self._decision(event, [], actor="extractor", reason=reason, others=changes)

    def _take_in(
        self,
        event: TextCarrier,
        candidates: tuple[Candidate, ...],
        *,
        actor: str,
        what: str = "",
        others: tuple[Change, ...] = (),
    ) -> Decision:
        vectors = vectors_of_candidates(event, candidates, self._model)
        settings = self._settings[event.user_id]
        extracted = isinstance(event, QuestionAnswered)
        outcomes = [
            (propose if extracted and waits(candidate, settings) else decide)(
                self._known,
                candidate,
                received_at=event.received_at or event.occurred_at,
                epoch=event.epoch or 0,
                position=position,
            )
            for position, candidate in enumerate(candidates)
        ]
        outcomes += self._finished(event)
        words = [what] if what else []
        reason = ", ".join(dict.fromkeys([*words, *(outcome.value for outcome in outcomes)]))
        return self._decision(
            event,
            outcomes,
            actor=actor,
            reason=reason or "nothing proposed",
            vectors=vectors,
            others=others,
        )

    def _finished(self, event: Event) -> list[Outcome]:
        """What somebody says is done, of what was to be done."""
        if not isinstance(event, CandidatesProposed) or not event.completions:
            return []
        done = self._known.todos.done(
            event.user_id,
            event.completions,
            coming=self._known.coming_changes(),
            time_zone=self._settings[event.user_id].time_zone,
        )
        return [complete(self._known, todo_id) for todo_id in done]

    def _remind(self, event: TodoDue) -> Decision:
        changes = self._known.todos.reminded(event.todo_id, event.remind_at, self._now)
        reason = "a reminder was due" if changes else "nobody is to be reminded any more"
        return self._decision(event, [], actor="consolidator", reason=reason, others=changes)

    def _is_of_what_was_erased(self, event: Event) -> bool:
        return isinstance(event, QuestionAnswered) and any(
            one.concerns(event) for one in self._erased.get(event.user_id, ())
        )

    def _feed_back(self, event: FeedbackGiven) -> Decision:
        about = event.memory_ids or self._known.recalled.get(event.recall_id or "", ())
        outcomes = feed_back(self._known, about, event.verdict, at=event.occurred_at)
        words = dict.fromkeys(outcome.value for outcome in outcomes)
        reason = ", ".join(words) or "nothing is known of that recall"
        return self._decision(event, outcomes, actor=event.actor, reason=f"feedback: {reason}")

    def _learn(self, event: SkillRun) -> Decision:
        check_vectors(event, len(event.texts()), self._model)
        outcome = learn(
            self._known,
            run_of(event),
            skill_candidate(event, self._settings[event.user_id].sharing_policy),
            received_at=event.received_at or event.occurred_at,
            epoch=event.epoch or 0,
        )
        reason = f"a run of a skill: {outcome.value}"
        return self._decision(
            event, [outcome], actor="agent", reason=reason, vectors=vectors_of_texts(event)
        )

    def is_over(self, event: Event) -> bool:
        """Whether its user had everything forgotten by an event before it."""
        return (event.epoch or 0) < self._epochs.get(event.user_id, 0)

    def _move(self, event: ForgetMemory | CompleteTodo | ReopenTodo) -> Decision:
        reason: str | None = None
        match event:
            case ForgetMemory():
                outcome = forget(self._known, event.memory_id, reason=event.reason)
                reason = event.reason if outcome is Outcome.FORGOTTEN else None
            case CompleteTodo():
                outcome = complete(self._known, event.todo_id)
            case ReopenTodo():
                outcome = reopen(self._known, event.todo_id)
        reason = reason or outcome.value
        return self._decision(event, [outcome], actor=event.actor, reason=reason)

    def _command(self, event: CommandEvent) -> Decision:
        if isinstance(event, TextCarrier):
            check_vectors(event, len(event.texts()), self._model)
        user_id = event.user_id
        done = carried_out(
            event, self._known, self._asked, settings=self._settings[user_id], now=self._now
        )
        for change in done.others:
            if isinstance(change, SettingsChange):
                self._settings[user_id] = change.after
            elif change.everything:
                self._epochs[user_id] = change.epoch
            elif change.of_what_was_said:
                known = self._erased.get(user_id, ())
                self._erased[user_id] = (*known, ErasedAt(change, self._now))
        return self._decision(
            event,
            [done.outcome],
            actor=event.actor,
            reason=done.words,
            vectors=done.vectors,
            others=done.others,
            refusal=done.refusal,
        )

    def _set(self, event: SetSettings) -> Decision:
        before = self._settings[event.user_id]
        after = settled(event, before)
        self._settings[event.user_id] = after
        changes = () if after == before else (SettingsChange(before=before, after=after),)
        reason = "settings changed" if changes else "settings as they were"
        return self._decision(event, [], actor=event.actor, reason=reason, others=changes)

    def _maintain(self, event: RunMaintenance) -> Decision:
        settings = self._settings[event.user_id]
        material = self._maintenance.material[event.event_id]
        limit = self._maintenance.room.limit(settings)
        run = Run(self._known, material, settings, limit=limit, now=self._now)
        run.take_all_steps()
        decision = self._decision(
            event, run.counts.elements(), actor=event.actor, reason=run.words()
        )
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

    def _accept(self, event: MemoryDistilled) -> Decision:
        vectors = vectors_of_candidates(event, (event.made.candidate,), self._model)
        outcome = accepted(
            self._known,
            event.made,
            received_at=event.received_at or event.occurred_at,
            epoch=event.epoch or 0,
        )
        return self._decision(
            event,
            [outcome],
            actor=event.actor,
            reason=f"maintenance: {outcome.value}",
            vectors=vectors,
        )

    def _decision(
        self,
        event: Event,
        outcomes: Iterable[StrEnum],
        *,
        actor: str,
        reason: str,
        vectors: Mapping[str, TextVectors] | None = None,
        others: tuple[Change, ...] = (),
        refusal: Refusal | None = None,
    ) -> Decision:
        outcomes = (*outcomes, *self._maintenance.room.make(self._known, self._settings))
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
            actor=actor,
            reason=reason,
            decided_at=self._now,
            changes=changes_unsaid(
                (*changes, *todos, *self._known.entities.following(changes), *others), purged
            ),
            refusal=refusal,
        )
        own = vectors_for(change_set, vectors or {})
        return Decision(Decided(change_set=change_set, vectors=own), outcomes)


def _cause(event: Event) -> Cause:
    return Cause(
        event_id=event.event_id,
        type=event.type,
        occurred_at=event.occurred_at,
        received_at=event.received_at or event.occurred_at,
        trace=event.trace,
    )
