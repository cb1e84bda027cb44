import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.model.errors import EventTooLarge, TransientError
from tests.support.clock import SettableClock
from tests.support.services.consolidator.events import remember, settle
from tests.support.services.consolidator.interrupting import Crash, Interrupted, before
from tests.support.services.consolidator.stores import Published, Stores
from tests.support.services.consolidator.world import Consolidator


class Narrow(Published):
    """A Kafka that takes no record above a few thousand bytes."""

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if any(len(event.model_dump_json()) > 4000 for event in events):
            raise EventTooLarge("an event is larger than the topic allows")
        await super().publish(topic, events)


async def test_a_change_set_too_large_to_travel_is_announced_without_its_changes(
    clock: SettableClock,
) -> None:
    stores = Stores.in_memory()
    stores.published = Narrow()
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(
        settle(language="zh"), remember("long " * 900, "long"), remember("short")
    )
    announced = {
        change_set.revision: len(change_set.changes) for change_set in stores.published.announced
    }
    assert announced == {1: 1, 2: 0, 3: 1}
    assert await stores.change_sets.unfinished(10) == []


class Away(Published):
    """A Kafka that can be away."""

    away = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.away:
            raise TransientError("Kafka is away")
        await super().publish(topic, events)


async def without_announcing(consolidator: Consolidator, kafka: Away, *events: Event) -> None:
    kafka.away = True
    await consolidator.handle(*events)
    kafka.away = False


async def test_what_could_not_be_announced_is_announced_before_what_comes_after(
    clock: SettableClock,
) -> None:
    stores = Stores.in_memory()
    stores.published = kafka = Away()
    consolidator = Consolidator(stores, clock)
    await without_announcing(consolidator, kafka, remember("I like tea"))
    assert stores.published.announced == []
    assert consolidator.finishing.untold == {"alice"}
    await consolidator.handle(remember("I like oolong tea"))
    assert consolidator.finishing.untold == set()
    assert [change_set.revision for change_set in stores.published.announced] == [1, 2]
    assert await stores.change_sets.unfinished(10) == []


async def test_what_was_erased_before_it_could_be_announced_never_is(clock: SettableClock) -> None:
    stores = Stores.in_memory()
    stores.published = kafka = Away()
    consolidator = Consolidator(stores, clock)
    await without_announcing(consolidator, kafka, remember("my secret"))
    await stores.epochs.raise_to("alice", 1)
    await consolidator.handle(remember("hello there", user_id="bob"))
    assert [change_set.user_id for change_set in stores.published.announced] == ["bob"]


async def test_no_checkpoint_hides_what_was_not_announced(clock: SettableClock) -> None:
    stores = Stores.in_memory()
    stores.published = kafka = Away()
    first = Consolidator(stores, clock)
    for number in range(70):
        await first.handle(remember(f"number {number}"))
    clock.advance(timedelta(seconds=10))
    await without_announcing(first, kafka, remember("number 70"))

    next_process = Consolidator(stores, clock)
    await next_process.handle(remember("number 71"))
    assert [change_set.revision for change_set in stores.published.announced][-2:] == [71, 72]


async def test_an_announcement_carries_on_when_and_in_which_epoch_its_cause_was_received(
    clock: SettableClock,
) -> None:
    stores = Stores.in_memory()
    await stores.epochs.raise_to("alice", 4)
    cause = remember("I like tea", epoch=4)
    await Consolidator(stores, clock).handle(cause)
    (event,) = (event for _, event in stores.published.events)
    assert isinstance(event, ChangeSetAnnounced)
    assert (event.received_at, event.epoch) == (cause.received_at, 4)
    assert event.change_set.memory_changes[0].after.epoch == 4
    assert event.event_id != cause.event_id


async def test_after_a_lost_log_what_was_left_is_finished_without_waiting(
    clock: SettableClock,
) -> None:
    stores = Stores.in_memory()
    crashing = Interrupted(stores)
    crashing.around("published", "publish", before)
    with suppress(Crash):
        await Consolidator(crashing, clock).handle(remember("I like tea"))
    clock.now = clock.now.replace(minute=clock.now.minute + 1)
    for log_was_lost in (False, True):
        watching = asyncio.create_task(
            Consolidator(stores, clock).reconciler.watch(log_was_lost=log_was_lost)
        )
        for _ in range(50):
            await asyncio.sleep(0)
        watching.cancel()
        assert len(stores.published.announced) == log_was_lost
