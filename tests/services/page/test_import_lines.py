"""Lines of an export are read for an import: memories with their todos, and the rest is counted."""

from palimpsest.api.exports import ExportedMemory, ExportedTurn, ExportEnded
from services.page.import_lines import BATCH_MEMORIES, read_lines
from tests.support.server.stores.memories import memory


def write(*records: ExportedMemory | ExportedTurn | ExportEnded) -> str:
    return "\n".join(record.model_dump_json() for record in records)


def exported(number: int) -> ExportedMemory:
    return ExportedMemory(memory=memory(f"I know song {number}"), history=())


def test_memories_are_read_and_what_is_no_record_is_passed_over() -> None:
    read = read_lines(f"{write(exported(1), ExportEnded(counts={}))}\n\nno json\n{{}}\n")
    assert [imported.memory.content for imported in read.memories] == ["I know song 1"]
    assert (read.counts, read.unreadable) == ({"memory": 1, "end": 1}, 2)


def test_batches_are_no_larger_than_a_request_takes() -> None:
    read = read_lines(write(*map(exported, range(BATCH_MEMORIES + 1))))
    assert [len(batch) for batch in read.batches] == [BATCH_MEMORIES, 1]
    assert [*read_lines("").batches] == []
