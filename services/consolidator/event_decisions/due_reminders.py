"""The decision on a reminder that is due."""

from palimpsest.events.writes import TodoDue
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision


def decide_due_todo(event: TodoDue, grounds: DecisionContext) -> EventDecision:
    changes = grounds.known.todos.reminded(event.todo_id, event.remind_at, grounds.now)
    reason = "a reminder was due" if changes else "nobody is to be reminded any more"
    return EventDecision(actor="consolidator", reason=reason, others=changes)
