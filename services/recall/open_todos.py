"""List every open todo that the reader may see, whatever is near to the question."""

from datetime import UTC, datetime

from palimpsest.api.recall import RecordType
from palimpsest_server.stores.todos import TodoReader
from services.recall.answer import RecallAnswer
from services.recall.present import present_memory
from services.recall.question import Question
from services.recall.read import DocumentReader


async def list_open_todos(
    question: Question, todos: TodoReader, reader: DocumentReader
) -> RecallAnswer:
    """Return the open todos as memories, what is due soonest first.

    Raises:
        TransientError: the documents are not to be had.
    """
    found = await todos.list(
        question.visibility.scopes, due_before=_latest(question), limit=question.request.wanted
    )
    read = await reader.read(
        {todo.id: RecordType.MEMORY for todo in found}, [], question.visibility
    )
    seen = [read.memories[todo.id] for todo in found if todo.id in read.memories]
    return RecallAnswer([present_memory(one, 1.0, None) for one in seen], memories=read.memories)


def _latest(question: Question) -> datetime | None:
    """Return the end of the times that are named: what is overdue is still to be done as well."""
    ends = [end for _, end in question.times if end is not None]
    return datetime.fromtimestamp(max(ends), UTC) if ends else None
