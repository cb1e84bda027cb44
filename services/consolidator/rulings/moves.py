"""What moves from one status to another: memories that are forgotten or unsaid, todos, reminders."""

from palimpsest.contracts.commands import CompleteTodo, ForgetMemory, ReopenTodo, UnsayMemory
from palimpsest.contracts.writes import TodoDue
from palimpsest.domain.evolution.deciding import Outcome, forget
from palimpsest.domain.evolution.unsaying import unsay
from palimpsest.domain.todos.doing import complete, reopen
from services.consolidator.rulings.ruling import Grounds, Ruling


def on_move(
    event: ForgetMemory | UnsayMemory | CompleteTodo | ReopenTodo, grounds: Grounds
) -> Ruling:
    reason: str | None = None
    match event:
        case ForgetMemory():
            outcome = forget(grounds.known, event.memory_id, reason=event.reason)
            reason = event.reason if outcome is Outcome.FORGOTTEN else None
        case UnsayMemory():
            outcome = unsay(grounds.known, event.memory_id, event.turn_ids, reason=event.reason)
        case CompleteTodo():
            outcome = complete(grounds.known, event.todo_id)
        case ReopenTodo():
            outcome = reopen(grounds.known, event.todo_id)
    return Ruling(actor=event.actor, reason=reason or outcome.value, outcomes=(outcome,))


def on_todo_due(event: TodoDue, grounds: Grounds) -> Ruling:
    changes = grounds.known.todos.reminded(event.todo_id, event.remind_at, grounds.now)
    reason = "a reminder was due" if changes else "nobody is to be reminded any more"
    return Ruling(actor="consolidator", reason=reason, others=changes)
