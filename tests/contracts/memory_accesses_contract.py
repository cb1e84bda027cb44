"""What every store of memories promises of counting what was recalled."""

from datetime import timedelta

from palimpsest_server.stores.memories import MemoryStore, RecordedRecall
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.server.stores.memories import BOB, access, added, memory


class MemoryAccessesContract:
    async def test_what_a_recall_returned_is_known_for_a_while(self, store: MemoryStore) -> None:
        tea, coffee = memory("I like tea"), memory("I like coffee")
        await store.count([access("r1", tea, coffee), access("r2", tea)])
        found = await store.recalled({"alice": ["r1", "never"], "bob": ["r2"]})
        assert {each: set(ids) for each, ids in found.items()} == {"r1": {tea.id, coffee.id}}

    async def test_accesses_are_read_of_these_users_alone(self, store: MemoryStore) -> None:
        tea, coffee = memory("I like tea"), memory("I like coffee")
        await store.count([access("r1", tea, coffee)])
        found = await store.accesses_of({"alice": [tea.id, "never"], "bob": [tea.id]})
        assert {one: each.count for one, each in found["alice"].items()} == {tea.id: 1}
        assert found["bob"] == {}
        assert await store.accesses_of({}) == {}

    async def test_all_recalls_of_a_user_are_counted_folded_or_not(
        self, store: MemoryStore
    ) -> None:
        tea, coffee = memory("I like tea"), memory("I like coffee")
        await store.count([access("r1", tea, coffee), access("r2", tea)])
        bobs = RecordedRecall(user_id="bob", recall_id="r3", memory_ids=(tea.id,), at=day(1))
        await store.count([bobs])
        assert await store.recall_counts("alice") == {tea.id: 2, coffee.id: 1}
        while await store.fold_accesses(before=day(9), now=day(9)):
            pass
        await store.count([access("r4", coffee)])
        assert await store.recall_counts("alice") == {tea.id: 2, coffee.id: 2}
        assert await store.recall_counts("nobody") == {}

    async def test_each_recall_counts_once(self, store: MemoryStore) -> None:
        tea, coffee = memory(), memory("I like coffee")
        await store.apply(added(tea, coffee))
        later = day(3) + timedelta(hours=1)
        await store.count([access("r1", tea, coffee, tea), access("r2", tea, at=later)])
        await store.count([access("r1", tea, coffee), access("r2", tea, at=later)])
        counted = await store.accesses([ALICE], [tea.id, coffee.id])
        assert (counted[tea.id].count, counted[tea.id].last_at) == (2, later)
        assert (counted[coffee.id].count, counted[coffee.id].last_at) == (1, day(3))
        assert await store.by_ids([ALICE], [tea.id]) == [tea]

    async def test_what_was_folded_is_counted_as_before(self, store: MemoryStore) -> None:
        tea, coffee = memory(), memory("I like coffee")
        await store.apply(added(tea, coffee))
        later = day(3) + timedelta(hours=1)
        await store.count([access("r1", tea, coffee), access("r2", tea, at=later)])
        before = await store.accesses([ALICE], [tea.id, coffee.id])
        end = later + timedelta(days=1)

        while await store.fold_accesses(before=later, now=end):
            assert await store.accesses([ALICE], [tea.id, coffee.id]) == before
        assert await store.accesses([ALICE], [tea.id, coffee.id]) == before

        await store.count([access("r1", tea, coffee), access("r3", coffee, at=end)])
        while await store.fold_accesses(before=end + timedelta(days=1), now=end):
            pass
        counted = await store.accesses([ALICE], [tea.id, coffee.id])
        assert {one: each.count for one, each in counted.items()} == {tea.id: 2, coffee.id: 2}
        assert counted[coffee.id].last_at == end

    async def test_the_most_recalled_of_a_user_come_first(self, store: MemoryStore) -> None:
        tea, coffee, jam = memory("I like tea"), memory("I like coffee"), memory("I like jam")
        await store.count(
            [access("r1", tea, coffee), access("r2", tea, jam), access("r3", tea, jam)]
        )
        bobs = RecordedRecall(user_id="bob", recall_id="r4", memory_ids=(coffee.id,), at=day(1))
        await store.count([bobs])
        while await store.fold_accesses(before=day(9), now=day(9)):
            pass
        assert await store.most_accessed("alice", limit=9) == [tea.id, jam.id, coffee.id]
        assert await store.most_accessed("alice", limit=2) == [tea.id, jam.id]
        assert await store.most_accessed("nobody", limit=2) == []

    async def test_nobody_counts_or_reads_the_accesses_of_another(self, store: MemoryStore) -> None:
        mine = memory()
        await store.apply(added(mine))
        await store.count(
            [RecordedRecall(user_id="bob", recall_id="r1", memory_ids=(mine.id,), at=day(1))]
        )
        assert await store.accesses([ALICE], [mine.id]) == {}
        await store.count([access("r1", mine)])
        assert await store.accesses([BOB], [mine.id]) == {}
        assert (await store.accesses([ALICE], [mine.id]))[mine.id].count == 1
