"""What every store of memories promises of going through them, page by page."""

from typing import Any

import pytest

from palimpsest.model.errors import RecordNotFound
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Memory, Status
from palimpsest.model.memory_times import is_held_at
from palimpsest.model.scope import Layer, Scope
from palimpsest_server.stores.listed_scopes import EveryProject
from palimpsest_server.stores.memories import ContentFilter, MemoryStore
from palimpsest_server.stores.mongo import memories as memories_mongo
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.server.stores.memories import BOB, COACH, WORK, added, changed, contents, memory


class MemoryListingContract:
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

    async def test_a_search_compares_page_by_page_and_finds_what_the_memories_say(
        self, store: MemoryStore
    ) -> None:
        evidence = (Evidence(quote="we had Green tea", message_id="m", session_id="s"),)
        memories = [
            memory("drinks GREEN tea", on=1).model_copy(update={"tags": ("Tea",)}),
            memory("在家喝绿茶", on=2),
            memory("met Lin", on=3).model_copy(update={"evidence": evidence}),
            memory("plays chess", on=4).model_copy(update={"attribute": "job", "tags": ("Play",)}),
            memory("green tea", on=5, scope=COACH),
        ]
        await store.apply(added(*memories))

        by_id = {one.id: one for one in memories}

        async def find(**wanted: Any) -> list[str]:
            page = await store.search([ALICE], ContentFilter(**wanted), limit=9)
            return [by_id[place.id].content for place in page.places]

        assert await find(text="green TEA") == ["met Lin", "drinks GREEN tea"]
        assert await find(text="绿茶") == ["在家喝绿茶"]
        assert await find(tags=frozenset({"tea"})) == ["drinks GREEN tea"]
        assert await find(text="nowhere") == []
        assert await find(text="工作", attribute="job") == ["plays chess"]
        assert await find(text="tea", attribute="job") == [
            "plays chess",
            "met Lin",
            "drinks GREEN tea",
        ]
        assert await find(text="play") == ["plays chess"]
        first, last = memories[1].occurred_at, memories[2].occurred_at
        assert await find(since=first, until=last) == ["在家喝绿茶"]
        page = await store.search([ALICE], ContentFilter(text="tea"), limit=3)
        assert ([place.id for place in page.places], page.compared) == ([memories[2].id], 3)
        rest = await store.search([ALICE], ContentFilter(text="tea"), limit=3, after=page.last_id)
        assert [tuple(place) for place in rest.places] == [
            (one.id, one.recorded_at, one.occurred_at, one.pinned, one.importance)
            for one in memories[:1]
        ]
        assert rest.compared == 1

    async def test_every_project_of_some_agents_is_listed_without_naming_it(
        self, store: MemoryStore
    ) -> None:
        elsewhere = Scope(user_id="alice", project_id="garden")
        scopes = [ALICE, elsewhere, WORK, COACH, BOB]
        memories = [
            memory(f"fact {number}", id=f"{number} in {scope}", on=number, scope=scope)
            for number in range(2)
            for scope in scopes
        ]
        await store.apply(added(*memories))
        both, projects = frozenset({None, COACH.agent_id}), frozenset({Layer.PROJECT})
        cases: list[tuple[frozenset[str | None], frozenset[Layer] | None, list[Scope]]] = [
            (both, None, scopes[:4]),
            (frozenset({None}), None, [ALICE, elsewhere]),
            (both, projects, [elsewhere, WORK]),
            (frozenset(), None, []),
        ]
        for agent_ids, layers, seen in cases:
            every = EveryProject(user_id="alice", agent_ids=agent_ids, layers=layers)
            mine = [one for one in memories if one.scope in seen]
            in_order = sorted(mine, key=lambda one: (-one.recorded_at.timestamp(), one.id))
            ids: list[str] = []
            while page := await store.list(every, limit=3, after=ids[-1] if ids else None):
                ids += [one.id for one in page]
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
        with pytest.raises(RecordNotFound):
            await store.list([ALICE], after=his.id)

    async def test_the_weightiest_are_pinned_or_important_or_new(self, store: MemoryStore) -> None:
        pinned = memory("pinned", importance=0.1).model_copy(update={"pinned": True})
        important = memory("important", importance=0.9, scope=WORK)
        old, new = memory("old", importance=0.5), memory("new", importance=0.5, on=1)
        waiting = memory("waiting", importance=1.0).model_copy(update={"status": Status.PENDING})
        others = [memory("his", importance=1.0, scope=BOB), memory("coach", scope=COACH)]
        await store.apply(added(old, new, waiting, important, pinned, *others))
        seen = [ALICE, WORK]
        memories = await store.weightiest(WORK.visible(), limit=9)
        assert contents(memories) == ["pinned", "important", "coach", "new", "old"]
        memories = await store.weightiest(seen, limit=9)
        assert contents(memories) == ["pinned", "important", "new", "old"]
        assert contents(await store.weightiest([ALICE], limit=2)) == ["pinned", "new"]

    async def test_a_namespace_is_gone_through_by_id(self, store: MemoryStore) -> None:
        memories = [memory(f"fact {number}") for number in range(5)]
        await store.apply(added(*memories, memory(scope=BOB), memory(scope=COACH)))
        pages = [page async for page in store.pages(ALICE.namespace, size=3)]
        assert [len(page) for page in pages] == [3, 2]
        ids = [one.id for page in pages for one in page]
        assert ids == sorted(one.id for one in memories)

    async def test_a_large_page_of_a_namespace_is_whole(self, store: MemoryStore) -> None:
        await store.apply(added(*(memory(f"fact {number}", on=1) for number in range(530))))
        sizes = [len(page) async for page in store.pages(ALICE.namespace, size=265)]
        assert sizes == [265, 265]

    async def test_who_goes_through_a_namespace_does_not_meet_what_comes_meanwhile(
        self, store: MemoryStore
    ) -> None:
        memories = sorted((memory(f"fact {number}") for number in range(4)), key=lambda one: one.id)
        await store.apply(added(*memories))
        pages = store.pages(ALICE.namespace, size=2)
        assert await anext(pages) == memories[:2]
        await store.apply(added(memory("said meanwhile")))
        assert await anext(pages) == memories[2:]
        assert await anext(pages, None) is None

    async def test_of_many_each_is_met_as_it_is_by_then(
        self, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(memories_mongo, "SINGLE_PAGE_MEMORIES", 3)
        memories = sorted((memory(f"fact {number}") for number in range(4)), key=lambda one: one.id)
        await store.apply(added(*memories))
        pages = store.pages(ALICE.namespace, size=2)
        assert await anext(pages) == memories[:2]
        change = changed(memories[3], importance=0.9)
        await store.apply([change])
        assert await anext(pages) == [memories[2], change.after]
        assert await anext(pages, None) is None

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

    async def test_figures_are_read_of_all_memories_of_a_namespace(
        self, store: MemoryStore
    ) -> None:
        tea, gone = memory("I like tea", on=1, importance=0.4), memory("gone", on=2)
        await store.apply(added(tea, gone, memory("I like jam", scope=COACH)))
        await store.apply([changed(gone, status=Status.FORGOTTEN)])
        figures = {each.id: each[1:] for each in await store.figures(ALICE.namespace)}
        assert figures == {
            tea.id: (Status.ACTIVE, tea.kind, 0.4, tea.recorded_at, tea.epoch),
            gone.id: (Status.FORGOTTEN, gone.kind, gone.importance, gone.recorded_at, gone.epoch),
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
        memories = await store.superseded(ALICE.namespace, limit=2)
        assert contents(memories) == ["fact 2", "fact 1"]

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
            assert listed == {one.id for one in held.values() if is_held_at(one, day(number))}
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
