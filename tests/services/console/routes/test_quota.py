"""How full it is, for one user and agent."""

import pytest

from palimpsest.api.resources import QuotaState
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import Tier, UserSettings
from tests.support.services.console.routes.world import World

POET = Scope(user_id="ann", agent_id="poet")


async def quota(world: World, **namespace: str) -> QuotaState:
    async with world.http as http:
        answer = await http.get("/v1/quota", params=namespace)
    assert answer.status_code == 200, answer.text
    return QuotaState.model_validate_json(answer.content)


async def test_active_memories_of_all_projects_count_and_no_others() -> None:
    world = World()
    await world.know(world.memory("one", POET))
    await world.know(world.memory("two", Scope(user_id="ann", agent_id="poet", project_id="p")))
    await world.know(world.memory("gone", POET, status=Status.FORGOTTEN))
    await world.know(world.memory("of all agents", Scope(user_id="ann")))
    seed = QuotaState(tier=Tier.SEED, current=2, limit=50, can_add=True)
    assert await quota(world, user_id="ann", agent_id="poet") == seed
    assert (await quota(world, user_id="ann")).current == 1
    assert (await quota(world, user_id="nobody")).current == 0


@pytest.mark.parametrize(
    ("count", "tier", "can_add"),
    [(50, Tier.SEED, False), (50, Tier.GROWTH, True), (50, Tier.ENTERPRISE, True)],
)
async def test_the_tier_says_whether_one_more_fits(
    count: int, tier: Tier, *, can_add: bool
) -> None:
    world = World()
    for number in range(count):
        await world.know(world.memory(f"{number}", POET))
    world.writer._settings["ann"] = UserSettings(tier=tier)
    found = await quota(world, user_id="ann", agent_id="poet")
    assert (found.tier, found.current, found.can_add) == (tier, count, can_add)
