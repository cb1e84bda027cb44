"""The promises of every store of dead letters."""

from collections.abc import Sequence
from datetime import timedelta

from palimpsest_server.stores.dead_letters import DeadLetter, DeadLetterState, DeadLetterStore
from tests.support.stores.dead_letters import NOON, letter


def ids(letters: Sequence[DeadLetter]) -> list[str]:
    return [found.id for found in letters]


class DeadLetterContract:
    """A subclass gives the store as the fixture `store`."""

    async def test_what_was_put_is_listed_as_it_was_latest_first(
        self, store: DeadLetterStore
    ) -> None:
        letters = [letter(f"l{n}", failed_at=NOON + timedelta(minutes=n)) for n in range(5)]
        await store.put(letters)
        assert list(await store.list()) == letters[::-1]
        assert ids(await store.list(limit=2)) == ["l4", "l3"]

    async def test_filters_leave_out_what_they_do_not_name(self, store: DeadLetterStore) -> None:
        await store.put(
            [letter("a"), letter("b", stage="extractor"), letter("c", reason="too_large")]
        )
        assert ids(await store.list(stage="extractor")) == ["b"]
        assert ids(await store.list(reason="too_large")) == ["c"]
        assert ids(await store.list(ids=["a", "nowhere"])) == ["a"]
        assert ids(await store.list(ids=[])) == []

    async def test_the_same_letter_twice_is_one_with_its_latest_reason(
        self, store: DeadLetterStore
    ) -> None:
        await store.put([letter("a")])
        await store.put([letter("a", reason="permanent")])
        assert [found.reason for found in await store.list()] == ["permanent"]

    async def test_a_replayed_letter_is_closed_and_open_again_when_it_comes_back(
        self, store: DeadLetterStore
    ) -> None:
        await store.put([letter("a"), letter("b")])
        await store.mark_replayed(letter("a"), NOON + timedelta(hours=1))
        assert ids(await store.list()) == ["b"]
        (closed,) = await store.list(state=DeadLetterState.REPLAYED)
        assert (closed.id, closed.replayed_at) == ("a", NOON + timedelta(hours=1))
        assert len(await store.list(state=None)) == 2
        await store.put([letter("a", failed_at=NOON + timedelta(hours=2))])
        assert ids(await store.list()) == ["a", "b"]

    async def test_known_is_what_a_later_stage_set_aside_and_nobody_replayed(
        self, store: DeadLetterStore
    ) -> None:
        later = {"stage": "consolidator", "topic": "writes"}
        await store.put(
            [
                letter("a", event_id="e1", **later),
                letter("b", event_id="e2", user_id="ben", **later),
                letter("c", event_id="e3"),
                letter("d", event_id="e4", **later),
                letter("e", **later),
            ]
        )
        await store.mark_replayed(letter("d"), NOON + timedelta(hours=1))
        asked = [("小明", f"e{number}") for number in range(1, 6)]
        assert await store.known(asked) == {("小明", "e1")}
        assert await store.known([]) == set()

    async def test_a_letter_that_came_back_meanwhile_is_not_closed(
        self, store: DeadLetterStore
    ) -> None:
        await store.put([letter("a", failed_at=NOON + timedelta(seconds=1))])
        await store.mark_replayed(letter("a"), NOON + timedelta(hours=1))
        assert ids(await store.list()) == ["a"]
