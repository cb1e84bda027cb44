"""Decisions on the experience of agents: feedback on recalls, use of results, runs of skills."""

from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.skills import SkillRun
from palimpsest_server.domain.consolidation.feedback import apply_feedback
from palimpsest_server.domain.skills.skill_memory import record_execution
from services.consolidator.event_contents import check_vectors, pair_texts_with_vectors
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision
from services.consolidator.skill_candidates import build_skill_execution, build_skill_run_candidate


def decide_feedback(event: FeedbackGiven, grounds: DecisionContext) -> EventDecision:
    about = event.memory_ids or grounds.known.recalled.get(event.recall_id or "", ())
    outcomes = apply_feedback(
        grounds.known, about, event.verdict, at=event.occurred_at, agent_id=event.agent_id
    )
    words = dict.fromkeys(outcome.value for outcome in outcomes)
    reason = ", ".join(words) or "nothing is known of that recall"
    return EventDecision(actor=event.actor, reason=f"feedback: {reason}", outcomes=outcomes)


def decide_recall_use(event: RecallUsed, _grounds: DecisionContext) -> EventDecision:
    return EventDecision(actor=event.actor, reason="results of a recall were used")


def decide_skill_run(event: SkillRun, grounds: DecisionContext) -> EventDecision:
    check_vectors(event, len(event.texts()), grounds.model)
    outcome = record_execution(
        grounds.known,
        build_skill_execution(event),
        build_skill_run_candidate(event, grounds.settings.sharing_policy),
        received_at=event.received_at or event.occurred_at,
        epoch=event.epoch or 0,
    )
    return EventDecision(
        actor="agent",
        reason=f"a run of a skill: {outcome.value}",
        outcomes=(outcome,),
        vectors=pair_texts_with_vectors(event),
    )
