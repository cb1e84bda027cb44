"""Commands whose change will never be seen are not sent again for ever."""

from datetime import timedelta

from palimpsest.stores.commands import CommandState
from tests.services.console.world import GRACE, World


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
