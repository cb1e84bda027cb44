"""Commands of people, from their events to memories, vectors and history."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.commands import (
    CloseProject,
    MergeMemories,
    PinMemory,
    RelateMemory,
    RestoreMemory,
    UndoChange,
)
from palimpsest.model.change_set import change_set_id
from palimpsest.model.memory import Memory, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from tests.support.clock import SettableClock
from tests.support.services.consolidator.edits import caused, dies, edit, undo
from tests.support.services.consolidator.events import envelope, forget, lives, remember, settle
from tests.support.services.consolidator.events import remembered_id as id_of
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

ALICE = Scope(user_id="alice")
TEA = remember("I like tea")
COFFEE = remember("I like coffee")


async def memory_of(stores: Stores, memory_id: str) -> Memory:
    (memory,) = await stores.memories.by_ids([ALICE], [memory_id])
    return memory


async def test_an_edited_text_is_found_by_its_new_vectors(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    await consolidator.handle(edit(id_of(TEA), "I like green tea", content="I like green tea"))
    memory = await memory_of(stores, id_of(TEA))
    assert (memory.content, memory.version) == ("I like green tea", 2)
    point = stores.vectors.points[memory.id]
    assert point.version == 2
    assert list(point.dense) == pytest.approx(vectors_of("I like green tea").dense_values())


async def test_an_edit_of_what_says_something_else_by_now_is_refused(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    await consolidator.handle(edit(id_of(TEA), "I like rain", content="I like rain"))
    # Made while it still said tea: only the summary was to change.
    late = edit(id_of(TEA), "drinks\nI like tea", "late", summary="drinks")
    await consolidator.handle(late)
    refused = await caused(stores, "late")
    assert refused.refusal is not None
    assert (refused.refusal.reason, refused.changes) == ("changed_meanwhile", ())
    assert (await memory_of(stores, id_of(TEA))).version == 2


async def test_after_a_crash_an_older_events_vectors_are_not_taken_for_the_new_text(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two edits, decided and not finished; only the first comes again with its vectors."""
    first = Consolidator(stores, clock)
    await first.handle(TEA)
    green = edit(id_of(TEA), "green tea", "green", content="green tea")
    black = edit(id_of(TEA), "black tea", "black", content="black tea")

    monkeypatch.setattr(first.finishing, "finish", dies)
    with pytest.raises(ConnectionError):
        await first.handle(green, black)

    second = Consolidator(stores, clock)
    await second.handle(green)
    memory = await memory_of(stores, id_of(TEA))
    assert (memory.content, memory.version) == ("black tea", 3)
    assert memory.id not in stores.vectors.points
    (asked,) = stores.published.asked_of_the_embedder()
    assert [memory.text for memory in asked.memories] == ["black tea"]
    await second.handle(asked)
    point = stores.vectors.points[memory.id]
    assert point.version == 3
    assert list(point.dense) == pytest.approx(vectors_of("black tea").dense_values())


