"""Messages whose vectors were lost are noticed, and become searchable again."""

import pytest

from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import TurnStored
from services.consolidator.turn_comparison import TurnComparison
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import stored, withheld
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator


@pytest.fixture
def stores() -> Stores:
    return Stores.in_memory()


def confirm(stores: Stores, *events: TurnStored) -> None:
    """Have these turns kept by ingest as searchable."""
    stores.turns.turns |= {event.turn.id: event.turn for event in events}  # type: ignore[attr-defined]


def comparison(consolidator: Consolidator) -> TurnComparison:
    found = consolidator.service.turn_comparison
    assert found is not None
    return found


def published_again(stores: Stores) -> list[TurnStored]:
    """Return the turns that were published, as the embedder sends them on."""
    return [
        event.model_copy(update={"vectors": (vectors_of(event.turn.text),)})
        for event in stores.published.on(CANDIDATES)
        if isinstance(event, TurnStored)
    ]


async def test_a_lost_turn_is_searchable_again_after_two_looks(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    turns = [stored(f"I like tea number {number}", message_id=f"m{number}") for number in range(5)]
    await consolidator.handle(*turns)
    confirm(stores, *turns)
    before = dict(stores.vectors.points)
    looking = comparison(consolidator)
    for _ in range(6):
        await looking.look()
    assert published_again(stores) == []
    assert consolidator.counted("drift_turns") == 0

    stores.vectors.replace({})
    for _ in range(3):
        await looking.look()
    assert consolidator.counted("drift_turns") == 5
    assert published_again(stores) == [], "they may have been taken away at this moment"
    for _ in range(3):
        await looking.look()
    again = published_again(stores)
    assert {event.turn.id for event in again} == before.keys()
    assert consolidator.counted("republished_turns_total") == 5

    await consolidator.handle(*again)
    assert stores.vectors.points.keys() == before.keys()
    for _ in range(3):
        await looking.look()
    assert consolidator.counted("drift_turns") == 0


async def test_a_turn_that_is_erased_or_withheld_comes_back_by_no_comparison(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    erased, kept_back = stored("I like tea", message_id="m1"), withheld("secret", message_id="m2")
    confirm(stores, erased, kept_back)
    await stores.epochs.raise_to(erased.user_id, erased.turn.epoch + 1)
    for _ in range(3):
        await comparison(consolidator).look()
    assert published_again(stores) == []
