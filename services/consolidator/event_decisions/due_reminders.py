"""The decision on a reminder that is due."""

from palimpsest.events.writes import TodoDue
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision


def decide_due_todo(event: TodoDue, grounds: DecisionContext) -> EventDecision:
    changes = grounds.known.todos.reminded(
        event.todo_id, event.remind_at, grounds.now, grounds.settings
    )
    reason = "nobody is to be reminded any more"
    if changes:
        given = changes[0].after.reminded_at != (
            changes[0].before and changes[0].before.reminded_at
        )
        reason = "a reminder was due" if given else "a reminder was due in quiet hours"
    return EventDecision(actor="consolidator", reason=reason, others=changes)
