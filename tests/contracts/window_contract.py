"""The promises of every store of open windows."""

from datetime import timedelta

from palimpsest.model.identifiers import derive_id
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.windows import NewWindow, WindowStore
from tests.support.turns import MORNING


def window(first: int, last: int, *, sendable: bool = True) -> NewWindow:
    made = Window(
        id=derive_id("window", "lin", "s", str(first)),
        user_id="lin",
        session_id="s",
        first_sequence=first,
        last_sequence=last,
        trigger=WindowTrigger.ROUNDS,
    )
    return NewWindow(made, sendable=sendable)


class WindowStoreContract:
    async def test_a_window_is_read_back_and_waits_to_be_published(
        self, store: WindowStore
    ) -> None:
        added = window(1, 10)
        assert await store.add([added], now=MORNING) == 1

        kept = (await store.standing([added.window.id]))[added.window.id]

        assert kept.item == added.window
        assert kept.state is OutboxState.STORED

    async def test_what_has_nothing_for_the_extractor_is_kept_and_never_waits(
        self, store: WindowStore
    ) -> None:
        added = window(1, 2, sendable=False)
        await store.add([added], now=MORNING)

        assert (await store.standing([added.window.id]))[added.window.id].state is (
            OutboxState.DROPPED
        )
        for state in (OutboxState.STORED, OutboxState.PUBLISHED):
            assert await store.due(state, before=MORNING + timedelta(days=1)) == []

    async def test_no_window_is_kept_behind_one_whose_beginning_is_taken(
        self, store: WindowStore
    ) -> None:
        await store.add([window(1, 10), window(11, 14)], now=MORNING)

        kept = await store.add([window(11, 20), window(21, 30)], now=MORNING)

        assert kept == 0
        first, second = window(11, 0).window.id, window(21, 0).window.id
        standing = await store.standing([first, second])
        assert {each: kept.item.last_sequence for each, kept in standing.items()} == {first: 14}

    async def test_what_comes_before_a_refused_one_is_kept(self, store: WindowStore) -> None:
        await store.add([window(11, 14)], now=MORNING)

        assert await store.add([window(1, 10), window(11, 20)], now=MORNING) == 1
        assert await store.add([], now=MORNING) == 0
