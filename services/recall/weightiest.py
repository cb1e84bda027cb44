"""What matters most of all that is remembered of a user, where nothing was asked."""

from palimpsest.contracts.context import ContextRequest
from palimpsest.contracts.recall import Include, Recalled
from palimpsest.domain.clock import Clock
from palimpsest.domain.context.formats.table import FORMATS
from palimpsest.domain.context.weightiest import weightiest
from palimpsest.domain.ranking.hidden import why_memory_hidden
from palimpsest.domain.ranking.policies.companion import CHARACTERS
from palimpsest.domain.ranking.sight import Sight
from palimpsest.domain.user import UserState
from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.stores.memories import MemoryReader
from services.recall.answer import Answer
from services.recall.enriching import Enriching
from services.recall.presenting import recalled_memory

LOOKED_AT = 50
"""The weightiest, among which accesses decide and some of which may be over."""


class Weightiest:
    def __init__(self, memories: MemoryReader, enriching: Enriching, clock: Clock) -> None:
        self._memories = memories
        self._enriching = enriching
        self._clock = clock

    async def __call__(self, request: ContextRequest, state: UserState) -> list[Recalled]:
        """As many as the format's policy returns, the weightiest first. Not counted as accesses.

        Raises:
            TransientError: the memories are not to be had.
        """
        scopes, now = request.scope.visible(), self._clock()
        policy = request.policy or FORMATS[request.format].policy or PolicyName.DEFAULT
        limit = limit_of(policy) if request.limit is None else request.limit
        sight = Sight(scopes=scopes, state=state, now=now)
        found = await self._memories.weightiest(scopes, limit=max(LOOKED_AT, limit))
        shown = [one for one in found if why_memory_hidden(one, sight) is None]
        accesses = await self._memories.accesses(scopes, [one.id for one in shown])
        chosen = weightiest(
            shown,
            accesses,
            limit=limit,
            characters=CHARACTERS if policy is PolicyName.COMPANION else None,
        )
        answer = Answer(
            results=[recalled_memory(one, one.importance, None) for one in chosen],
            memories={one.id: one for one in chosen},
        )
        return await self._enriching(answer, frozenset({Include.GRAPH}), sight)
