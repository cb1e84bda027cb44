"""What every store of memories promises of writing: nothing is lost, twice or out of turn."""

from typing import Any

from palimpsest.model.memory import Status
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_key,
    content_key,
    value_keys,
)
from palimpsest_server.stores.memories import MemoryStore
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.server.stores.memories import BOB, COACH, WORK, access, added, changed, memory
from tests.support.server.stores.points import HOSTILE_SCOPES


class MemoryWritingContract:
    async def test_what_was_written_is_read_as_it_was(self, store: MemoryStore) -> None:
        rich = memory(
            "我住在柏林",
            attribute="city",
            value="柏林",
            subject="user",
            tags=("a", "b"),
            data={"steps": [{"wait": 1.5}, None], "$odd.key": True},
            valid_until=day(9),
        )
        await store.apply(added(rich))
        assert await store.by_ids([ALICE], [rich.id]) == [rich]

    async def test_a_memory_is_read_only_from_exactly_its_scope(self, store: MemoryStore) -> None:
        scopes = [ALICE, BOB, COACH, WORK]
        memories = {scope: memory(scope=scope, id=f"in {scope}") for scope in scopes}
        await store.apply(added(*memories.values()))
        ids = [one.id for one in memories.values()]
        for scope in scopes:
            assert await store.by_ids([scope], ids) == [memories[scope]]
            assert await store.list([scope]) == [memories[scope]]
        assert len(await store.by_ids(WORK.visible(), ids)) == 3

    async def test_hostile_ids_never_meet(self, store: MemoryStore) -> None:
        about: dict[str, Any] = {"attribute": "likes", "value": "tea"}
        memories = {
            scope: memory(scope=scope, id=f"in {scope}", **about) for scope in HOSTILE_SCOPES
        }
        await store.apply(added(*memories.values()))
        ids = {one.id for one in memories.values()}
        contents = {content_key(one) for one in memories.values()}
        attributes = {attribute_key(one) or "" for one in memories.values()}
        values = {key for one in memories.values() for key in value_keys(one)}
        assert len(ids) == len(values) == len(contents) == len(attributes) == len(HOSTILE_SCOPES)
        await store.count([access("r", one) for one in memories.values()])
        for scope, own in memories.items():
            assert await store.by_ids([scope], sorted(ids)) == [own]
            assert await store.list([scope]) == [own]
            assert (await store.accesses([scope], sorted(ids))).keys() == {own.id}
            everything = [
                await store.with_content_keys({scope.namespace: contents}),
                await store.with_attribute_keys({scope.namespace: attributes}),
                await store.with_value_keys({scope.namespace: values}),
                await store.of_namespaces({scope.namespace: ids}),
                [one async for page in store.pages(scope.namespace, size=99) for one in page],
            ]
            for found in everything:
                assert own in found
                assert {one.scope.namespace for one in found} == {scope.namespace}

    async def test_a_write_that_expects_what_stands_is_made(self, store: MemoryStore) -> None:
        first = memory()
        await store.apply(added(first))
        change = changed(first, status=Status.FORGOTTEN, status_reason="asked")
        assert await store.apply([change]) == 0
        assert await store.by_ids([ALICE], [first.id]) == [change.after]

    async def test_a_run_of_changes_ends_with_the_last(self, store: MemoryStore) -> None:
        first = memory()
        second = changed(first, importance=0.5)
        third = changed(second.after, importance=0.6)
        other = memory("I like coffee")
        assert await store.apply([*added(first), second, *added(other), third]) == 0
        assert await store.by_ids([ALICE], [first.id]) == [third.after]
        assert await store.by_ids([ALICE], [other.id]) == [other]

    async def test_applying_again_changes_nothing(self, store: MemoryStore) -> None:
        first = memory()
        changes = [*added(first), changed(first, importance=0.5)]
        await store.apply(changes)
        assert await store.apply(changes[:1]) == 0
        assert await store.apply(changes) == 0
        assert await store.by_ids([ALICE], [first.id]) == [changes[-1].after]

    async def test_a_late_write_never_goes_over_a_newer_one(self, store: MemoryStore) -> None:
        first = memory()
        newer = changed(first, importance=0.5)
        newest = changed(newer.after, importance=0.6)
        await store.apply([*added(first), newer, newest])
        zombie = changed(first, importance=0.1)
        assert await store.apply([zombie]) == 0
        assert await store.by_ids([ALICE], [first.id]) == [newest.after]

    async def test_a_run_that_was_cut_short_is_completed_without_a_conflict(
        self, store: MemoryStore
    ) -> None:
        first = memory()
        second = changed(first, importance=0.5)
        third = changed(second.after, importance=0.6)
        await store.apply([*added(first), second])
        assert await store.apply([*added(first), second, third]) == 0
        assert await store.by_ids([ALICE], [first.id]) == [third.after]

    async def test_what_has_lost_a_write_is_brought_up_and_counted(
        self, store: MemoryStore
    ) -> None:
        first, missing = memory(), memory("I like coffee")
        lost = changed(first, importance=0.5)
        late = changed(lost.after, importance=0.6)
        await store.apply(added(first))
        assert await store.apply([late, changed(missing, importance=0.2)]) == 2
        assert await store.by_ids([ALICE], [first.id]) == [late.after]
        assert len(await store.by_ids([ALICE], [missing.id])) == 1
