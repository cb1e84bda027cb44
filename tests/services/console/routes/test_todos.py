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


async def test_everywhere_lists_the_todos_of_all_places_or_of_all_that_an_agent_sees() -> None:
    world = World()
    places = {
        "shared": Scope(user_id="ann"),
        "coder": Scope(user_id="ann", agent_id="coder"),
        "coder in a project": Scope(user_id="ann", agent_id="coder", project_id="shop"),
        "cook": Scope(user_id="ann", agent_id="cook"),
        "of bo": Scope(user_id="bo"),
    }
    for name, scope in places.items():
        await world.know(world.memory(name, scope))
    now = world.clock()
    await world.todos.write(
        [
            Todo(id=name, scope=scope, content=name, created_at=now, epoch=0)
            for name, scope in places.items()
        ]
    )
    async with world.http as http:

        async def listed(**query: str) -> set[str]:
            answer = await http.get("/v1/todos", params={**ANN, **query})
            return {todo["id"] for todo in answer.json()["todos"]}

        assert await listed() == {"shared"}
        assert await listed(everywhere="true") == places.keys() - {"of bo"}
        of_coder = {"shared", "coder", "coder in a project"}
        assert await listed(everywhere="true", agent_id="coder") == of_coder
        assert await listed(everywhere="true", layers="project") == {"coder in a project"}
        both = {**ANN, "everywhere": "true", "project_id": "shop"}
        assert (await http.get("/v1/todos", params=both)).status_code == 422
