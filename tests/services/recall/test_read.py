"""What was read already is handed over: read no second time, and judged like all else."""

from typing import Any

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserState
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.summaries import InMemorySummaries
from services.recall.read import DocumentReader
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.services.recall.world import NOW, World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns


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
    reader = DocumentReader(InMemoryMemories(), InMemoryTurns(), InMemorySummaries(), told.append)
    sight = Visibility(scopes=(Scope(user_id="ada"),), now=NOW, state=UserState(epoch=epoch))
    found = {memory.id: RecordType.MEMORY}
    read = await reader.read(found, [], sight, at_hand={memory.id: memory})
    assert (memory.id in read, told) == (not dropped, dropped)
