"""Two writers on one database: ownership may fail, preconditions do not."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from palimpsest.events.envelope import Event
from palimpsest.model.memory import Status
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import lives, remember, settle
from tests.support.services.consolidator.interrupting import Interrupted
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator


def meanwhile(writer: Consolidator, *events: Event) -> Any:
    """The first time, another process handles these events just before the call is made."""
    came = asyncio.Event()

    async def happening(call: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
        if not came.is_set():
            came.set()
            await writer.handle(*events)
        return await call(*arguments)

    return happening


async def test_what_was_decided_from_an_old_state_is_refused_counted_and_decided_anew(
    stores: Stores, clock: SettableClock
) -> None:
    successor = Consolidator(stores, clock)
    stalled = Interrupted(stores)
    stalled.around("change_sets", "append", meanwhile(successor, lives("Berlin", on=5)))
    zombie = Consolidator(stalled, clock)
    await successor.handle(lives("Paris", on=1))
    bobs = remember("I am Bob", user_id="bob")
    await zombie.handle(lives("Rome", on=9), bobs, lives("Oslo", on=12))
    assert zombie.counted("refused_writes_total") == 2
    line = sorted(await stores.listed(ALICE), key=lambda memory: memory.valid_from)
    assert [memory.value for memory in line] == ["Paris", "Berlin", "Rome", "Oslo"]
    assert [memory.superseded_by for memory in line] == [*(memory.id for memory in line[1:]), None]
    revisions = [
        change_set.revision
        for change_set in stores.published.announced
        if change_set.user_id == "alice"
    ]
    assert revisions == [1, 2, 3, 4]


async def test_an_event_that_the_successor_has_decided_is_not_decided_twice(
    stores: Stores, clock: SettableClock
) -> None:
    events = [lives("Paris", on=1), remember("I like tea"), lives("Berlin", on=5)]
    successor = Consolidator(stores, clock)
    stalled = Interrupted(stores)
    stalled.around("change_sets", "append", meanwhile(successor, *events[:2]))
    zombie = Consolidator(stalled, clock)
    await zombie.handle(*events)
    assert zombie.counted("refused_writes_total") == 3
    heads = await stores.change_sets.heads(["alice"])
    assert (heads["alice"].revision, dict(heads["alice"].unfinished)) == (3, {})
    assert len(await stores.listed(ALICE)) == 3


async def test_a_late_step_of_a_zombie_never_goes_over_what_its_successor_wrote(
    stores: Stores, clock: SettableClock
) -> None:
    successor = Consolidator(stores, clock)
    stalled = Interrupted(stores)
    stalled.around("memories", "apply", meanwhile(successor, lives("Berlin", on=5)))
    zombie = Consolidator(stalled, clock)
    await zombie.handle(lives("Paris", on=1))
    paris, berlin = sorted(await stores.listed(ALICE), key=lambda memory: memory.valid_from)
    assert (paris.status, paris.version) == (Status.SUPERSEDED, 2)
    assert paris.superseded_by == berlin.id
    # What the zombie left unfinished came to its successor without vectors.
    await successor.handle(*stores.published.asked_of_the_embedder())
    scopes = {paris.id: ALICE, berlin.id: ALICE}
    assert await stores.vectors.versions(scopes) == {paris.id: 2, berlin.id: 1}
    assert zombie.counted("version_conflicts_total") == 0


async def test_settings_that_another_writer_changed_meanwhile_are_not_lost(
    stores: Stores, clock: SettableClock
) -> None:
    successor = Consolidator(stores, clock)
    stalled = Interrupted(stores)
    stalled.around("change_sets", "heads", meanwhile(successor, settle("one", language="zh")))
    await Consolidator(stalled, clock).handle(settle("two", time_zone="Asia/Shanghai"))
    settings = (await stores.settings.of(["alice"]))["alice"]
    assert (settings.language, settings.time_zone) == ("zh", "Asia/Shanghai")
