"""What would change is what then does change, and looking changes nothing."""

from datetime import timedelta

from palimpsest.events.maintenance import build_daily_maintenance
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Tier, UserSettings
from services.consolidator.maintenance.coordinator import MaintenanceCoordinator
from services.consolidator.maintenance.preview import preview_maintenance
from services.consolidator.todo_reminders import TodoLookup
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import remember
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import NEAR, UNHURRIED, Consolidator

NAMESPACE = Namespace(user_id="alice")


async def test_a_plan_is_what_the_run_does(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    at = clock()
    for words, kind in (("for today", Kind.CONTEXT), ("for good", Kind.FACT)):
        await consolidator.handle(remember(words, kind=kind, occurred_at=at, received_at=at))
    clock.advance(timedelta(days=8))
    maintaining = MaintenanceCoordinator(
        stores.memories,
        TodoLookup(stores.todos),
        stores.vectors,
        stores.published,
        tier=Tier.ENTERPRISE,
        threshold=lambda: NEAR,
        clock=clock,
        times=UNHURRIED,
    )
    before = await stores.state("alice")
    plan = await preview_maintenance(NAMESPACE, maintaining, UserSettings(), now=clock())
    assert await stores.state("alice") == before
    assert (plan.counts, plan.proposals, plan.complete) == ({"forgotten by policy": 1}, (), True)

    await consolidator.handle(
        build_daily_maintenance(NAMESPACE, clock().date(), now=clock(), epoch=0)
    )
    gone = [memory for memory in await stores.listed(ALICE) if memory.status is Status.FORGOTTEN]
    assert plan.changes == {
        memory.id: f"{memory.status}: {memory.status_reason}" for memory in gone
    }
