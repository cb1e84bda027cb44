"""Todos by hand: what the one writer refuses is never told as done."""

import httpx

from palimpsest.events.envelope import Event
from palimpsest.model.change_set import Change, ChangeRefusal, ChangeSet
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest_server.stores.change_sets import DecidedChangeSet
from tests.support.services.console.routes.world import World, Writer

ANN = {"user_id": "ann"}


class RefusingWriter(Writer):
    """Decides that whatever is asked is not to be done."""

    def __init__(self, world: World, refusal: ChangeRefusal) -> None:
        super().__init__(world)
        self._refusal = refusal

    def _decided(self, change_set: ChangeSet) -> DecidedChangeSet:
        return DecidedChangeSet(change_set=change_set.model_copy(update={"refusal": self._refusal}))

    async def _changes(self, event: Event) -> list[Change]:  # noqa: ARG002 - whatever it is
        return []


async def asked(reason: str) -> httpx.Response:
    world = World()
    world.writer = RefusingWriter(world, ChangeRefusal(reason=reason, message="it is over"))
    now = world.clock()
    todo = Todo(id="t", scope=Scope(user_id="ann"), content="call Bo", created_at=now, epoch=0)
    await world.todos.write([todo])
    async with world.http as http:
        return await http.post("/v1/todos/t/complete", params=ANN)


async def test_what_was_refused_is_a_conflict_and_what_is_gone_is_not_found() -> None:
    refused, gone = await asked("not_allowed"), await asked("not_found")
    assert (refused.status_code, refused.json()["reason"]) == (409, "not_allowed")
    assert (gone.status_code, gone.json()["message"]) == (404, "it is over")
