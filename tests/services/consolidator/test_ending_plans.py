"""What somebody calls off ends, whenever and by whichever version its plan was stored."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.todo import TodoState
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.language.plans.planning import TUCSON, YUNNAN, meant, off_on, planned
from tests.support.language.plans.retold import told
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day
from tests.support.services.consolidator.events import proposed
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator


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


@pytest.mark.parametrize("in_order", [True, False])
async def test_a_todo_has_the_day_that_a_later_window_sets_right(
    stores: Stores, consolidator: Consolidator, in_order: bool
) -> None:
    said = [
        told("用户周三要交报告", "周三", 1, at=9, kind=Kind.ACTION_ITEM),
        told("用户周三要交报告；不对，是周四", "周四", 1, 2, at=10, kind=Kind.ACTION_ITEM),
    ]
    for one in said if in_order else reversed(said):
        await consolidator.handle(proposed(one, event_id=one.content))
    todos = await stores.todos.list([ALICE], states=tuple(TodoState))
    assert [(todo.content, todo.due_at, todo.state) for todo in todos] == [
        (said[0].content, day(9), TodoState.DROPPED),
        (said[1].content, day(10), TodoState.OPEN),
    ]


async def status_of(stores: Stores, content: str) -> Status:
    (memory,) = [one for one in await stores.listed(ALICE) if one.content == content]
    return memory.status
