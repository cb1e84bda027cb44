"""What would change is what then does change, and looking changes nothing."""

from datetime import timedelta

from palimpsest.contracts.maintenance import maintenance_of
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Status
from palimpsest.domain.scope import Namespace
from palimpsest.domain.user import Tier, UserSettings
from services.consolidator.maintenance.maintaining import Maintaining
from services.consolidator.maintenance.planning import planned
from services.consolidator.todos import KnownTodos
from tests.conftest import SettableClock
from tests.libs.domain.evolution.samples import ALICE
from tests.services.consolidator.events import remember
from tests.services.consolidator.stores import Stores
from tests.services.consolidator.world import NEAR, Consolidator

NAMESPACE = Namespace(user_id="alice")


async def test_a_plan_is_what_the_run_does(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    at = clock()
    for words, kind in (("for today", Kind.CONTEXT), ("for good", Kind.FACT)):
        await consolidator.handle(remember(words, kind=kind, occurred_at=at, received_at=at))
    clock.advance(timedelta(days=8))
    maintaining = Maintaining(
        stores.memories,
        KnownTodos(stores.todos),
        stores.vectors,
        stores.published,
        tier=Tier.ENTERPRISE,
        threshold=NEAR,
        clock=clock,
    )
    before = await stores.state("alice")
    plan = await planned(NAMESPACE, maintaining, UserSettings(), now=clock())
    assert await stores.state("alice") == before
    assert (plan.counts, plan.proposals, plan.complete) == ({"forgotten by policy": 1}, (), True)

    await consolidator.handle(maintenance_of(NAMESPACE, clock().date(), now=clock(), epoch=0))
    gone = [one for one in await stores.listed(ALICE) if one.status is Status.FORGOTTEN]
    assert plan.changes == {one.id: f"{one.status}: {one.status_reason}" for one in gone}
