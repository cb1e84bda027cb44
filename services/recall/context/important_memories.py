"""Reads the most important memories of a user, for a context without a question."""

from collections.abc import Mapping, Sequence

from palimpsest.api.context import ContextRequest
from palimpsest.api.recall import RecallDetail, RecallResult
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Accesses, Memory
from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.user import UserState
from palimpsest_language.wording.normalization import normalize_wording
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.memory_dates import find_meant_times
from palimpsest_server.domain.ranking.exclusion_reasons import explain_hidden_memory
from palimpsest_server.domain.ranking.policies.companion import CHARACTERS
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.stores.memories import MemoryReader
from services.recall.answer import RecallAnswer
from services.recall.enrichment import ResultEnricher
from services.recall.present import present_memory

INSPECTED_MEMORIES = 50
"""The most important memories that are read. Accesses decide among them, and some may no longer
hold.
"""


class ImportantMemoryReader:
    def __init__(self, memories: MemoryReader, enricher: ResultEnricher, clock: Clock) -> None:
        self._memories = memories
        self._enricher = enricher
        self._clock = clock

    async def read(self, request: ContextRequest, state: UserState) -> list[RecallResult]:
        """Return the most important memories, at most as many as the format's policy allows.

        They are not counted as accesses.

        Raises:
            TransientError: the memories are not available.
        """
        scopes, now = request.scope.visible(), self._clock()
        policy = request.policy or FORMATS[request.format].policy or PolicyName.DEFAULT
        limit = limit_of(policy) if request.limit is None else request.limit
        visibility = Visibility(scopes=scopes, state=state, now=now)
        memories = await self._memories.weightiest(scopes, limit=max(INSPECTED_MEMORIES, limit))
        shown = [memory for memory in memories if explain_hidden_memory(memory, visibility) is None]
        accesses = await self._memories.accesses(scopes, [memory.id for memory in shown])
        chosen = select_important_memories(
            shown,
            accesses,
            limit=limit,
            characters=CHARACTERS if policy is PolicyName.COMPANION else None,
        )
        answer = RecallAnswer(
            results=[present_memory(memory, memory.importance, None) for memory in chosen],
            memories={memory.id: memory for memory in chosen},
        )
        return await self._enricher.enrich(answer, frozenset({RecallDetail.GRAPH}), visibility)


def select_important_memories(
    memories: Sequence[Memory],
    accesses: Mapping[str, Accesses],
    *,
    limit: int,
    characters: int | None = None,
) -> list[Memory]:
    """Return at most `limit` memories, without repetitions of the same words on the same days.

    The order is: pinned, importance, number of accesses, newest. With `characters` all contents
    together stay below that length. A memory that does not fit is left out, and shorter ones behind
    it follow.
    """

    def order(memory: Memory) -> tuple[bool, float, int, float, str]:
        counted = accesses.get(memory.id)
        count = 0 if counted is None else counted.count
        recorded = memory.recorded_at.timestamp()
        return (not memory.pinned, -memory.importance, -count, -recorded, memory.id)

    said_once = {
        (normalize_wording(memory.content), find_meant_times(memory)): memory
        for memory in sorted(memories, key=order, reverse=True)
    }
    best = sorted(said_once.values(), key=order)[:limit]
    if characters is None:
        return best
    kept: list[Memory] = []
    for memory in best:
        if sum(len(one.content) for one in [*kept, memory]) < characters:
            kept.append(memory)
    return kept
