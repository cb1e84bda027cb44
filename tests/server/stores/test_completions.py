"""One contract for what was said to be done, in MongoDB and in memory; and what erases it."""

import pytest

from palimpsest.model.erasure import Erasure
from palimpsest.model.scope import Scope
from palimpsest.model.turn import turn_id
from palimpsest_server.stores.completions import (
    InMemoryCompletions,
    MongoCompletions,
)
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.completions import CompletionEraser
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.contracts.completion_contract import CompletionContract, done, kept
from tests.support.server.domain.consolidation.samples import day

ATLAS = Scope(user_id="alice", agent_id="coder", project_id="atlas")


class TestInMemory(CompletionContract):
    @pytest.fixture
    def completions(self) -> InMemoryCompletions:
        return InMemoryCompletions()


class TestMongo(CompletionContract):
    @pytest.fixture
    def completions(self, database: MongoDatabase) -> MongoCompletions:
        return MongoCompletions(database)


@pytest.mark.parametrize(
    ("erasure", "left"),
    [
        (Erasure(epoch=1, everything=True), {"now!"}),
        (Erasure(epoch=0, turn_ids=(turn_id("alice", "s", "first"),)), {"atlas!", "now!"}),
        (Erasure(epoch=0, project_id="atlas"), {"first!", "now!"}),
        (Erasure(epoch=0, project_id="atlas", agent_id="coach"), {"first!", "atlas!", "now!"}),
        (Erasure(epoch=0, memory_ids=("m",)), {"first!", "atlas!", "now!"}),
    ],
)
async def test_it_is_erased_with_its_message_its_project_and_everything(
    erasure: Erasure, left: set[str], database: MongoDatabase
) -> None:
    completions = MongoCompletions(database)
    bobs = done("bob", on=1, scope=Scope(user_id="bob"))
    of_alice = [done("first", on=1), done("atlas", on=2, scope=ATLAS), done("now", on=3, epoch=1)]
    await completions.write([*of_alice, bobs])
    decided = DecidedErasure(
        id="e", user_id="alice", revision=9, decided_at=day(9), known_since=day(9), erasure=erasure
    )
    await CompletionEraser(database).erase(decided)
    assert await kept(completions) == left
    assert await kept(completions, "bob") == {"bob!"}
