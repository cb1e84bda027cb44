"""Commands over Kafka: as safe and as exact as over HTTP, and nobody waits for them."""

from typing import Any

import pytest

from palimpsest.events.commands import (
    CommandEvent,
    EditMemory,
    ForgetMemory,
    MergeMemories,
    PinMemory,
)
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeSet, change_set_id
from palimpsest.model.errors import ErasedSince, TransientError
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.scope import Scope
from palimpsest.model.vectors import SparseVector
from palimpsest_language.redaction.policy import DEFAULT_POLICY
from palimpsest_server.stores.commands import StoredCommand
from services.console.handlers import KafkaCommandHandler
from tests.support.services.console.routes.joined import RealWriter, joined
from tests.support.services.console.routes.world import World

SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"


@pytest.fixture
def world() -> World:
    return joined()


@pytest.fixture
async def tea(world: World) -> Memory:
    memory = world.memory("m1", content="drinks tea")
    await stores_of(world).namespaces.register([memory.scope.namespace])
    await world.know(memory)
    return memory


def stores_of(world: World) -> Any:
    assert isinstance(world.writer, RealWriter)
    return world.writer.stores


def intake(world: World) -> KafkaCommandHandler:
    return KafkaCommandHandler(
        world.giving, world.memories, stores_of(world).namespaces, DEFAULT_POLICY
    )


def command(kind: type[CommandEvent], world: World, event_id: str = "", **fields: Any) -> Any:
    named = {"event_id": event_id} if event_id else {}
    return kind(occurred_at=world.clock(), user_id="ann", **named, **fields)


async def caused(world: World, event_id: str) -> ChangeSet:
    (change_set,) = await world.change_sets.by_ids([change_set_id("ann", event_id)])
    return change_set


async def of(world: World, memory: Memory) -> Memory:
    (found,) = await world.memories.by_ids([memory.scope], [memory.id])
    return found


async def test_an_edit_is_embedded_by_us_and_freed_of_secrets(world: World, tea: Memory) -> None:
    forged = TextVectors.pack("other", [1.0], SparseVector(indices=(), values=()))
    edits = MemoryEdits(content=f"drinks green tea, key {SECRET}")
    edit = command(
        EditMemory, world, "e1", memory_id="m1", edits=edits, vectors=(forged,), text="forged"
    )
    assert await intake(world).handle([edit]) == []
    memory = await of(world, tea)
    assert memory.content.startswith("drinks green tea, key [")
    (published,) = world.writer.published
    assert SECRET not in published.model_dump_json()
    assert "forged" not in published.model_dump_json()
    assert (await caused(world, "e1")).revision == 1


async def test_what_comes_again_is_the_same_command_with_an_id_or_without(
    world: World, tea: Memory
) -> None:
    taken = intake(world)
    pin, forget = (command(kind, world, memory_id="m1") for kind in (PinMemory, ForgetMemory))
    await taken.handle([pin, forget, pin])
    world.clock.advance(world.patience)
    await taken.handle([forget, pin])
    assert len(world.writer.published) == 2
    assert (await of(world, tea)).status is Status.FORGOTTEN
    other = command(ForgetMemory, world, "e1", memory_id="m1", reason="old")
    assert await taken.handle([other]) == []
    (rejection,) = await taken.handle([command(PinMemory, world, "e1", memory_id="m1")])
    assert rejection.error.reason == "conflicting_duplicate"


async def test_what_does_not_fit_is_refused_where_everybody_hears_it(world: World) -> None:
    edits = MemoryEdits(content="drinks green tea")
    assert await intake(world).handle(
        [command(EditMemory, world, "e1", memory_id="unknown", edits=edits)]
    ) == []  # fmt: skip
    refusal = (await caused(world, "e1")).refusal
    assert refusal is not None
    assert refusal.reason == "not_found"


@pytest.mark.usefixtures("tea")
async def test_what_is_too_long_or_no_command_is_set_aside_alone(world: World) -> None:
    endless = command(ForgetMemory, world, "e1", memory_id="m1", reason="x" * 501)
    merge = command(MergeMemories, world, "e2", memory_ids=("m1", "m2"), summary="x" * 9999)
    pin = command(PinMemory, world, "e3", memory_id="m1")
    rejections = await intake(world).handle([endless, merge, pin])
    assert [rejection.event for rejection in rejections] == [endless, merge]
    assert [event.event_id for event in world.writer.published] == ["e3"]


async def test_while_kafka_is_away_nothing_is_let_go_of(world: World, tea: Memory) -> None:
    pin = command(PinMemory, world, "e1", memory_id="m1")
    world.writer.down = True
    with pytest.raises(TransientError):
        await intake(world).handle([pin])
    world.writer.down = False
    assert await intake(world).handle([pin]) == []
    assert (await of(world, tea)).pinned


async def test_what_was_erased_since_comes_back_neither_as_a_command_nor_as_a_letter(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def accept(_command: StoredCommand) -> StoredCommand:
        raise ErasedSince("gone")

    monkeypatch.setattr(world.commands, "accept", accept)
    assert await intake(world).handle([command(PinMemory, world, "e1", memory_id="m1")]) == []
    assert world.writer.published == []


async def test_two_users_may_use_the_same_id(world: World, tea: Memory) -> None:
    theirs = world.memory("m2", Scope(user_id="bob"), content="drinks wine")
    await stores_of(world).namespaces.register([theirs.scope.namespace])
    await world.know(theirs)
    pin = command(PinMemory, world, "e1", memory_id="m1")
    other = PinMemory(event_id="e1", occurred_at=world.clock(), user_id="bob", memory_id="m2")
    endless = ForgetMemory(
        event_id="e2", occurred_at=world.clock(), user_id="bob", memory_id="m2", reason="x" * 501
    )
    (rejection,) = await intake(world).handle([pin, other, endless])
    assert rejection.event == endless
    assert ((await of(world, tea)).pinned, (await of(world, theirs)).pinned) == (True, True)
    world.clock.advance(world.patience)
    assert await intake(world).handle([other, pin]) == []
    assert len(world.writer.published) == 2
