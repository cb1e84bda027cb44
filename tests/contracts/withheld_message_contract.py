"""The promises of every store of withheld messages."""

from palimpsest_server.domain.consolidation.withheld_evidence import (
    WithheldEvidence,
    hidden_turn_ids,
)
from palimpsest_server.stores.withheld_messages import WithheldStore


def forgotten(
    memory: str, *turns: str, revision: int = 1, user_id: str = "ann", epoch: int = 0
) -> WithheldEvidence:
    return WithheldEvidence(
        memory_id=memory,
        user_id=user_id,
        epoch=epoch,
        revision=revision,
        turn_ids=turns,
        left_out=turns,
        summary_ids=("s",),
    )


async def hidden(withheld: WithheldStore, *user_ids: str) -> dict[str, frozenset[str]]:
    return {user: hidden_turn_ids(found) for user, found in (await withheld.of(user_ids)).items()}


class WithheldContract:
    async def test_the_messages_of_all_memories_of_a_user_are_told_together(
        self, withheld: WithheldStore
    ) -> None:
        await withheld.write([forgotten("m1", "t1", "t2"), forgotten("m2", "t2", "t3")])
        await withheld.write([forgotten("m3", "t4", user_id="ben")])
        assert await hidden(withheld, "ann", "eve") == {"ann": {"t1", "t2", "t3"}}

    async def test_one_stays_as_long_as_any_memory_of_it_is_forgotten(
        self, withheld: WithheldStore
    ) -> None:
        await withheld.write([forgotten("m1", "t"), forgotten("m2", "t")])
        await withheld.write([forgotten("m1", revision=2)])
        assert await hidden(withheld, "ann") == {"ann": {"t"}}
        await withheld.write([forgotten("m2", revision=3)])
        assert await hidden(withheld, "ann") == {}

    async def test_what_is_late_changes_nothing(self, withheld: WithheldStore) -> None:
        await withheld.write([forgotten("m", revision=2)])
        await withheld.write([forgotten("m", "t", revision=1)])
        await withheld.write([forgotten("m", revision=2)])
        assert await hidden(withheld, "ann") == {}

    async def test_its_summaries_are_to_be_looked_at_whenever_it_or_they_were_written(
        self, withheld: WithheldStore
    ) -> None:
        first = forgotten("m", "t")
        await withheld.write([first])
        (untold,) = await withheld.untold(limit=9)
        assert untold.withheld == first
        await withheld.looked_at(untold)
        assert await withheld.untold(limit=9) == []

        await withheld.look_again({"ben": ["s"], "ann": ["another"]})
        assert await withheld.untold(limit=9) == []
        await withheld.look_again({"ann": ["s"]})
        assert [review.withheld for review in await withheld.untold(limit=9)] == [first]

    async def test_what_was_written_while_somebody_looked_is_looked_at_again(
        self, withheld: WithheldStore
    ) -> None:
        await withheld.write([forgotten("m", "t")])
        (untold,) = await withheld.untold(limit=9)
        await withheld.look_again({"ann": ["s"]})
        await withheld.looked_at(untold)
        (untold,) = await withheld.untold(limit=9)
        await withheld.write([forgotten("m", revision=2)])
        await withheld.looked_at(untold)
        assert [review.withheld.revision for review in await withheld.untold(limit=9)] == [2]
