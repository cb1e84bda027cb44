"""What matters most of all that is remembered of a user, where nothing was asked."""

from palimpsest.api.context import ContextRequest
from palimpsest.api.recall import RecallDetail, RecallResult
from palimpsest.model.clock import Clock
from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.user import UserState
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.context.important_memories import select_important_memories
from palimpsest_server.domain.ranking.exclusion_reasons import explain_hidden_memory
from palimpsest_server.domain.ranking.policies.companion import CHARACTERS
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.stores.memories import MemoryReader
from services.recall.answer import RecallAnswer
from services.recall.enrichment import ResultEnricher
from services.recall.present import present_memory

INSPECTED_MEMORIES = 50
"""The weightiest, among which accesses decide and some of which may be over."""


class ImportantMemoryReader:
    def __init__(self, memories: MemoryReader, enricher: ResultEnricher, clock: Clock) -> None:
        self._memories = memories
        self._enricher = enricher
        self._clock = clock

    async def read(self, request: ContextRequest, state: UserState) -> list[RecallResult]:
        """As many as the format's policy returns, the weightiest first. Not counted as accesses.

        Raises:
            TransientError: the memories are not to be had.
        """
        scopes, now = request.scope.visible(), self._clock()
        policy = request.policy or FORMATS[request.format].policy or PolicyName.DEFAULT
        limit = limit_of(policy) if request.limit is None else request.limit
        sight = Visibility(scopes=scopes, state=state, now=now)
        found = await self._memories.weightiest(scopes, limit=max(INSPECTED_MEMORIES, limit))
        shown = [one for one in found if explain_hidden_memory(one, sight) is None]
        accesses = await self._memories.accesses(scopes, [one.id for one in shown])
        chosen = select_important_memories(
            shown,
            accesses,
            limit=limit,
            characters=CHARACTERS if policy is PolicyName.COMPANION else None,
        )
        answer = RecallAnswer(
            results=[present_memory(one, one.importance, None) for one in chosen],
            memories={one.id: one for one in chosen},
        )
        return await self._enricher.enrich(answer, frozenset({RecallDetail.GRAPH}), sight)
