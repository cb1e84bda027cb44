"""What matters most where nothing was asked."""

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Memory
from services.recall.context.important_memories import select_important_memories
from tests.support.server.stores.memories import memory


def order(*memories: Memory, counts: dict[str, int] | None = None, limit: int = 9) -> list[str]:
    accesses = {one: Accesses(count=count) for one, count in (counts or {}).items()}
    return [
        important_memory.content
        for important_memory in select_important_memories(memories, accesses, limit=limit)
    ]


def test_pinned_then_important_then_recalled_then_new() -> None:
    pinned = memory("pinned", importance=0.1).model_copy(update={"pinned": True})
    important = memory("important", importance=0.9)
    recalled = memory("recalled", importance=0.5)
    old = memory("old", importance=0.5)
    new = memory("new", importance=0.5, on=1)
    counts = {recalled.id: 3, pinned.id: 1}
    assert order(old, new, recalled, important, pinned, counts=counts) == [
        "pinned",
        "important",
        "recalled",
        "new",
        "old",
    ]
    assert order(old, new, limit=1) == ["new"]


def test_what_two_memories_say_is_told_once() -> None:
    person = memory("Rex is three", kind=Kind.PERSON, importance=0.8)
    fact = memory("Rex is three.", kind=Kind.FACT, importance=0.9)
    assert order(person, fact, memory("Rex eats fish", importance=0.5)) == [
        "Rex is three.",
        "Rex eats fish",
    ]


def test_what_is_too_long_is_left_out_and_shorter_ones_follow() -> None:
    memories = [
        memory("a" * 60, importance=0.9),
        memory("b" * 60, importance=0.8),
        memory("c" * 30, importance=0.7),
    ]
    kept = select_important_memories(memories, {}, limit=3, characters=100)
    assert [one.content[0] for one in kept] == ["a", "c"]
