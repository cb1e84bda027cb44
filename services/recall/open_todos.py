"""Lists every open todo that the reader may see, whether or not it is near to the question."""

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
    """Return the open todos as memories, earliest due first.

    Raises:
        TransientError: the documents are not available.
    """
    found = await todos.list(
        question.visibility.scopes, due_before=_latest(question), limit=question.request.wanted
    )
    read = await reader.read(
        {todo.id: RecordType.MEMORY for todo in found}, [], question.visibility
    )
    seen = [read.memories[todo.id] for todo in found if todo.id in read.memories]
    return RecallAnswer(
        [present_memory(memory, 1.0, None) for memory in seen], memories=read.memories
    )


def _latest(question: Question) -> datetime | None:
    """Return the end of the latest named time; overdue todos count as well."""
    ends = [end for _, end in question.times if end is not None]
    return datetime.fromtimestamp(max(ends), UTC) if ends else None
