"""A session is summed up anew without what was forgotten of it, and with it once it is restored."""

import pytest

from palimpsest.events.commands import RestoreMemory
from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.memory import memory_id
from palimpsest.model.turn import turn_id
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.stores.cached_user_states import StoredUserStates
from services.consolidator.rewrite_summaries import FIRST_RETRY_DELAY, SummaryRewriter
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import candidate
from tests.support.services.consolidator.edits import edit
from tests.support.services.consolidator.events import envelope, forget
from tests.support.services.consolidator.events import proposed as extracted
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.summaries import only, proposed, summary
from tests.support.services.consolidator.world import Consolidator
from tests.support.stores.ledger import InMemoryLedger

pytestmark = pytest.mark.embedded

SECRET = candidate("I am allergic to peanuts", on=1)
ALLERGY = memory_id("alice", SECRET.id)
MESSAGE = turn_id("alice", "s", "m1")
TOLD, WITHOUT = "Alice told of her peanuts.", "Alice sails."


class Telling:
    """The watch, and the extractor as far as it is seen from here."""

    def __init__(self, stores: Stores, clock: SettableClock) -> None:
        self.users = StoredUserStates(
            stores.settings, stores.epochs, stores.erasures, stores.withheld
        )
        self.stores, self.clock, self.ledger = stores, clock, InMemoryLedger()
        self.watch = self.restarted()

    def restarted(self) -> SummaryRewriter:
        return SummaryRewriter(
            withheld=self.stores.withheld,
            summaries=self.stores.summaries,
            ledger=self.ledger,
            users=self.users,
            publisher=self.stores.published,
            owns=lambda _user: True,
            clock=self.clock,
        )

    @property
    def asked(self) -> list[SummaryRequested]:
        published = self.stores.published.on(EXTRACTIONS)
        return [
            summary_requested
            for summary_requested in published
            if isinstance(summary_requested, SummaryRequested)
        ]

    async def taken_in(self) -> None:
        await self.ledger.write_down(self.asked, now=self.clock())

    async def is_told(self) -> bool:
        state = (await self.users.of(["alice"]))["alice"]
        return is_summary_visible(await only(self.stores), state)


@pytest.fixture
def telling(stores: Stores, clock: SettableClock) -> Telling:
    return Telling(stores, clock)


async def known(consolidator: Consolidator) -> None:
    await consolidator.handle(extracted(SECRET), proposed(summary(TOLD)))


async def test_what_was_forgotten_is_left_out_until_it_is_restored(
    consolidator: Consolidator, telling: Telling, stores: Stores
) -> None:
    await known(consolidator)
    await consolidator.handle(forget(ALLERGY))
    assert not await telling.is_told()
    assert await telling.watch.look() == 1
    await telling.taken_in()
    assert await telling.watch.look() == 0

    anew = proposed(summary(WITHOUT, left_out=(MESSAGE,)), event_id="without")
    await consolidator.handle(anew)
    assert await telling.is_told()
    assert ((await only(stores)).text, (await only(stores)).version) == (WITHOUT, 2)
    assert await telling.watch.look() == 0

    await consolidator.handle(RestoreMemory(memory_id=ALLERGY, **envelope("restore", "alice")))
    assert await telling.is_told(), "what says too little may be told meanwhile"
    assert await telling.watch.look() == 1
    await consolidator.handle(proposed(summary(TOLD), event_id="with"))
    assert (await only(stores)).text == TOLD

    await consolidator.handle(forget(ALLERGY, "again"))
    assert await telling.watch.look() == 1
    assert len({summary_requested.question_id for summary_requested in telling.asked}) == 3, (
        "each is a question of its own"
    )


async def test_so_is_what_was_set_right(consolidator: Consolidator, telling: Telling) -> None:
    await known(consolidator)
    text = "I am allergic to walnuts"
    await consolidator.handle(edit(ALLERGY, text, content=text))
    assert not await telling.is_told()
    assert await telling.watch.look() == 1


async def test_what_was_asked_for_before_and_comes_afterwards_is_asked_for_once_more(
    consolidator: Consolidator, telling: Telling
) -> None:
    await consolidator.handle(extracted(SECRET), forget(ALLERGY))
    assert await telling.watch.look() == 0, "nothing stands"
    await consolidator.handle(proposed(summary(TOLD)))
    assert not await telling.is_told()
    assert await telling.watch.look() == 1


async def test_a_question_that_is_lost_is_asked_again_and_one_that_is_known_is_not(
    consolidator: Consolidator, telling: Telling, clock: SettableClock
) -> None:
    await known(consolidator)
    await consolidator.handle(forget(ALLERGY))
    assert await telling.watch.look() == 1
    assert await telling.watch.look() == 0, "not at once"
    clock.advance(FIRST_RETRY_DELAY)
    assert await telling.watch.look() == 1
    another = telling.restarted()
    assert await another.look() == 1, "whoever comes after knows nothing of it"
    assert len({summary_requested.event_id for summary_requested in telling.asked}) == 1
    await telling.taken_in()
    clock.advance(FIRST_RETRY_DELAY)
    assert await another.look() == 0
    assert await telling.stores.withheld.untold(limit=9) == []
