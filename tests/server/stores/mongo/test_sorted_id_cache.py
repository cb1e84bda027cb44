"""Going through the ids of a namespace reads them once."""

from palimpsest.model.scope import Namespace
from palimpsest_server.stores.mongo.sorted_id_cache import MAX_CACHED_NAMESPACES, SortedIdCache

HERE = Namespace(user_id="ann", agent_id=None)


class Reading:
    def __init__(self, *ids: str) -> None:
        self.ids = list(ids)
        self.times = 0

    async def __call__(self, _: Namespace) -> list[str]:
        self.times += 1
        return [*self.ids]


async def test_pages_follow_each_other_and_are_read_once() -> None:
    reading = Reading("d", "a", "c", "b")
    ids = SortedIdCache(reading)
    assert await ids.after(HERE, None, limit=3) == ["a", "b", "c"]
    assert await ids.after(HERE, "c", limit=3) == ["d"]
    assert await ids.after(HERE, "d", limit=3) == []
    assert reading.times == 1


async def test_the_first_page_is_read_anew() -> None:
    reading = Reading("a")
    ids = SortedIdCache(reading)
    await ids.after(HERE, None, limit=3)
    reading.ids = ["b"]
    assert await ids.after(HERE, None, limit=3) == ["b"]


async def test_whoever_goes_on_where_nothing_is_known_is_given_what_follows() -> None:
    assert await SortedIdCache(Reading("a", "b", "c")).after(HERE, "aa", limit=9) == ["b", "c"]


async def test_what_was_read_long_ago_is_read_again() -> None:
    reading = Reading("a", "b")
    ids = SortedIdCache(reading, lifetime_seconds=-1)
    await ids.after(HERE, None, limit=1)
    await ids.after(HERE, "a", limit=1)
    assert reading.times == 2


async def test_few_namespaces_are_remembered() -> None:
    reading = Reading("a", "b")
    ids = SortedIdCache(reading)
    for number in range(MAX_CACHED_NAMESPACES + 1):
        await ids.after(Namespace(user_id=f"u{number}", agent_id=None), None, limit=1)
    before = reading.times
    await ids.after(Namespace(user_id="u1", agent_id=None), "a", limit=1)
    assert reading.times == before
    await ids.after(Namespace(user_id="u0", agent_id=None), "a", limit=1)
    assert reading.times == before + 1
