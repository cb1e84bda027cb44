"""Words that are kept in the process find what the database would find, and follow every change."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from palimpsest.model.change_set import ChangeSetProgress, MemoryChange
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.stores.collections import MEMORIES
from palimpsest_server.stores.encryption.keyring import KEY_CACHE_LIFETIME
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes
from palimpsest_server.stores.memories import ContentFilter
from palimpsest_server.stores.mongo import memory_text_search, memory_texts
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.list_filter import ListFilter
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.memory_text_search import MemoryTextSearch
from palimpsest_server.stores.mongo.memory_texts import MemoryTexts
from tests.support.databases import indexed_database
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.server.stores.memories import BOB, COACH, WORK, added, changed, contents, memory
from tests.support.stores.decided_change_sets import decided
from tests.support.stores.memories import InMemoryMemories

EVERYWHERE = EveryProject(user_id="alice", agent_ids=frozenset({None, COACH.agent_id}))
PLACES = [(MEMORIES.name, "alice")]


@pytest.fixture
async def database(mongodb_url: str) -> AsyncIterator[MongoDatabase]:
    async with indexed_database(mongodb_url, embedded=True) as own:
        yield own


@pytest.fixture
def store(database: MongoDatabase, monkeypatch: pytest.MonkeyPatch) -> MongoMemories:
    monkeypatch.setattr(memory_text_search, "WORTH_READING", 1)
    return MongoMemories(database)


class Line:
    """The change sets of Alice, each decided and applied as the consolidator does it."""

    def __init__(self, database: MongoDatabase, store: MongoMemories) -> None:
        self._change_sets = MongoChangeSets(database)
        self._store = store
        self._revision = 0

    async def decide(self, changes: Sequence[MemoryChange]) -> str:
        self._revision += 1
        one = decided("alice", self._revision, changes=tuple(changes))
        assert not await self._change_sets.append([one])
        return one.change_set.id

    async def apply(self, changes: Sequence[MemoryChange]) -> None:
        change_set_id = await self.decide(changes)
        await self._store.apply(changes)
        await self._change_sets.mark([change_set_id], ChangeSetProgress.APPLIED)


async def find(store: MongoMemories, text: str, scopes: ListedScopes = EVERYWHERE) -> list[str]:
    page = await store.search(scopes, ContentFilter(text=text), limit=2_000)
    memories = {one.id: one for one in await store.by_ids(scopes, [one.id for one in page.places])}
    return contents([memories[place.id] for place in page.places])


async def test_pages_are_those_of_a_store_that_compares_each_memory(
    database: MongoDatabase, store: MongoMemories
) -> None:
    twin = InMemoryMemories()
    scopes = [ALICE, COACH, WORK, BOB, Scope(user_id="alice", project_id="garden")]
    memories = [
        memory(
            f"Tea No. {number}" if number % 3 else f"绿茶 {number}",
            id=f"memory {number}",
            on=number // 4,
            scope=scopes[number % len(scopes)],
        ).model_copy(
            update={
                "tags": ("Garden",) if number % 7 == 0 else (),
                "pinned": number % 5 == 0,
                "importance": number / 40,
            }
        )
        for number in range(40)
    ]
    gone = changed(memories[3], status=Status.SUPERSEDED)
    for changes in (added(*memories), [gone]):
        await store.apply(changes)
        await twin.apply(changes)
    whenever = ListFilter.of()
    assert MemoryTextSearch(database).serves(PLACES, ContentFilter(text="tea"), whenever, 4)
    assert MemoryTextSearch(database).serves(PLACES, ContentFilter(), whenever, 4)
    filters = [
        ContentFilter(),
        *(ContentFilter(text=text) for text in ("tea no", "绿茶", "GARDEN", "no. 1", "coffee")),
        ContentFilter(tags=frozenset({"garden"})),
        ContentFilter(since=memories[9].occurred_at, until=memories[21].occurred_at),
        ContentFilter(text="2", tags=frozenset({"Garden"}), since=memories[1].occurred_at),
    ]
    for scope in (EVERYWHERE, [ALICE], WORK.visible()):
        for asked in filters:
            after: str | None = None
            while True:
                pages = [
                    await one.search(scope, asked, statuses=[Status.ACTIVE], limit=4, after=after)
                    for one in (store, twin)
                ]
                assert pages[0] == pages[1]
                if pages[0].compared < 4:
                    break
                after = pages[0].last_id


async def test_what_changed_since_is_found_as_it_is_now(
    database: MongoDatabase, store: MongoMemories
) -> None:
    line = Line(database, store)
    tea, cocoa = memory("I like tea", on=1), memory("I like cocoa", on=2)
    await line.apply(added(tea, cocoa))
    assert await find(store, "like") == ["I like cocoa", "I like tea"]
    to_mate = changed(tea, content="I like mate", summary="likes mate")
    await line.apply([to_mate, *added(memory("I like jam", on=3, scope=WORK))])
    assert await find(store, "like") == ["I like jam", "I like cocoa", "I like mate"]
    assert await find(store, "mate", [ALICE]) == ["I like mate"]


async def test_what_is_decided_is_found_once_it_is_applied(
    database: MongoDatabase, store: MongoMemories
) -> None:
    line = Line(database, store)
    await line.apply(added(memory("I like tea", on=1)))
    late: list[Memory] = [memory("I like jam", on=2)]
    change_set_id = await line.decide(added(*late))
    assert await find(store, "like") == ["I like tea"]
    await line.apply(added(memory("I like figs", on=3)))
    assert await find(store, "like") == ["I like figs", "I like tea"]
    await store.apply(added(*late))
    assert await find(store, "like") == ["I like figs", "I like jam", "I like tea"]
    await MongoChangeSets(database).mark([change_set_id], ChangeSetProgress.APPLIED)
    assert await find(store, "like") == ["I like figs", "I like jam", "I like tea"]


async def test_what_held_at_a_moment_is_asked_of_the_database(
    database: MongoDatabase, store: MongoMemories
) -> None:
    """The figures that are kept do not tell when a memory began or ended to hold."""
    early, late = memory("I like tea", on=1), memory("I like jam", on=9)
    await Line(database, store).apply(added(early, late))
    page = await store.search(
        EVERYWHERE, ContentFilter(), as_of=late.valid_from - timedelta(days=1), limit=2_000
    )
    assert [place.id for place in page.places] == [early.id]


async def test_an_erased_memory_is_not_found(database: MongoDatabase, store: MongoMemories) -> None:
    tea = memory("I like tea")
    await Line(database, store).apply(added(tea))
    assert await find(store, "tea") == ["I like tea"]
    await database.raw(MEMORIES.name).delete_one({"_id": tea.id})
    assert await find(store, "tea") == []


async def test_words_are_dropped_though_somebody_searches_on(
    database: MongoDatabase, store: MongoMemories, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Erased words are not kept longer than promised, nor by a program that knows of no erasure."""
    waiting = asyncio.Event()
    monkeypatch.setattr(memory_texts, "KEPT_SECONDS", 0.0)
    texts = MemoryTexts(database)
    await Line(database, store).apply(added(memory("I like tea")))
    assert [one.id for one in await texts.read(*PLACES[0])] == [memory("I like tea").id]
    asyncio.get_running_loop().call_later(0.0, waiting.set)
    await waiting.wait()
    assert not texts.knows(*PLACES[0])


async def test_encrypted_words_are_found_and_kept_for_a_shorter_time(
    mongodb_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_text_search, "WORTH_READING", 1)
    async with indexed_database(mongodb_url, MasterKeys(bytes(32)), embedded=True) as own:
        store = MongoMemories(own)
        await Line(own, store).apply(added(memory("I like tea", on=1), memory("I like jam", on=2)))
        assert await find(store, "LIKE") == ["I like jam", "I like tea"]
        assert await find(store, "tea") == ["I like tea"]
    assert KEY_CACHE_LIFETIME.total_seconds() >= memory_texts.ENCRYPTED_KEPT_SECONDS
