"""What is noted behind the batches stays in order where writing it down fails or is cut short."""

import asyncio
from collections.abc import Sequence

from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.errors import TransientError
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import remember
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator
from tests.support.stores.change_sets import InMemoryChangeSets


class Hanging(InMemoryChangeSets):
    """A database that holds a mark up, and then may fail."""

    def __init__(self) -> None:
        super().__init__()
        self.marking = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.fails = False

    async def mark(self, change_set_ids: Sequence[str], progress: ChangeSetProgress) -> None:
        if change_set_ids:
            self.marking.set()
            await self.goes_on.wait()
            if self.fails:
                raise TransientError("the database is away")
        await super().mark(change_set_ids, progress)


async def held_up(clock: SettableClock) -> tuple[Stores, Hanging, Consolidator, asyncio.Task[None]]:
    """One change set is being noted, and the next one of its user waits to be."""
    stores = Stores.in_memory()
    stores.change_sets = marks = Hanging()
    consolidator = Consolidator(stores, clock)
    marks.goes_on.clear()
    await consolidator.writing.write([remember("I like tea")])
    noting = asyncio.create_task(consolidator.finishing.noted())
    await marks.marking.wait()
    await consolidator.writing.write([remember("I like oolong tea")])
    # What was decided is announced behind the batch; the note of it is not written yet.
    while len(stores.published.announced) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0)
    return stores, marks, consolidator, noting


async def test_what_is_announced_again_is_so_in_its_order(clock: SettableClock) -> None:
    stores, marks, consolidator, noting = await held_up(clock)
    marks.fails = True
    marks.goes_on.set()
    await noting
    marks.fails = False
    await consolidator.finishing.noted()
    await consolidator.writing.write([remember("I like rooibos")])
    await consolidator.finishing.noted()
    again = [change_set.revision for change_set in stores.published.announced[2:]]
    assert again == [1, 2, 3]
    assert await stores.change_sets.unfinished(10) == []


async def test_a_note_that_was_cut_short_is_written_all_the_same(clock: SettableClock) -> None:
    stores, marks, consolidator, noting = await held_up(clock)
    noting.cancel()
    await asyncio.wait([noting])
    marks.goes_on.set()
    await consolidator.finishing.noted()
    assert await stores.change_sets.unfinished(10) == []
