"""Undo: whatever was done is taken back, and nothing that came after it is lost."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.change_set import (
    Cause,
    ChangeSet,
    MemoryChange,
    SettingsChange,
    change_set_id,
)
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.user import Language, UserSettings
from palimpsest_server.domain.consolidation import manual_edits, manual_merges, reactivation
from palimpsest_server.domain.consolidation.candidate_decisions import (
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.change_set_undo import (
    ADDITION_UNDONE_REASON,
    find_latest_conflict,
    undo_memory_changes,
    undo_settings_changes,
)
from palimpsest_server.domain.consolidation.manual_edits import MemoryChangeRefused
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import ALLOWED_TRANSITIONS
from tests.support.extent import EVERY
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class World:
    """What is known, and every change set that made it so."""

    def __init__(self) -> None:
        self.known = Overlay()
        self.history: list[ChangeSet] = []

    @property
    def memories(self) -> dict[str, Memory]:
        return dict(self.known._memories)

    def take(self, changes: Sequence[Any] | None = None) -> ChangeSet:
        """What became of every memory is allowed by the table of moves."""
        revision = len(self.history) + 1
        change_set = ChangeSet(
            id=change_set_id("alice", f"e{revision}"),
            user_id="alice",
            revision=revision,
            epoch=0,
            cause=Cause(event_id=f"e{revision}", type="x", occurred_at=NOW, received_at=NOW),
            actor="user",
            reason="whatever",
            decided_at=NOW,
            changes=self.known.take_changes() if changes is None else tuple(changes),
        )
        self.history.append(change_set)
        for change in change_set.memory_changes:
            was = change.before.status if change.before else change.after.status
            assert change.after.status in ALLOWED_TRANSITIONS[was] | {was}
        return change_set

    def undo(self, change_set: ChangeSet) -> ChangeSet:
        for memory in undo_memory_changes(change_set, self.memories):
            self.known.put(memory)
        return self.take()

    def stated(self, what: str, number: int) -> None:
        words = (
            candidate(what, on=number) if what.startswith("I like") else lives_in(what, on=number)
        )
        decide_candidate(self.known, words, received_at=day(100 + len(self.history)), epoch=0)


def unversioned(memories: dict[str, Memory]) -> dict[str, Memory]:
    return {each: memory.model_copy(update={"version": 0}) for each, memory in memories.items()}


Step = tuple[str, int, str]

STEPS = st.tuples(
    st.sampled_from(
        ["state", "forget", "edit", "pin", "unpin", "confirm", "reject", "restore", "merge",
         "archive", "wait"]
    ),
    st.integers(0, 6),
    st.sampled_from(["Lisbon", "Porto", "Faro", "I like tea", "I like rain", "I like 茶"]),
)  # fmt: skip


def do(world: World, step: Step) -> ChangeSet:
    """One command or statement; what cannot be done changes nothing."""
    name, number, what = step
    ids = sorted(world.memories)
    if name == "state":
        world.stated(what, number)
    elif ids:
        with suppress(MemoryChangeRefused):
            _command(world.known, name, ids[number % len(ids)], ids, what)
    return world.take()


def _command(known: Overlay, name: str, memory_id: str, ids: list[str], what: str) -> None:
    def wait() -> None:
        memory = known._memories[memory_id]
        if memory.status is Status.ACTIVE:
            known.put(memory.model_copy(update={"status": Status.PENDING}))

    steps: dict[str, Callable[[], object]] = {
        "forget": lambda: forget_memory(known, memory_id, reason=what),
        "edit": lambda: manual_edits.edit_memory(
            known, memory_id, MemoryEdits(content=what), version=None, at=NOW
        ),
        "pin": lambda: manual_edits.pin_memory(known, memory_id, pinned=True),
        "unpin": lambda: manual_edits.pin_memory(known, memory_id, pinned=False),
        "confirm": lambda: reactivation.confirm_memory(known, memory_id),
        "reject": lambda: manual_edits.reject_memory(known, memory_id, reason=what),
        "restore": lambda: reactivation.restore_memory(known, memory_id, at=NOW),
        "merge": lambda: manual_merges.merge_memories(
            known, [memory_id, *ids[:2]], content=None, summary=None, at=NOW
        ),
        "archive": lambda: manual_edits.archive_memories(known, ids[:3], reason=what),
        "wait": wait,
    }
    steps[name]()


@settings(max_examples=400 // EVERY, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=12))
def test_what_is_undone_at_once_is_as_it_was_before(steps: list[Step]) -> None:
    world = World()
    for step in steps[:-1]:
        do(world, step)
    before = unversioned(world.memories)
    done = do(world, steps[-1])
    world.undo(done)
    after = unversioned(world.memories)
    added = {change.after.id for change in done.memory_changes if change.before is None}
    assert {each: memory for each, memory in after.items() if each not in added} == before
    for each in added:
        assert (after[each].status, after[each].status_reason) == (
            Status.FORGOTTEN,
            ADDITION_UNDONE_REASON,
        )
        assert not any(
            each in (*memory.supersedes, memory.superseded_by) for memory in after.values()
        )


@settings(max_examples=300 // EVERY, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=10))
def test_undoing_the_undoing_is_as_if_nothing_had_been_undone(steps: list[Step]) -> None:
    world = World()
    for step in steps:
        done = do(world, step)
    stood = unversioned(world.memories)
    world.undo(world.undo(done))
    assert unversioned(world.memories) == stood


@settings(max_examples=300 // EVERY, deadline=None)
@given(st.lists(STEPS, min_size=2, max_size=12), st.integers(0, 10))
def test_an_undo_leaves_all_that_came_later_or_says_what_is_in_the_way(
    steps: list[Step], chosen: int
) -> None:
    world = World()
    for step in steps:
        do(world, step)
    undone = world.history[chosen % len(world.history)]
    stood = world.memories
    later = world.history[undone.revision :]
    try:
        put_back = {memory.id: memory for memory in undo_memory_changes(undone, stood)}
    except MemoryChangeRefused as error:
        if error.refusal.reason == "changed_since":
            in_the_way = find_latest_conflict(undone, stood, later)
            assert in_the_way is not None
            assert in_the_way.revision > undone.revision
        return
    own = {change.after.id: change for change in undone.memory_changes}
    for memory_id, memory in put_back.items():
        change = own[memory_id]
        for name in Memory.model_fields:
            if getattr(memory, name) != getattr(stood[memory_id], name):
                # It was this change set that made it what it was, until now.
                assert getattr(stood[memory_id], name) == getattr(change.after, name)


@settings(max_examples=200 // EVERY, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=10))
def test_undone_backwards_nothing_is_left(steps: list[Step]) -> None:
    world = World()
    for step in steps:
        do(world, step)
    for done in world.history[::-1]:
        world.undo(done)
    assert {memory.status for memory in world.memories.values()} <= {Status.FORGOTTEN}


def test_a_value_that_was_replaced_holds_again_and_links_go_both_ways() -> None:
    world = World()
    world.stated("Lisbon", 0)
    world.take()
    world.stated("Porto", 5)
    replaced = world.take()
    world.undo(replaced)
    lisbon, porto = world.memories.values()
    assert (lisbon.status, lisbon.valid_until, lisbon.superseded_by) == (Status.ACTIVE, None, None)
    assert (porto.status, porto.supersedes) == (Status.FORGOTTEN, ())


@pytest.mark.parametrize(
    ("stood", "step"),
    [
        (Status.PENDING, reactivation.confirm_memory),
        (Status.REJECTED, partial(reactivation.restore_memory, at=NOW)),
    ],
)
def test_what_was_outdated_when_it_was_taken_up_again_becomes_what_it_was(
    stood: Status, step: Callable[[Overlay, str], object]
) -> None:
    world = World()
    world.stated("Lisbon", 0)
    world.take()
    (lisbon,) = world.memories
    world.known.put(world.memories[lisbon].model_copy(update={"status": stood}))
    world.take()
    world.stated("Porto", 5)
    world.take()
    step(world.known, lisbon)
    taken_up = world.take()
    assert world.memories[lisbon].status is Status.SUPERSEDED
    world.undo(taken_up)
    assert world.memories[lisbon].status is stood
    assert [memory.status for memory in world.memories.values()] == [stood, Status.ACTIVE]


def test_what_was_changed_again_is_not_undone_and_the_later_change_is_named() -> None:
    world = World()
    world.stated("I like tea", 0)
    world.take()
    (tea,) = world.memories
    manual_edits.edit_memory(
        world.known, tea, MemoryEdits(content="green tea"), version=None, at=NOW
    )
    edited = world.take()
    manual_edits.pin_memory(world.known, tea, pinned=True)
    world.take()
    manual_edits.edit_memory(
        world.known, tea, MemoryEdits(content="black tea"), version=None, at=NOW
    )
    again = world.take()
    with pytest.raises(MemoryChangeRefused, match="changed since"):
        undo_memory_changes(edited, world.memories)
    assert find_latest_conflict(edited, world.memories, world.history[2:]) == again


def test_what_came_later_beside_it_stays() -> None:
    world = World()
    world.stated("I like tea", 0)
    world.take()
    (tea,) = world.memories
    manual_edits.edit_memory(
        world.known, tea, MemoryEdits(content="green tea"), version=None, at=NOW
    )
    edited = world.take()
    manual_edits.pin_memory(world.known, tea, pinned=True)
    world.take()
    world.undo(edited)
    assert (world.memories[tea].content, world.memories[tea].pinned) == ("I like tea", True)


def test_a_purge_is_not_undone_nor_what_came_before_it() -> None:
    world = World()
    world.stated("I like tea", 0)
    added = world.take()
    (tea,) = world.memories.values()
    gone = tea.model_copy(update={"status": Status.PURGED, "content": "", "version": 2})
    purge = world.take([MemoryChange(before=tea, after=gone)])
    with pytest.raises(MemoryChangeRefused, match="gone for good"):
        undo_memory_changes(purge, {tea.id: gone})
    with pytest.raises(MemoryChangeRefused, match="purged since"):
        undo_memory_changes(added, {tea.id: gone})


def test_settings_are_put_back_one_by_one() -> None:
    before = UserSettings()
    after = UserSettings(language=Language.CHINESE, time_zone="Asia/Shanghai")
    world = World()
    changed = world.take([SettingsChange(before=before, after=after)])
    off = after.model_copy(update={"memory_enabled": False})
    assert undo_settings_changes(changed, off) == UserSettings(memory_enabled=False)
    moved = after.model_copy(update={"time_zone": "Europe/Lisbon"})
    with pytest.raises(MemoryChangeRefused, match="a setting"):
        undo_settings_changes(changed, moved)
