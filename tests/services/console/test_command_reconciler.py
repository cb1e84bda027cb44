"""Commands whose change will never be seen are not sent again for ever."""

from datetime import timedelta

from palimpsest_server.stores.commands import CommandState
from tests.support.services.console.routes.world import GRACE, World
from tests.support.stores.dead_letters import letter


async def test_a_command_of_an_epoch_that_is_over_is_let_go_of() -> None:
    world = World(patience=timedelta(milliseconds=1))
    world.writer.works = False
    async with world.http as http:
        await http.put("/v1/settings", params={"user_id": "ann"}, json={"memory_enabled": False})
    world.writer.epochs["ann"] = 1
    world.writer.published.clear()
    world.clock.advance(GRACE + timedelta(seconds=1))
    await world.reconciling.look()
    assert world.writer.published == []
    for state in (CommandState.STORED, CommandState.PUBLISHED):
        assert await world.commands.unfinished(state, since_before=world.clock()) == []


async def test_a_command_that_a_later_stage_set_aside_is_not_sent_again() -> None:
    world = World(patience=timedelta(milliseconds=1))
    world.writer.works = False
    async with world.http as http:
        for user_id in ("ann", "ben"):
            await http.put(
                "/v1/settings", params={"user_id": user_id}, json={"memory_enabled": False}
            )
    of_ann, of_ben = world.writer.published
    await world.dead_letters.put(
        [letter("l", event_id=of_ann.event_id, user_id="ann", topic="writes")]
    )
    for _ in range(2):
        world.clock.advance(GRACE + timedelta(seconds=1))
        await world.reconciling.look()
    assert world.writer.published == [of_ann, of_ben, of_ben, of_ben]
    counted = world.counted("palimpsest_console_reconciled_total", outcome="set_aside")
    assert counted == 1
