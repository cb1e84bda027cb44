"""The client's commands against the console, with the real one writer behind it."""

from collections.abc import AsyncIterator

import pytest

from palimpsest.client import Conflict, InvalidRequest, NotFound, PalimpsestClient
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World
from tests.support.serving import serving


@pytest.fixture
def world() -> World:
    return joined()


@pytest.fixture
async def client(world: World) -> AsyncIterator[PalimpsestClient]:
    async with (
        serving(world.application) as url,
        PalimpsestClient(http_url=url, timeout_seconds=20) as entered,
    ):
        yield entered


@pytest.fixture
async def tea(world: World) -> Memory:
    memory = world.memory("m1", content="drinks tea", subject="ann")
    await world.writer.stores.namespaces.register([memory.scope.namespace])  # type: ignore[attr-defined]
    await world.know(memory)
    return memory


async def test_what_is_edited_is_edited_and_what_is_none_is_cleared(
    client: PalimpsestClient, tea: Memory
) -> None:
    done = await client.edit(tea.id, user_id="ann", content="drinks green tea", subject=None)
    assert done.memory is not None
    assert (done.memory.content, done.memory.subject) == ("drinks green tea", None)
    with pytest.raises(Conflict, match="since that version"):
        await client.edit(tea.id, user_id="ann", importance=0.1, version=1)
    with pytest.raises(InvalidRequest, match="mood"):
        await client.edit(tea.id, user_id="ann", mood="good")  # type: ignore[call-arg]


async def test_calls_with_the_same_idempotency_key_are_one_command(
    client: PalimpsestClient, tea: Memory
) -> None:
    first = await client.add("keeps bees", user_id="ann", idempotency_key="one")
    again = await client.add("keeps bees", user_id="ann", idempotency_key="one")
    assert (first.command_id, first.change_set_id) == (again.command_id, again.change_set_id)
    with pytest.raises(Conflict, match="idempotency key"):
        await client.add("keeps wasps", user_id="ann", idempotency_key="one")
    edited = await client.edit(tea.id, user_id="ann", content="drinks mate", idempotency_key="two")
    await client.edit(tea.id, user_id="ann", content="drinks cocoa")
    again = await client.edit(tea.id, user_id="ann", content="drinks mate", idempotency_key="two")
    assert edited.change_set_id == again.change_set_id
    now = await client.get(tea.id, user_id="ann")
    assert now.memory.content == "drinks cocoa"
    gone = await client.forget(tea.id, user_id="ann", idempotency_key="three")
    again = await client.forget(tea.id, user_id="ann", idempotency_key="three")
    assert gone.change_set_id == again.change_set_id


async def test_a_memory_is_pinned_forgotten_and_restored(
    client: PalimpsestClient, tea: Memory
) -> None:
    assert (await client.pin(tea.id, user_id="ann")).changed == 1
    assert (await client.unpin(tea.id, user_id="ann")).changed == 1
    assert (await client.confirm(tea.id, user_id="ann", agent_id="poet")).changed == 0
    with pytest.raises(Conflict):
        await client.reject(tea.id, user_id="ann", reason="no")
    await client.forget(tea.id, user_id="ann")
    restored = await client.restore(tea.id, user_id="ann")
    assert restored.memory is not None
    assert restored.memory.status is Status.ACTIVE
    with pytest.raises(NotFound):
        await client.pin("unknown", user_id="ann")


async def test_an_undo_names_the_later_change_that_is_in_the_way(
    client: PalimpsestClient, tea: Memory
) -> None:
    green = await client.edit(tea.id, user_id="ann", content="drinks green tea")
    black = await client.edit(tea.id, user_id="ann", content="drinks black tea")
    assert green.change_set_id is not None
    assert black.change_set_id is not None
    with pytest.raises(Conflict) as refused:
        await client.undo(green.change_set_id, user_id="ann")
    assert refused.value.change_set_id == black.change_set_id
    undone = await client.undo(black.change_set_id, user_id="ann")
    assert undone.memory is not None
    assert undone.memory.content == "drinks green tea"
    change = await client.change(black.change_set_id, user_id="ann")
    assert [memory_change.after.content for memory_change in change.memory_changes] == [
        "drinks black tea"
    ]
    with pytest.raises(NotFound):
        await client.change(black.change_set_id, user_id="bob")
    with pytest.raises(NotFound):
        await client.change("unknown", user_id="ann")


async def test_several_become_one_and_one_is_purged_after_a_look(
    client: PalimpsestClient, tea: Memory
) -> None:
    added = await client.add("drinks oolong", user_id="ann", kind="preference")
    assert added.memory is not None
    merged = await client.merge(tea.id, added.memory.id, content="drinks teas", user_id="ann")
    assert merged.memory is not None
    assert (merged.changed, merged.memory.content) == (2, "drinks teas")

    look = await client.purge(tea.id, user_id="ann", dry_run=True)
    assert (look.applied, look.would_go) == (False, {"memories": 1})
    assert (await client.get(tea.id, user_id="ann")).memory.content == "drinks teas"
    assert (await client.purge(tea.id, user_id="ann")).changed == 1
    assert (await client.purge(tea.id, user_id="ann", dry_run=True)).would_go == {"memories": 0}


