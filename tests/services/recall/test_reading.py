"""What was read already is handed over: read no second time, and judged like all else."""

from typing import Any

import pytest

from palimpsest.contracts.recall import Record
from palimpsest.domain.clock import Clock
from palimpsest.domain.memory import Status
from palimpsest.domain.ranking.sight import Sight
from palimpsest.domain.scope import Scope
from palimpsest.domain.user import UserState
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.summaries import InMemorySummaries
from palimpsest.stores.turns_memory import InMemoryTurns
from palimpsest.stores.vector_memory import InMemoryVectorStore
from services.recall.reading import Reader
from tests.services.recall.stand_ins import shared_embedder
from tests.services.recall.world import NOW, World


@pytest.mark.parametrize(
    ("fields", "epoch", "dropped"),
    [
        ({}, 0, []),
        ({"scope": Scope(user_id="bob")}, 0, ["not_in_scope"]),
        ({"status": Status.FORGOTTEN}, 0, ["not_active"]),
        ({"valid_until": NOW}, 0, ["no_longer_valid"]),
        ({}, 1, ["erased"]),
    ],
)
async def test_what_is_at_hand_is_shown_where_it_may_be(
    clock: Clock, fields: dict[str, Any], epoch: int, dropped: list[str]
) -> None:
    elsewhere = World(
        InMemoryMemories(), InMemoryTurns(), InMemoryVectorStore(shared_embedder().model), clock
    )
    memory = await elsewhere.remembered("Ada drinks oolong", **fields)
    told: list[str] = []
    reader = Reader(InMemoryMemories(), InMemoryTurns(), InMemorySummaries(), told.append)
    sight = Sight(scopes=(Scope(user_id="ada"),), now=NOW, state=UserState(epoch=epoch))
    found = {memory.id: Record.MEMORY}
    read = await reader.read(found, [], sight, at_hand={memory.id: memory})
    assert (memory.id in read, told) == (not dropped, dropped)
