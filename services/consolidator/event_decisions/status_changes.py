"""Decisions on status changes: memories that are forgotten or lose evidence, todos, reminders."""

from palimpsest.events.commands import CompleteTodo, ForgetMemory, ReopenTodo, WithdrawEvidence
from palimpsest.events.writes import TodoDue
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    forget_memory,
)
from palimpsest_server.domain.consolidation.evidence_withdrawal import withdraw_evidence
from palimpsest_server.domain.todos.completion import complete_todo, reopen_todo
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision


def decide_status_change(
    event: ForgetMemory | WithdrawEvidence | CompleteTodo | ReopenTodo, grounds: DecisionContext
) -> EventDecision:
    reason: str | None = None
    match event:
        case ForgetMemory():
            outcome = forget_memory(grounds.known, event.memory_id, reason=event.reason)
            reason = event.reason if outcome is ConsolidationOutcome.FORGOTTEN else None
        case WithdrawEvidence():
            outcome = withdraw_evidence(
                grounds.known, event.memory_id, event.turn_ids, reason=event.reason
            )
        case CompleteTodo():
            outcome = complete_todo(grounds.known, event.todo_id)
        case ReopenTodo():
            outcome = reopen_todo(grounds.known, event.todo_id)
    return EventDecision(actor=event.actor, reason=reason or outcome.value, outcomes=(outcome,))


def decide_due_todo(event: TodoDue, grounds: DecisionContext) -> EventDecision:
    changes = grounds.known.todos.reminded(event.todo_id, event.remind_at, grounds.now)
    reason = "a reminder was due" if changes else "nobody is to be reminded any more"
    return EventDecision(actor="consolidator", reason=reason, others=changes)