async def test_a_project_is_closed_or_deleted_after_a_look(
    client: PalimpsestClient, world: World
) -> None:
    ship = world.memory("m2", scope=Scope(user_id="ann", agent_id="poet", project_id="ship"))
    await world.writer.stores.namespaces.register([ship.scope.namespace])  # type: ignore[attr-defined]
    await world.know(ship)
    assert (await client.close_project("ship", user_id="ann", agent_id="nobody")).changed == 0
    assert (await client.close_project("ship", user_id="ann")).changed == 1
    look = await client.delete_project("ship", user_id="ann", agent_id="poet", dry_run=True)
    assert (look.applied, look.would_go) == (False, {"ann": 1, "ship": 1, "poet": 1})
    assert (await client.delete_project("ship", user_id="ann")).changed == 1


async def test_a_tier_is_set_and_taken_back(client: PalimpsestClient) -> None:
    done = await client.set_tier("ann", "growth")
    assert done.settings is not None
    assert done.settings.tier == "growth"
    assert (await client.settings("ann")).tier == "growth"
    assert (await client.changes(user_id="ann")).changes[0].id == done.change_set_id
    await client.set_tier("ann", None)
    assert (await client.settings("ann")).tier is None
    with pytest.raises(InvalidRequest, match="tier"):
        await client.set_tier("ann", "gold")


async def test_everything_is_counted_before_it_is_forgotten(
    client: PalimpsestClient, tea: Memory
) -> None:
    dry = await client.forget_everything("ann", dry_run=True)
    assert (dry.kept is not None, dry.result) == (True, None)
    assert (await client.get(tea.id, user_id="ann")).memory == tea
    done = await client.forget_everything("ann")
    assert done.result is not None
    assert done.result.applied
    with pytest.raises(NotFound):
        await client.get(tea.id, user_id="ann")


async def test_a_topic_is_said_in_words(client: PalimpsestClient) -> None:
    with pytest.raises(InvalidRequest, match="topic"):
        await client.forget_topic("x", user_id="ann")


async def test_a_todo_is_completed_opened_again_and_cancelled(client: PalimpsestClient) -> None:
    added = await client.add("给房东打电话", user_id="ann", kind="action_item")
    assert added.memory is not None
    todo = added.memory.id
    done = await client.complete_todo(todo, user_id="ann")
    assert done.todo is not None
    assert (done.todo.state, done.changed) == ("done", 1)
    assert done.change_set_id == (await client.changes(user_id="ann")).changes[0].id
    with pytest.raises(Conflict, match="done already"):
        await client.cancel_todo(todo, user_id="ann")
    await client.reopen_todo(todo, user_id="ann")
    assert [todo.id for todo in (await client.todos(user_id="ann")).todos] == [todo]
    await client.cancel_todo(todo, user_id="ann")
    assert (await client.todos(user_id="ann")).todos == ()
    dropped = await client.todos(user_id="ann", state=["dropped"])
    assert [todo.id for todo in dropped.todos] == [todo]
    with pytest.raises(InvalidRequest, match="state"):
        await client.todos(user_id="ann", state=["cancelled"])


async def test_only_a_todo_is_cancelled_and_only_its_users(
    client: PalimpsestClient, tea: Memory
) -> None:
    with pytest.raises(NotFound, match="no todo"):
        await client.cancel_todo(tea.id, user_id="ann")
    added = await client.add("call the landlord", user_id="ann", kind="action_item")
    assert added.memory is not None
    with pytest.raises(NotFound):
        await client.cancel_todo(added.memory.id, user_id="bob")
    assert len((await client.todos(user_id="ann")).todos) == 1
    assert (await client.get(tea.id, user_id="ann")).memory == tea


async def test_of_a_stranger_there_is_an_account_that_says_so(client: PalimpsestClient) -> None:
    told = await client.profile("ann", language="zh")
    assert (told.version, told.narrative) == (0, "新用户，尚无信息")
    assert (await client.profile_versions("ann")).versions == ()


async def test_what_there_is_of_a_user_is_counted(client: PalimpsestClient, tea: Memory) -> None:
    await client.purge(tea.id, user_id="ann")
    await client.add("drinks mate", user_id="ann")
    assert (await client.statistics("ann")).active == 1
    assert (await client.statistics("ann", agent_id="poet")).active == 1
    quota = await client.quota("ann")
    assert (quota.current, quota.can_add) == (1, True)
    (erasure,) = (await client.erasures("ann")).erasures
    assert not erasure.everything
    assert (await client.quality_reports("ann")).total is None
    assert (await client.deployment_usage()).total.calls == 0
