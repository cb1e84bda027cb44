"""Reads the documents of candidates, and checks that they may be shown."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from palimpsest.api.recall import RecordType
from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest_language.question_intents.attribute_questions import AttributeQuestion
from palimpsest_server.domain.consolidation.memory_keys import attribute_keys_in_scope
from palimpsest_server.domain.ranking.exclusion_reasons import (
    DISCLOSED_REASONS,
    SAYS_NOTHING,
    explain_hidden_memory,
    explain_hidden_summary,
    explain_hidden_turn,
)
from palimpsest_server.domain.ranking.match_pool import TurnPosition
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.summaries import SummaryReader, find_latest_matching
from palimpsest_server.stores.turns import TurnReader
from services.recall.hot_set import HotSet

MEMORIES_PER_ATTRIBUTE = 20
"""The most memories of one attribute that are read in each namespace."""


class DocumentReader:
    """Reads memories, turns and summaries in one round trip."""

    def __init__(
        self,
        memories: MemoryReader,
        turns: TurnReader,
        summaries: SummaryReader,
        dropped: Callable[[str], None],
        hot: HotSet | None = None,
    ) -> None:
        self._hot = hot
        self._summaries = summaries
        self._memories = memories
        self._turns = turns
        self._dropped = dropped

    async def read(
        self,
        found: Mapping[str, RecordType],
        beside: Sequence[TurnPosition],
        visibility: Visibility,
        *,
        versions: Mapping[str, int | None] | None = None,
        at_hand: Mapping[str, Memory] | None = None,
    ) -> VisibleDocuments:
        """Read documents by id, and turns by position, and keep those that may be shown.

        Args:
            found: ids with the type of each record.
            beside: positions of turns.
            visibility: what may be shown.
            versions: projected versions; a cached memory of that version is not read.
            at_hand: memories that were read for this question already; they are only checked.
        """
        memory_ids = [one for one, record in found.items() if record is RecordType.MEMORY]
        turn_ids = [one for one, record in found.items() if record is RecordType.TURN]
        summary_ids = [one for one, record in found.items() if record is RecordType.SUMMARY]
        memories, turns, neighbours, summaries = await asyncio.gather(
            self._memories_of(memory_ids, visibility, versions or {}, at_hand or {}),
            self._turns.by_ids(visibility.scopes, turn_ids),
            self._turns.around(visibility.scopes, beside),
            self._summaries.by_ids(visibility.scopes, summary_ids),
        )
        hidden = {memory.id: explain_hidden_memory(memory, visibility) for memory in memories}
        hidden |= {turn.id: explain_hidden_turn(turn, visibility) for turn in [*turns, *neighbours]}
        hidden |= {summary.id: explain_hidden_summary(summary, visibility) for summary in summaries}
        missing = len(found) - len(memories) - len(turns) - len(summaries)
        for why in [*hidden.values(), *["not_in_scope"] * missing]:
            if why not in {None, SAYS_NOTHING}:
                self._dropped(why)
        return VisibleDocuments(
            memories={memory.id: memory for memory in memories if hidden[memory.id] is None},
            turns={turn.id: turn for turn in [*turns, *neighbours] if hidden[turn.id] is None},
            summaries={summary.id: summary for summary in summaries if hidden[summary.id] is None},
            hidden={one: why for one, why in hidden.items() if why in DISCLOSED_REASONS},
            successors={
                memory.id: memory.superseded_by
                for memory in memories
                if memory.superseded_by is not None and memory.status is Status.SUPERSEDED
            },
        )

    async def read_latest_summaries(
        self, visibility: Visibility, limit: int
    ) -> list[SessionSummary]:
        """Return the summaries of the latest conversations, the latest first."""
        return await find_latest_matching(
            self._summaries,
            visibility.scopes,
            lambda summary: explain_hidden_summary(summary, visibility) is None,
            now=visibility.now,
            limit=limit,
        )

    async def read_attribute(
        self, attribute: AttributeQuestion | None, visibility: Visibility
    ) -> dict[str, Memory]:
        """Return the memories of an attribute that hold at the asked moment: one read per namespace.

        Memories that a value is over are among them only where nothing says which one holds.
        """
        if attribute is None:
            return {}
        keys: dict[Namespace, list[str]] = {}
        for scope in visibility.scopes:
            own = attribute_keys_in_scope(scope, attribute.subject, attribute.attributes)
            keys.setdefault(scope.namespace, []).extend(own)
        found = await asyncio.gather(
            *(
                self._memories.holding_attribute_keys(
                    namespace, own, limit=MEMORIES_PER_ATTRIBUTE, as_of=visibility.as_of
                )
                for namespace, own in keys.items()
            )
        )
        shown = [
            memory
            for memories in found
            for memory in memories
            if explain_hidden_memory(memory, visibility) is None
        ]
        known = {memory.attribute for memory in shown if not memory.ended}
        return {
            memory.id: memory
            for memory in shown
            if not (memory.ended and memory.attribute in known)
        }

    async def read_accesses(
        self, scopes: Sequence[Scope], ids: Sequence[str]
    ) -> dict[str, Accesses]:
        """Return the accesses of each memory; a memory that was never recalled is left out."""
        return await self._memories.accesses(scopes, ids)

    async def read_memories(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[Memory]:
        """Return the memories of these ids in these scopes, whatever their status."""
        return await self._memories.by_ids(scopes, ids) if ids else []

    async def _memories_of(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        versions: Mapping[str, int | None],
        at_hand: Mapping[str, Memory],
    ) -> list[Memory]:
        known = {one: at_hand[one] for one in ids if one in at_hand}
        unknown = {one: versions.get(one) for one in ids if one not in known}
        if unknown and self._hot is not None:
            known |= self._hot.of(visibility.scopes, unknown, epoch=visibility.state.epoch)
        rest = [one for one in unknown if one not in known]
        return [*known.values(), *await self.read_memories(visibility.scopes, rest)]
