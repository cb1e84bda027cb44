"""Memories that cannot both be so are shown as such."""

import pytest

from palimpsest.model.memory import Relation, RelationType, Status
from palimpsest.model.scope import Scope
from tests.support.services.recall.world import NOW, World


async def test_what_contradicts_is_shown_as_such(world: World) -> None:
    tea = await world.remembered("Ada likes oolong tea")
    await world.remembered(
        "Ada hates oolong tea",
        relations=(Relation(type=RelationType.CONTRADICTS, memory_id=tea.id),),
    )
    told = await world.context("oolong tea")
    assert told.text.count("conflicts with") == 2
    assert "ask the user" in told.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            {"attribute": "release_date", "value": "May 3"},
            {"attribute": "release_date", "value": "May 10"},
        ),
        ({"attribute": "city", "value": "Kiel"}, {"attribute": "home_city", "value": "Rome"}),
        (
            {"attribute": "likes", "value": "spicy food"},
            {"attribute": "avoids", "value": "spicy food"},
        ),
    ],
)
async def test_two_values_of_one_attribute_in_two_scopes_contradict(
    world: World, one: dict[str, str], other: dict[str, str]
) -> None:
    agents = Scope(user_id="ada", agent_id="coach")
    turn = await world.said("Ada told of the plan", sequence=1)
    await world.remembered("Ada told of the plan A", quotes=turn, details=one)
    await world.remembered("Ada told of the plan B", agents, details=other)
    told = await world.context("plan", agent_id="coach")
    assert told.text.count("conflicts with") == 2
    for name in ("layered", "gated", "companion"):
        written = await world.context("Ada told of the plan", agent_id="coach", format=name)
        assert "Where these conflict, ask the user." in written.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"attribute": "likes", "value": "tea"}, {"attribute": "likes", "value": "coffee"}),
        ({"attribute": "city", "value": "Kiel"}, {"attribute": "city", "value": "kiel"}),
        (
            {"attribute": "city", "value": "Kiel", "subject": "Bob"},
            {"attribute": "city", "value": "Rome"},
        ),
        (
            {"attribute": "city", "value": "Kiel", "status": Status.SUPERSEDED, "valid_until": NOW},
            {"attribute": "city", "value": "Rome"},
        ),
    ],
)
async def test_what_can_both_be_so_is_not_marked(
    world: World, one: dict[str, object], other: dict[str, object]
) -> None:
    await world.remembered("Ada told of the plan A", details=one)
    await world.remembered(
        "Ada told of the plan B", Scope(user_id="ada", agent_id="coach"), details=other
    )
    told = await world.context("What was the plan before?", agent_id="coach")
    assert "the plan" in told.text
    assert "conflict" not in told.text
