"""Decisions on requested or proposed memories: candidates are consolidated one by one."""

from dataclasses import replace
from enum import StrEnum

from palimpsest.events.conversations import RememberRequested, SummaryPublished
from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    SummaryProposed,
)
from palimpsest.events.maintenance import MemoryDistilled
from palimpsest.model.change_set import Change
from palimpsest.model.memory import Candidate
from palimpsest_server.domain.compression.acceptance import accept_distillate
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.review import (
    is_review_needed,
    is_withheld,
    propose_for_review,
)
from palimpsest_server.domain.todos.completion import settle_todos
from services.consolidator.completion_reports import extract_completion_reports
from services.consolidator.event_contents import pair_candidates_with_vectors
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision
from services.consolidator.remember_requests import build_requested_candidate
from services.consolidator.summary_changes import build_event_summary, decide_summary_change


def decide_remember_request(event: RememberRequested, grounds: DecisionContext) -> EventDecision:
    actor = "agent" if event.source.value == "skill" else "user"
    settings = grounds.settings
    candidate = build_requested_candidate(
        event, settings.sharing_policy, time_zone=settings.time_zone
    )
    return _taken_in(event, (candidate,), grounds, actor=actor)


def decide_candidates(event: CandidatesProposed, grounds: DecisionContext) -> EventDecision:
    decision = _taken_in(event, event.candidates, grounds, actor="extractor")
    return replace(decision, unread_characters=event.unread_characters)


def decide_summary(
    event: SummaryProposed | SummaryPublished, grounds: DecisionContext
) -> EventDecision:
    changes = decide_summary_change(
        grounds.known.summaries, build_event_summary(event), epoch=event.epoch or 0
    )
    facts = () if isinstance(event, SummaryPublished) else event.candidates
    what = "a session was summed up" if changes else "its summary stays as it is"
    actor = "extractor" if isinstance(event, SummaryProposed) else "chat service"
    return _taken_in(event, facts, grounds, actor=actor, what=what, others=changes)


def decide_distillate(event: MemoryDistilled, grounds: DecisionContext) -> EventDecision:
    vectors = pair_candidates_with_vectors(event, (event.made.candidate,), grounds.model)
    outcome = accept_distillate(
        grounds.known,
        event.made,
        received_at=event.received_at or event.occurred_at,
        epoch=event.epoch or 0,
    )
    return EventDecision(
        actor=event.actor,
        reason=f"maintenance: {outcome.value}",
        outcomes=(outcome,),
        vectors=vectors,
    )


def _taken_in(
    event: VectorCarrier,
    candidates: tuple[Candidate, ...],
    grounds: DecisionContext,
    *,
    actor: str,
    what: str = "",
    others: tuple[Change, ...] = (),
) -> EventDecision:
    vectors = pair_candidates_with_vectors(event, candidates, grounds.model)
    extracted = isinstance(event, ExtractorAnswer)
    outcomes: list[StrEnum] = []
    for position, candidate in enumerate(candidates):
        if extracted and is_withheld(candidate, grounds.settings):
            outcomes.append(ConsolidationOutcome.WITHHELD_TOPIC)
            continue
        waits = extracted and is_review_needed(candidate, grounds.settings)
        take_in = propose_for_review if waits else decide_candidate
        outcomes.append(
            take_in(
                grounds.known,
                candidate,
                received_at=event.received_at or event.occurred_at,
                epoch=event.epoch or 0,
                position=position,
            )
        )
    grounds.known.todos.hear(extract_completion_reports(event, grounds.now))
    outcomes += settle_todos(grounds.known, event.user_id, time_zone=grounds.settings.time_zone)
    words = [what] if what else []
    reason = ", ".join(dict.fromkeys([*words, *(outcome.value for outcome in outcomes)]))
    return EventDecision(
        actor=actor,
        reason=reason or "nothing proposed",
        outcomes=outcomes,
        vectors=vectors,
        others=others,
    )
