"""What somebody calls off ends, whenever and by whichever version its plan was stored."""

from palimpsest.domain.memory import Status
from palimpsest.stores.mongo import MongoDatabase
from tests.conftest import SettableClock
from tests.libs.domain.evolution.plans.planning import TUCSON, YUNNAN, meant, off_on, planned
from tests.libs.domain.evolution.samples import ALICE, candidate
from tests.services.consolidator.events import proposed
from tests.services.consolidator.stores import Stores
from tests.services.consolidator.world import Consolidator


async def test_a_plan_that_was_stored_before_plans_had_keys_ends_too(
    stores: Stores, consolidator: Consolidator, database: MongoDatabase, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(planned(TUCSON), meant(YUNNAN)))
    without = {"$unset": {"value_keys": "", "key_rules": ""}}
    await database.named("memories").update_many({}, without)

    upgraded = Consolidator(Stores.in_database(database), clock)
    await upgraded.handle(proposed(off_on(3), candidate("云南不去了", on=3), event_id="later"))
    for plan in (TUCSON, YUNNAN):
        assert await status_of(stores, plan) is Status.SUPERSEDED


async def status_of(stores: Stores, content: str) -> Status:
    (found,) = [one for one in await stores.listed(ALICE) if one.content == content]
    return found.status
