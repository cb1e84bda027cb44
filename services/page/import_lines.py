"""Lines of an export that are taken in again: memories, each with its todo."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from palimpsest.api.exports import EXPORT_LINE, ExportedMemory, ExportedTodo, ExportLine
from palimpsest.model.memory import ImportedMemory
from palimpsest.model.todo import Todo

BATCH_MEMORIES = 100
"""The most memories of one request to the API."""


@dataclass
class ReadLines:
    """Lines that were read: what can be taken in, and how many others there were."""

    memories: list[ImportedMemory] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0

    @property
    def batches(self) -> Iterable[Sequence[ImportedMemory]]:
        for start in range(0, len(self.memories), BATCH_MEMORIES):
            yield self.memories[start : start + BATCH_MEMORIES]


def read_lines(written: str) -> ReadLines:
    """Read lines of an export; one that is not understood is counted and passed over."""
    read = ReadLines()
    lines = [_parse(line) for line in written.splitlines() if line.strip()]
    todos = {line.todo.id: line.todo for line in lines if isinstance(line, ExportedTodo)}
    for line in lines:
        if line is None:
            read.unreadable += 1
            continue
        read.counts[line.record] += 1
        if isinstance(line, ExportedMemory):
            read.memories.append(_join(line, todos))
    return read


def _parse(line: str) -> ExportLine | None:
    """Return the record of a line; None if it is none."""
    try:
        return EXPORT_LINE.validate_json(line)
    except ValidationError:
        return None


def _join(line: ExportedMemory, todos: Mapping[str, Todo]) -> ImportedMemory:
    return ImportedMemory(memory=line.memory, todo=todos.get(line.memory.id))
