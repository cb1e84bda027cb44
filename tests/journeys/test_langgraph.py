"""A graph of LangGraph keeps its items here, and meets what LangGraph's own store would do."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.journeys.running import RunningPalimpsest

pytest.importorskip("langgraph.store.base", reason="LangGraph is not installed")

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from palimpsest.client import PalimpsestClient
from palimpsest.integrations.langgraph import PalimpsestStore

pytestmark = pytest.mark.embedded

BOOKS = ("users", "lena", "books")
ITEMS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (BOOKS, "dune", {"title": "Dune", "pages": 412, "tags": ["sand"], "by": {"name": "Frank"}}),
    (BOOKS, "Dune", {"title": "Dune", "pages": 40}),
    (("users", "lena"), "city", {"city": "里斯本"}),
    (("users", "Lena"), "city", {"city": "Oslo"}),
    (("teams", "blue", "books"), "emma", {"title": "Emma", "pages": 380, "read": True}),
]

SEARCHES: tuple[dict[str, Any], ...] = (
    {},
    {"limit": 1, "offset": 1},
    {"filter": {"title": "Dune"}},
    {"filter": {"by": {"name": "Frank"}}},
    {"filter": {"tags": ["sand"], "pages": {"$ne": 3}}},
)
NAMESPACES: tuple[dict[str, Any], ...] = (
    {},
    {"prefix": ("users",)},
    {"prefix": ("*", "lena")},
    {"suffix": ("books",)},
    {"max_depth": 1},
    {"limit": 1, "offset": 1},
)


@pytest.fixture
async def store(
    palimpsest: RunningPalimpsest, request: pytest.FixtureRequest
) -> AsyncIterator[PalimpsestStore]:
    store = PalimpsestStore(
        user_id=f"langgraph {request.node.name}", http_url=palimpsest.instance.http_url
    )
    yield store
    await asyncio.to_thread(store.close)


def show(item: Item | None) -> object:
    return None if item is None else (item.namespace, item.key, item.value)


async def test_items_are_kept_and_found_as_by_the_store_of_langgraph(
    store: PalimpsestStore,
) -> None:
    own = InMemoryStore()
    for each in (own, store):
        await each.abatch([PutOp(*item) for item in ITEMS])
        await each.aput(BOOKS, "dune", {**ITEMS[0][2], "pages": 500})
        await each.adelete(("users", "lena"), "city")
        await each.adelete(("users", "lena"), "unknown")
    for namespace, key, _ in ITEMS:
        assert show(await store.aget(namespace, key)) == show(await own.aget(namespace, key))
    assert await store.aget(BOOKS, "nothing") is None
    for asked in SEARCHES:
        for prefix in ((), ("users",), BOOKS):
            assert (
                sorted(map(repr, map(show, await store.asearch(prefix, **asked))))
                == sorted(map(repr, map(show, await own.asearch(prefix, **asked))))
                or "limit" in asked
            ), (prefix, asked)
    for asked in NAMESPACES:
        listed = await store.alist_namespaces(**asked)
        expected = await own.alist_namespaces(**asked)
        # The framework's own store goes on listing a namespace after its last item is gone.
        assert [one for one in expected if one != ("users", "lena")] == [
            one for one in listed if one != ("users", "lena")
        ] or "limit" in asked, asked


async def test_items_are_found_by_meaning_and_only_those_that_are_to_be(
    store: PalimpsestStore,
) -> None:
    await store.aput(("memories",), "pizza", {"memory": "I love pizza with olives"})
    await store.aput(("memories",), "job", {"memory": "I work as a carpenter in Lyon"})
    await store.aput(("other",), "pizza", {"memory": "I love pizza with mushrooms"})
    await store.aput(("memories",), "hidden", {"memory": "I love pizza with ham"}, index=False)
    found = await store.asearch(("memories",), query="Which pizza do I love?")
    assert [item.key for item in found] == ["pizza"]
    assert found[0].score is not None
    assert found[0].score > 0
    assert len(await store.asearch(("memories",))) == 3
    whole_message = "Which pizza do I love? " * 1_000
    assert [item.key for item in await store.asearch(("memories",), query=whole_message)] == [
        "pizza"
    ]


async def test_a_small_namespace_is_searched_beside_hundreds_of_other_items(
    store: PalimpsestStore,
) -> None:
    pizza = "I love pizza with olives, and I eat pizza every week"
    await store.abatch(
        PutOp(("crowd",), str(place), {"memory": f"{pizza}, number {place}", "place": place})
        for place in range(500)
    )
    await store.aput(("small",), "topping", {"memory": "I like anchovies on my pizza"})
    (found,) = await store.asearch(("small",), query="Which pizza do I love?")
    assert found.key == "topping"
    # A filter narrows before the search, too.
    (far,) = await store.asearch(
        ("crowd",), query="Which pizza do I love?", filter={"place": {"$eq": 499}}
    )
    assert far.key == "499"


async def test_words_that_resemble_or_contradict_each_other_stay_apart(
    store: PalimpsestStore, palimpsest: RunningPalimpsest
) -> None:
    for number, city in enumerate(("Rome", "Rome", "Lisbon")):
        await store.aput(("cities",), str(number), {"memory": f"I live in {city}"})
    kept = {item.key: item.value["memory"] for item in await store.asearch(("cities",))}
    assert kept == {"0": "I live in Rome", "1": "I live in Rome", "2": "I live in Lisbon"}
    created = await store.aget(("cities",), "0")
    await store.aput(("cities",), "0", {"memory": "I live in Oslo"})
    written = await store.aget(("cities",), "0")
    assert created is not None
    assert written is not None
    assert (written.created_at, written.value["memory"]) == (created.created_at, "I live in Oslo")
    assert written.updated_at > created.updated_at


async def test_an_item_that_is_erased_may_be_written_again(
    store: PalimpsestStore, palimpsest: RunningPalimpsest
) -> None:
    user_id = "langgraph eraser"
    store._user_of = lambda _: user_id
    await store.aput(("notes",), "a", {"text": "The first note"})
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        (memory,) = (await client.list(user_id=user_id)).memories
        await client.purge(memory.id, user_id=user_id)
        assert await store.aget(("notes",), "a") is None
        await store.aput(("notes",), "a", {"text": "The second note"})
        assert (await store.asearch(("notes",)))[0].value == {"text": "The second note"}
        await client.forget_everything(user_id)
        assert await store.asearch(()) == []
        await store.aput(("notes",), "a", {"text": "The third note"})
    written = await store.aget(("notes",), "a")
    assert written is not None
    assert written.value == {"text": "The third note"}


async def test_an_item_ends_after_its_time_which_a_read_prolongs(store: PalimpsestStore) -> None:
    await store.aput(("short",), "now", {"text": "gone at once"}, ttl=0.0001)
    await store.aput(("short",), "later", {"text": "still here"}, ttl=5)
    await asyncio.sleep(0.01)
    assert await store.aget(("short",), "now") is None
    assert [item.key for item in await store.asearch(("short",), refresh_ttl=True)] == ["later"]
    assert await store.aget(("short",), "later") is not None


async def test_a_batch_reads_what_was_there_before_it(store: PalimpsestStore) -> None:
    await store.aput(("batch",), "a", {"n": 1})
    read, _, found = await store.abatch(
        [
            GetOp(("batch",), "a"),
            PutOp(("batch",), "a", {"n": 2}),
            SearchOp(("batch",)),
        ]
    )
    assert isinstance(read, Item)
    assert read.value == {"n": 1}
    assert found is not None
    with pytest.raises(InvalidNamespaceError):
        await store.aput(("with.dot",), "a", {"n": 1})


async def test_blocking_calls_do_the_same_and_the_user_may_stand_in_the_namespace(
    palimpsest: RunningPalimpsest,
) -> None:
    def use() -> list[object]:
        store = PalimpsestStore(
            user_id=lambda namespace: f"langgraph of {namespace[0]}",
            http_url=palimpsest.instance.http_url,
        )
        store.put(("ida", "notes"), "a", {"n": 1})
        store.put(("udo", "notes"), "a", {"n": 2})
        found = [show(item) for item in store.search(("ida",))]
        store.close()
        return found

    assert await asyncio.to_thread(use) == [(("ida", "notes"), "a", {"n": 1})]
