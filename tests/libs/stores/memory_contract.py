"""What every store of memories promises, run against the twin and against MongoDB."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from palimpsest.domain.change_set import MemoryChange
from palimpsest.domain.errors import NotFound
from palimpsest.domain.evolution.deciding import statement
from palimpsest.domain.evolution.keys import attribute_key, content_key
from palimpsest.domain.evolution.validity import held_at
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Memory, Relation, RelationType, Status
from palimpsest.domain.scope import Scope
from palimpsest.stores.memories import Access, MemoryStore
from tests.libs.domain.evolution.samples import ALICE, candidate, day, lives_in
from tests.libs.stores.points import HOSTILE_SCOPES

BOB = Scope(user_id="bob")
COACH = Scope(user_id="alice", agent_id="coach")
WORK = Scope(user_id="alice", agent_id="coach", project_id="work")
RECALLED = day(3)


def memory(content: str = "I like tea", *, on: int = 0, **fields: Any) -> Memory:
    return statement(candidate(content, on=on, **fields), received_at=day(on), epoch=0)


def added(*memories: Memory) -> list[MemoryChange]:
    return [MemoryChange(after=one) for one in memories]


def changed(before: Memory, **fields: Any) -> MemoryChange:
    after = before.model_copy(update={**fields, "version": before.version + 1})
    return MemoryChange(before=before, after=after)


def access(recall_id: str, *memories: Memory, at: datetime = RECALLED) -> Access:
    return Access(
        user_id=memories[0].scope.user_id,
        recall_id=recall_id,
        memory_ids=tuple(one.id for one in memories),
        at=at,
    )


def contents(memories: Sequence[Memory]) -> list[str]:
    return [one.content for one in memories]


class MemoryStoreContract:
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
        assert len(ids) == len(contents) == len(attributes) == len(HOSTILE_SCOPES)
        await store.count([access("r", one) for one in memories.values()])
        for scope, own in memories.items():
            assert await store.by_ids([scope], sorted(ids)) == [own]
            assert await store.list([scope]) == [own]
            assert (await store.accesses([scope], sorted(ids))).keys() == {own.id}
            everything = [
                await store.with_content_keys({scope.namespace: contents}),
                await store.with_attribute_keys({scope.namespace: attributes}),
                await store.of_namespaces({scope.namespace: ids}),
                await store.page(scope.namespace, limit=99, after=None),
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

    async def test_memories_are_found_by_their_keys_in_their_namespace_alone(
        self, store: MemoryStore
    ) -> None:
        paris = statement(lives_in("Paris", on=1), received_at=day(1), epoch=0)
        bobs = statement(lives_in("Paris", on=1, scope=BOB), received_at=day(1), epoch=0)
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

    async def test_what_is_forgotten_is_found_by_its_age_in_its_namespace_alone(
        self, store: MemoryStore
    ) -> None:
        old, young, kept = memory("tea"), memory("coffee", on=5), memory("milk")
        coachs, bobs = memory("cocoa", scope=COACH), memory("beer", scope=BOB)
        gone = [old, young, coachs, bobs]
        await store.apply(added(*gone, kept))
        await store.apply([changed(one, status=Status.FORGOTTEN) for one in gone])
        found = await store.forgotten(ALICE.namespace, recorded_before=day(5))
        assert [one.id for one in found] == [old.id]
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
        found = await store.waiting(ALICE.namespace, limit=5)
        assert [one.id for one in found] == [early.id, late.id]
        assert [one.id for one in await store.waiting(ALICE.namespace, limit=1)] == [early.id]
        assert [one.id for one in await store.waiting(COACH.namespace, limit=5)] == [coachs.id]

    async def test_ids_are_found_in_their_namespace_alone(self, store: MemoryStore) -> None:
        mine, his = memory(), memory(scope=BOB)
        await store.apply(added(mine, his))
        ids = {mine.id, his.id}
        assert await store.of_namespaces({ALICE.namespace: ids}) == [mine]
        assert await store.of_namespaces({COACH.namespace: ids}) == []

    async def test_a_list_goes_from_the_newest_to_the_oldest_page_by_page(
        self, store: MemoryStore
    ) -> None:
        memories = [memory(f"fact {number}", on=number % 4) for number in range(9)]
        await store.apply(added(*memories))
        listed: list[Memory] = []
        while page := await store.list([ALICE], limit=2, after=listed[-1].id if listed else None):
            listed += page
        assert contents(listed) == contents(
            sorted(memories, key=lambda one: (-one.recorded_at.timestamp(), one.id))
        )

    async def test_a_list_of_several_scopes_goes_on_among_memories_of_one_instant(
        self, store: MemoryStore
    ) -> None:
        elsewhere = Scope(user_id="alice", project_id="work")
        seen = [ALICE, WORK]
        memories = [
            memory(f"fact {number}", id=f"{number} in {scope}", on=number // 6, scope=scope)
            for number in range(12)
            for scope in (*seen, COACH, elsewhere)
        ]
        await store.apply(added(*memories))
        ids: list[str] = []
        while page := await store.list(seen, limit=3, after=ids[-1] if ids else None):
            ids += [one.id for one in page]
        mine = [one for one in memories if one.scope in seen]
        in_order = sorted(mine, key=lambda one: (-one.recorded_at.timestamp(), one.id))
        assert ids == [one.id for one in in_order]

    async def test_a_list_keeps_to_kinds_and_statuses(self, store: MemoryStore) -> None:
        goal = memory("learn the cello", kind=Kind.GOAL)
        fact = memory("I like tea", on=1)
        await store.apply([*added(goal, fact), changed(fact, status=Status.ARCHIVED)])
        assert contents(await store.list([ALICE], kinds=[Kind.GOAL])) == ["learn the cello"]
        assert contents(await store.list([ALICE], statuses=[Status.ARCHIVED])) == ["I like tea"]
        assert await store.list([ALICE], statuses=[]) == []

    async def test_a_list_goes_on_only_from_what_can_be_seen(self, store: MemoryStore) -> None:
        his = memory(scope=BOB)
        await store.apply(added(his))
        with pytest.raises(NotFound):
            await store.list([ALICE], after=his.id)

    async def test_a_namespace_is_gone_through_by_id(self, store: MemoryStore) -> None:
        memories = [memory(f"fact {number}") for number in range(5)]
        await store.apply(added(*memories, memory(scope=BOB), memory(scope=COACH)))
        first = await store.page(ALICE.namespace, limit=3, after=None)
        rest = await store.page(ALICE.namespace, limit=3, after=first[-1].id)
        ids = [one.id for one in [*first, *rest]]
        assert ids == sorted(one.id for one in memories)

    async def test_the_active_ones_of_a_namespace_are_read_and_counted(
        self, store: MemoryStore
    ) -> None:
        gone = memory("I like coffee")
        await store.apply(
            added(
                memory("I like tea"),
                memory("we chose Rust", scope=WORK),
                memory("be brief", scope=COACH),
                memory("I like tea", scope=BOB),
                gone,
            )
        )
        await store.apply([changed(gone, status=Status.FORGOTTEN)])
        assert contents(await store.active(ALICE.namespace)) == ["I like tea"]
        assert sorted(contents(await store.active(COACH.namespace))) == [
            "be brief",
            "we chose Rust",
        ]
        nobody = Scope(user_id="nobody").namespace
        assert await store.count_active([ALICE.namespace, COACH.namespace, nobody]) == {
            ALICE.namespace: 1,
            COACH.namespace: 2,
            nobody: 0,
        }

    async def test_active_ones_are_read_page_by_page_in_each_order(
        self, store: MemoryStore
    ) -> None:
        made = [
            memory(f"fact {number}", importance=importance, on=number + 1)
            for number, importance in enumerate((0.5, 0.9, 0.1, 0.5))
        ]
        gone = memory("gone", importance=0.0)
        await store.apply(added(*made, gone, memory("fact 0", scope=BOB)))
        await store.apply([changed(gone, status=Status.FORGOTTEN)])
        here = ALICE.namespace
        by_id = sorted(made, key=lambda one: one.id)
        assert await store.active_page(here, limit=3) == by_id[:3]
        assert await store.active_page(here, limit=3, after=by_id[2].id) == by_id[3:]
        assert await store.active_page(here, limit=3, after=by_id[3].id) == []
        assert await store.latest(here, limit=2) == [made[3], made[2]]
        await store.apply([changed(made[2], pinned=True)])
        assert await store.least_important(here, limit=2) == [made[0], made[3]]

    async def test_what_was_superseded_is_read_from_what_ended_last_on(
        self, store: MemoryStore
    ) -> None:
        made = [memory(f"fact {number}", on=9 - number) for number in range(3)]
        elsewhere = [memory("fact", scope=COACH), memory("fact", scope=BOB)]
        await store.apply(added(*made, *elsewhere, memory("it stands")))
        await store.apply(
            [
                changed(one, status=Status.SUPERSEDED, valid_until=day(10 + number))
                for number, one in enumerate([*made, *elsewhere])
            ]
        )
        found = await store.superseded(ALICE.namespace, limit=2)
        assert contents(found) == ["fact 2", "fact 1"]

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
        assert await store.active_with_attribute_keys(here, keys, limit=9) == [there]
        assert await store.active_with_attribute_keys(here, (), limit=9) == []
        assert await store.rested_on(here, [base.id, there.id]) == {base.id}
        await store.apply([changed(rests, status=Status.FORGOTTEN)])
        assert await store.rested_on(here, [base.id]) == frozenset()

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

    async def test_nobody_counts_or_reads_the_accesses_of_another(self, store: MemoryStore) -> None:
        mine = memory()
        await store.apply(added(mine))
        await store.count([Access(user_id="bob", recall_id="r1", memory_ids=(mine.id,), at=day(1))])
        assert await store.accesses([ALICE], [mine.id]) == {}
        await store.count([access("r1", mine)])
        assert await store.accesses([BOB], [mine.id]) == {}
        assert (await store.accesses([ALICE], [mine.id]))[mine.id].count == 1

    async def test_what_held_at_a_moment_is_listed_whether_it_holds_still_or_not(
        self, store: MemoryStore
    ) -> None:
        fields: dict[str, dict[str, Any]] = {
            "past": {"status": Status.SUPERSEDED, "valid_until": day(5)},
            "since": {"valid_from": day(5)},
            "ever": {},
            "expired": {"expires_at": day(4)},
            "forgotten": {"status": Status.FORGOTTEN},
        }
        held = {
            name: memory().model_copy(update={"id": name, **each}) for name, each in fields.items()
        }
        await store.apply(added(*held.values()))
        for number in range(8):
            listed = {one.id for one in await store.list([ALICE], as_of=day(number))}
            assert listed == {one.id for one in held.values() if held_at(one, day(number))}
        assert {one.id for one in await store.list([ALICE], as_of=day(3))} == {
            "past",
            "ever",
            "expired",
        }
        active = await store.list([ALICE], as_of=day(3), statuses=[Status.ACTIVE], limit=1)
        assert [one.id for one in active] == ["ever"]
        gone = [Status.SUPERSEDED, Status.FORGOTTEN]
        over = await store.list([ALICE], as_of=day(3), statuses=gone)
        assert [one.id for one in over] == ["past"]
