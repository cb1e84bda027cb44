"""The message behind a citation, by its id, in its conversation."""

import httpx

from palimpsest.api.resources import TurnDetail
from palimpsest.model.turn import Turn
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.services.console.routes.world import World
from tests.support.turns import turn


async def ask(world: World, said: Turn, **parameters: str) -> httpx.Response:
    async with world.http as http:
        return await http.get(
            f"/v1/turns/{said.id}", params={"user_id": said.user_id, **parameters}
        )


async def talk(world: World) -> list[Turn]:
    said = [turn(at, text=f"message {at}") for at in range(1, 9)]
    assert await world.turns.place(
        [TurnPlacement(one, accepted=False) for one in said], now=world.clock()
    )
    return said


async def test_a_turn_is_opened_between_its_neighbours() -> None:
    world = World()
    said = await talk(world)
    answer = await ask(world, said[4])
    assert answer.status_code == 200, answer.text
    opened = TurnDetail.model_validate_json(answer.content)
    assert opened.turn.text == "message 5"
    assert [one.text for one in opened.before] == [f"message {at}" for at in (2, 3, 4)]
    assert [one.text for one in opened.after] == [f"message {at}" for at in (6, 7, 8)]


async def test_everywhere_a_turn_of_any_agent_is_opened_as_that_agent_sees_it() -> None:
    world = World()
    said = [turn(at, text=f"message {at}", agent_id="coach", project_id="p") for at in range(1, 4)]
    assert await world.turns.place(
        [TurnPlacement(one, accepted=False) for one in said], now=world.clock()
    )
    assert (await ask(world, said[1])).status_code == 404
    opened = TurnDetail.model_validate_json((await ask(world, said[1], everywhere="true")).content)
    assert [one.text for one in (*opened.before, *opened.after)] == ["message 1", "message 3"]
    assert (await ask(world, said[1], everywhere="true", user_id="bo")).status_code == 404
    for place, status in (
        ({"agent_id": "coach"}, 200),
        ({"agent_id": "cook"}, 404),
        ({"project_id": "p"}, 422),
    ):
        assert (await ask(world, said[1], everywhere="true", **place)).status_code == status


async def test_nobody_opens_what_is_not_theirs_or_was_erased() -> None:
    world = World()
    said = await talk(world)
    assert (await ask(world, said[0], user_id="somebody else")).status_code == 404
    world.writer.epochs[said[0].user_id] = 1
    assert (await ask(world, said[0])).status_code == 404
