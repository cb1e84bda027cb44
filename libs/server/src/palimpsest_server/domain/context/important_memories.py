"""Which memories matter most where nothing was asked: at the start of a conversation."""

from collections.abc import Mapping, Sequence

from palimpsest.model.memory import Accesses, Memory
from palimpsest_language.wording.normalization import normalize_wording


def select_important_memories(
    memories: Sequence[Memory],
    accesses: Mapping[str, Accesses],
    *,
    limit: int,
    characters: int | None = None,
) -> list[Memory]:
    """At most `limit`, no two in the same words: the pinned, the important, the often recalled, and of equals the newest.

    With `characters` all of their contents together stay below so many; one that does not fit is
    left out, and shorter ones behind it come.
    """

    def order(memory: Memory) -> tuple[bool, float, int, float, str]:
        counted = accesses.get(memory.id)
        count = 0 if counted is None else counted.count
        recorded = memory.recorded_at.timestamp()
        return (not memory.pinned, -memory.importance, -count, -recorded, memory.id)

    said_once = {
        normalize_wording(one.content): one for one in sorted(memories, key=order, reverse=True)
    }
    best = sorted(said_once.values(), key=order)[:limit]
    if characters is None:
        return best
    kept: list[Memory] = []
    for memory in best:
        if sum(len(one.content) for one in [*kept, memory]) < characters:
            kept.append(memory)
    return kept
