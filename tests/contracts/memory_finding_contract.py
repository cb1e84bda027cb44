"""What every store of memories promises of finding what somebody looks for."""

from datetime import timedelta
from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Memory, Relation, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_key,
    content_key,
    value_keys,
)
from palimpsest_server.stores.memories import MemoryStore
from tests.support.server.domain.consolidation.samples import ALICE, about, day, lives_in
from tests.support.server.stores.memories import BOB, COACH, added, changed, contents, memory


class MemoryFindingContract:
    async def test_memories_are_found_by_their_keys_in_their_namespace_alone(
        self, store: MemoryStore
    ) -> None:
        paris = build_memory(lives_in("Paris", on=1), received_at=day(1), epoch=0)
        bobs = build_memory(lives_in("Paris", on=1, scope=BOB), received_at=day(1), epoch=0)
        tea = memory("I like tea")
        forgotten = memory("I like coffee", kind=Kind.PREFERENCE)
        await store.apply(
            [*added(paris, bobs, tea, forgotten), changed(forgotten, status=Status.FORGOTTEN)]
        )
        contents = {content_key(tea), content_key(forgotten)}
        attributes = {attribute_key(paris) or "", attribute_key(bobs) or ""}
        assert await store.with_content_keys({ALICE.namespace: contents}) == [tea]
        assert await store.with_attribute_keys({ALICE.namespace: attributes}) == [paris]
        assert await store.with_content_keys({COACH.namespace: contents}) == []
        assert await store.with_attribute_keys({COACH.namespace: attributes}) == []
        assert await store.with_content_keys({}) == await store.with_attribute_keys({}) == []

    async def test_what_has_many_values_is_found_by_one_of_them(self, store: MemoryStore) -> None:
        def likes(value: str, on: int, scope: Scope = ALICE, **data: str) -> Memory:
            said = about("likes", value, on=on, scope=scope, data=data)
            return build_memory(said, received_at=day(on), epoch=0)

        tea, mate = likes("tea", 1), likes("mate", 2, replaces="Tea")
        hated = about("dislikes", "TEA", on=3)
        no_tea = build_memory(hated, received_at=day(3), epoch=0)
        cocoa, bobs = likes("cocoa", 4), likes("tea", 1, BOB)
        forgotten = likes("tea", 5)
        await store.apply(
            [
                *added(tea, mate, no_tea, cocoa, bobs, forgotten),
                changed(forgotten, status=Status.FORGOTTEN),
            ]
        )
        keys = {ALICE.namespace: [*value_keys(tea), *value_keys(bobs)]}
        assert contents(await store.with_value_keys(keys)) == contents([tea, mate, no_tea])
        assert await store.with_value_keys({}) == []
        other = {COACH.namespace: value_keys(tea)}
        assert await store.with_value_keys(other) == []

    async def test_what_quotes_a_message_is_found_by_it_whatever_became_of_it(
        self, store: MemoryStore
    ) -> None:
        def said(content: str, message: str, session: str = "s", scope: Scope = ALICE) -> Memory:
            quote = Evidence(quote=content, session_id=session, message_id=message)
            return memory(content, scope=scope, evidence=(quote,))

        tea, old = said("I like tea", "m1"), said("I like mate", "m1")
        others = [
            said("I like milk", "m2"),
            said("I like coke", "m1", session="other"),
            said("I like rum", "m1", scope=COACH),
        ]
        await store.apply([*added(tea, old, *others), changed(old, status=Status.ARCHIVED)])
        memories = await store.quoting(ALICE.namespace, {("s", "m1"), ("s", "m9")})
        assert sorted(contents(memories)) == sorted(contents([tea, old]))

    async def test_a_value_that_was_set_right_is_found_by_both_until_it_is_purged(
        self, store: MemoryStore
    ) -> None:
        tea = build_memory(about("likes", "tea", on=1), received_at=day(1), epoch=0)
        right = changed(tea, value="cocoa")
        await store.apply(added(tea))
        await store.apply([right])
        keys = [{ALICE.namespace: value_keys(one)} for one in (tea, right.after)]
        assert [await store.with_value_keys(key) for key in keys] == [[right.after]] * 2
        gone = changed(right.after, status=Status.PURGED, attribute=None, value=None)
        await store.apply([gone])
        assert [await store.with_value_keys(key) for key in keys] == [[], []]

    async def test_what_is_forgotten_is_found_by_its_age_in_its_namespace_alone(
        self, store: MemoryStore
    ) -> None:
        old, young, kept = memory("tea"), memory("coffee", on=5), memory("milk")
        coachs, bobs = memory("cocoa", scope=COACH), memory("beer", scope=BOB)
        gone = [old, young, coachs, bobs]
        await store.apply(added(*gone, kept))
        await store.apply([changed(one, status=Status.FORGOTTEN) for one in gone])
        memories = await store.forgotten(ALICE.namespace, recorded_before=day(5))
        assert [one.id for one in memories] == [old.id]
        at_work = await store.forgotten(COACH.namespace, recorded_before=day(9))
        assert [one.id for one in at_work] == [coachs.id]

    async def test_what_waits_for_a_yes_is_found_in_its_namespace_alone_the_oldest_first(
        self, store: MemoryStore
    ) -> None:
        late, early, kept = memory("tea", on=3), memory("coffee", on=1), memory("milk")
        coachs, bobs = memory("cocoa", scope=COACH), memory("beer", scope=BOB)
        asked = [late, early, coachs, bobs]
        await store.apply(added(*asked, kept))
        await store.apply([changed(one, status=Status.PENDING) for one in asked])
        memories = await store.waiting(ALICE.namespace, limit=5)
        assert [one.id for one in memories] == [early.id, late.id]
        assert [one.id for one in await store.waiting(ALICE.namespace, limit=1)] == [early.id]
        assert [one.id for one in await store.waiting(COACH.namespace, limit=5)] == [coachs.id]

    async def test_ids_are_found_in_their_namespace_alone(self, store: MemoryStore) -> None:
        mine, his = memory(), memory(scope=BOB)
        await store.apply(added(mine, his))
        ids = {mine.id, his.id}
        assert await store.of_namespaces({ALICE.namespace: ids}) == [mine]
        assert await store.of_namespaces({COACH.namespace: ids}) == []

    async def test_active_ones_are_found_by_attribute_and_by_what_they_rest_on(
        self, store: MemoryStore
    ) -> None:
        about: dict[str, Any] = {"subject": "user", "attribute": "city", "value": "Oslo"}
        there, elsewhere = memory("in Oslo", **about), memory("in Rome", **about)
        theirs = memory("in Oslo", **about, scope=BOB)
        base = memory("a base")
        relation = Relation(type=RelationType.DERIVED_FROM, memory_id=base.id)
        rests = memory("it rests on it").model_copy(update={"relations": (relation,)})
        await store.apply(added(there, elsewhere, theirs, base, rests))
        await store.apply([changed(elsewhere, status=Status.SUPERSEDED)])
        keys = {attribute_key(there) or ""}
        here = ALICE.namespace
        assert await store.holding_attribute_keys(here, keys, limit=9) == [there]
        assert await store.holding_attribute_keys(here, (), limit=9) == []
        before, after = there.valid_from - timedelta(days=1), there.valid_from
        held = await store.holding_attribute_keys(here, keys, limit=9, as_of=after)
        assert {one.id for one in held} == {there.id, elsewhere.id}
        assert await store.holding_attribute_keys(here, keys, limit=9, as_of=before) == []
        assert await store.rested_on(here, [base.id, there.id]) == {base.id}
        await store.apply([changed(rests, status=Status.FORGOTTEN)])
        assert await store.rested_on(here, [base.id]) == frozenset()
