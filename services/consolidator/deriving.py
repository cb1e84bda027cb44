"""What is kept beside memories and follows from the same change sets."""

from collections.abc import Iterable, Sequence

from palimpsest.contracts.topics import NOTIFICATIONS
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.change_set import ChangeSet, TodoChange
from palimpsest.stores.todos import TodoStore
from services.consolidator.todos import reminders


class Derived:
    """Steps of a change set for its other records. Like the steps for memories all are idempotent."""

    def __init__(self, todos: TodoStore, *, publisher: Publisher) -> None:
        self.todos = todos
        self._publisher = publisher

    async def apply(self, change_sets: Sequence[ChangeSet]) -> None:
        await self.todos.write([change.after for change in _todo_changes(change_sets)])

    async def announce(self, change_sets: Sequence[ChangeSet]) -> None:
        due = [event for change_set in change_sets for event in reminders(change_set)]
        if due:
            await self._publisher.publish(NOTIFICATIONS, due)


def _todo_changes(change_sets: Iterable[ChangeSet]) -> list[TodoChange]:
    return [
        change
        for change_set in change_sets
        for change in change_set.changes
        if isinstance(change, TodoChange)
    ]