async def test_a_command_that_comes_again_does_nothing_more(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    pin = PinMemory(memory_id=id_of(TEA), **envelope("pin", "alice"))
    await consolidator.handle(pin, pin)
    await consolidator.handle(pin)
    memory = await memory_of(stores, id_of(TEA))
    assert (memory.pinned, memory.version) == (True, 2)


async def test_what_was_forgotten_is_restored_and_found_again(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    await consolidator.handle(forget(id_of(TEA)))
    restore = RestoreMemory(memory_id=id_of(TEA), **envelope("restore", "alice"))
    await consolidator.handle(restore)
    assert (await memory_of(stores, id_of(TEA))).status is Status.ACTIVE
    assert stores.vectors.points[id_of(TEA)].status is Status.ACTIVE


async def test_a_restored_value_goes_to_its_place_in_the_line(
    stores: Stores, consolidator: Consolidator
) -> None:
    lisbon, porto = lives("Lisbon", on=1), lives("Porto", on=9)
    await consolidator.handle(lisbon)
    await consolidator.handle(forget(id_of(lisbon)))
    await consolidator.handle(porto)
    await consolidator.handle(
        RestoreMemory(memory_id=id_of(lisbon), **envelope("restore", "alice"))
    )
    restored = await memory_of(stores, id_of(lisbon))
    assert (restored.status, restored.superseded_by) == (Status.SUPERSEDED, id_of(porto))


async def test_memories_are_merged_under_new_words(
    stores: Stores, consolidator: Consolidator
) -> None:
    rain = remember("Rain is what I like")
    await consolidator.handle(TEA, rain)
    await consolidator.handle(
        MergeMemories(
            memory_ids=(id_of(TEA), id_of(rain)),
            content="Tea and rain",
            vectors=(vectors_of("Tea and rain"),),
            **envelope("merge", "alice"),
        )
    )
    memory, other = await memory_of(stores, id_of(TEA)), await memory_of(stores, id_of(rain))
    assert (memory.content, other.status) == ("Tea and rain", Status.ARCHIVED)
    assert stores.vectors.points[memory.id].version == memory.version


async def test_a_closed_project_is_archived_and_nothing_else(
    stores: Stores, consolidator: Consolidator
) -> None:
    inside = remember("The novel has nine chapters", project_id="novel", agent_id="poet")
    beside = remember("The novel is about rain", project_id="novel")
    other = remember("The garden has nine beds", project_id="garden")
    await consolidator.handle(TEA, inside, beside, other)
    await consolidator.handle(CloseProject(**envelope("close", "alice", project_id="novel")))
    scopes = [
        ALICE,
        Scope(user_id="alice", project_id="garden"),
        Scope(user_id="alice", project_id="novel"),
        Scope(user_id="alice", agent_id="poet", project_id="novel"),
    ]
    found = {memory.content: memory for memory in await stores.listed(*scopes)}
    archived = {what for what, memory in found.items() if memory.status is Status.ARCHIVED}
    assert archived == {inside.content, beside.content}
    assert found[inside.content].status_reason == "project closed"


async def test_a_closed_project_is_opened_by_undo(
    stores: Stores, consolidator: Consolidator
) -> None:
    inside = remember("The novel has nine chapters", project_id="novel", agent_id="poet")
    await consolidator.handle(inside)
    await consolidator.handle(
        CloseProject(**envelope("close", "alice", project_id="novel", agent_id="poet"))
    )
    await consolidator.handle(undo("close"))
    (opened,) = await stores.listed(inside.scope)
    assert (opened.status, opened.status_reason) == (Status.ACTIVE, None)


async def test_undo_of_a_new_value_lets_the_old_one_hold_again(
    stores: Stores, consolidator: Consolidator
) -> None:
    lisbon, porto = lives("Lisbon", on=1), lives("Porto", on=9)
    await consolidator.handle(lisbon)
    await consolidator.handle(porto)
    await consolidator.handle(undo(porto.event_id))
    again = await memory_of(stores, id_of(lisbon))
    assert (again.status, again.valid_until, again.superseded_by) == (Status.ACTIVE, None, None)
    assert (await memory_of(stores, id_of(porto))).status is Status.FORGOTTEN
    assert stores.vectors.points[again.id].status is Status.ACTIVE


async def test_undo_of_an_edit_asks_for_the_vectors_of_the_old_words(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    await consolidator.handle(edit(id_of(TEA), "I like rain", content="I like rain"))
    await consolidator.handle(undo("edit"))
    await consolidator.handle(*stores.published.asked_of_the_embedder())
    memory = await memory_of(stores, id_of(TEA))
    point = stores.vectors.points[memory.id]
    assert (memory.content, memory.version, point.version) == ("I like tea", 3, 3)
    assert list(point.dense) == pytest.approx(vectors_of("I like tea").dense_values())


async def test_undo_of_what_was_changed_again_is_refused_and_names_the_later_change(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    await consolidator.handle(edit(id_of(TEA), "green tea", "green", content="green tea"))
    await consolidator.handle(PinMemory(memory_id=id_of(TEA), **envelope("pin", "alice")))
    await consolidator.handle(edit(id_of(TEA), "black tea", "black", content="black tea"))
    await consolidator.handle(undo("green"), undo("pin"))
    refusal = (await caused(stores, "undo green")).refusal
    assert refusal is not None
    assert (refusal.reason, refusal.change_set_id, refusal.revision) == (
        "changed_since",
        change_set_id("alice", "black"),
        4,
    )
    memory = await memory_of(stores, id_of(TEA))
    assert (memory.content, memory.pinned) == ("black tea", False)


async def test_nobody_undoes_what_somebody_else_did(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA)
    theirs = UndoChange(
        change_set_id=change_set_id("alice", TEA.event_id), **envelope("undo", "mallory")
    )
    await consolidator.handle(theirs)
    (change_set,) = await stores.change_sets.by_ids([change_set_id("mallory", "undo")])
    assert change_set.refusal is not None
    assert change_set.refusal.reason == "not_found"
    assert (await memory_of(stores, id_of(TEA))).status is Status.ACTIVE


async def test_settings_are_undone_too(stores: Stores, consolidator: Consolidator) -> None:
    await consolidator.handle(settle("chinese", language=Language.CHINESE))
    await consolidator.handle(settle("zone", time_zone="Asia/Shanghai"))
    await consolidator.handle(undo("chinese"))
    settings = (await stores.settings.of(["alice"]))["alice"]
    assert (settings.language, settings.time_zone) == (None, "Asia/Shanghai")


async def test_a_language_can_be_left_to_the_conversation_again(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(settle("chinese", language=Language.CHINESE))
    await consolidator.handle(settle("follow", reset=("language",)))
    assert (await stores.settings.of(["alice"]))["alice"].language is None


async def test_a_reconciler_finishes_a_command_that_was_left(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Consolidator(stores, clock)
    await first.handle(TEA)

    monkeypatch.setattr(first.finishing, "finish", dies)
    with pytest.raises(ConnectionError):
        await first.handle(edit(id_of(TEA), "green tea", content="green tea"))
    clock.advance(timedelta(hours=1))
    second = Consolidator(stores, clock)
    await second.reconciler.finish_unfinished(clock())
    assert (await memory_of(stores, id_of(TEA))).content == "green tea"
    assert stores.published.announced[-1].cause.event_id == "edit"
    await second.handle(*stores.published.asked_of_the_embedder())
    assert stores.vectors.points[id_of(TEA)].version == 2


def of_mallory(command: Any) -> Any:
    return command.model_copy(update={"user_id": "mallory", "event_id": "of mallory"})


@pytest.mark.parametrize(
    "command",
    [
        forget(id_of(TEA)),
        edit(id_of(TEA), "I like rain", content="I like rain"),
        PinMemory(memory_id=id_of(TEA), **envelope("pin", "alice")),
        MergeMemories(memory_ids=(id_of(TEA), id_of(COFFEE)), **envelope("merge", "alice")),
    ],
    ids=lambda command: str(command.type),
)
async def test_what_is_read_for_one_user_is_out_of_reach_of_anothers_command_beside(
    stores: Stores, consolidator: Consolidator, command: Any
) -> None:
    await consolidator.handle(TEA, COFFEE, remember("I am here", user_id="mallory"))
    before = await stores.listed(ALICE)
    speaks_of_them = PinMemory(memory_id=id_of(TEA), pinned=False, **envelope("look", "alice"))
    of_the_other = speaks_of_them.model_copy(
        update={"memory_id": id_of(COFFEE), "event_id": "look at the other"}
    )
    await consolidator.handle(speaks_of_them, of_the_other, of_mallory(command))
    assert await stores.listed(ALICE) == before
    (change_set,) = await stores.change_sets.by_ids([change_set_id("mallory", "of mallory")])
    assert change_set.changes == ()


@pytest.mark.parametrize("mallory_first", [True, False])
async def test_each_undoes_only_their_own_change_even_in_one_batch(
    stores: Stores,
    consolidator: Consolidator,
    mallory_first: bool,
) -> None:
    await consolidator.handle(TEA, remember("I am here", user_id="mallory"))
    own = undo(TEA.event_id, "own")
    both = [of_mallory(own), own]
    await consolidator.handle(*(both if mallory_first else reversed(both)))
    assert (await caused(stores, "own")).reason == "undone"
    (change_set,) = await stores.change_sets.by_ids([change_set_id("mallory", "of mallory")])
    assert change_set.refusal is not None
    assert (change_set.refusal.reason, change_set.changes) == ("not_found", ())


async def test_a_memory_is_related_to_another_as_its_user_says(
    stores: Stores, consolidator: Consolidator
) -> None:
    await consolidator.handle(TEA, COFFEE)

    async def relate(relation: str, strength: float, key: str) -> list[tuple[str, float]]:
        await consolidator.handle(
            RelateMemory(
                memory_id=id_of(TEA),
                other_id=id_of(COFFEE),
                relation=RelationType(relation),
                strength=strength,
                **envelope(key, "alice"),
            )
        )
        [memory] = await stores.memories.by_ids([ALICE], [id_of(TEA)])
        return [(one.type.value, one.strength) for one in memory.relations]

    assert await relate("refines", 0.9, "r1") == [("refines", 0.9)]
    assert await relate("refines", 0.4, "r2") == [("refines", 0.4)]
    assert await relate("supports", 1.0, "r3") == [("refines", 0.4), ("supports", 1.0)]
    assert await relate("refines", 0.0, "r4") == [("supports", 1.0)]
