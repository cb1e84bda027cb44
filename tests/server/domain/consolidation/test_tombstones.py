"""Purging: nothing of what was said is left, neither now nor before."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.change_set import Cause, ChangeSet
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryChangeRefused,
    MemoryCommandOutcome,
    edit_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.tombstones import (
    ERASED_REASON,
    build_tombstone,
    purge_memories,
    strip_erased_history,
)
from tests.support.server.domain.consolidation.overlays import known, one
from tests.support.server.domain.consolidation.samples import lives_in

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def said(memory: Memory) -> str:
    return memory.model_dump_json(exclude={"id", "scope"})


def test_a_tombstone_says_nothing() -> None:
    memory = one(
        known(
            lives_in("Lisbon", on=0, tags=("Lisbon",), entities=("Lisbon",), data={"a": "Lisbon"})
        )
    )
    stone = build_tombstone(memory.model_copy(update={"summary": "Lisbon", "pinned": True}))
    assert "Lisbon" not in said(stone)
    assert (stone.status, stone.version, stone.evidence) == (Status.PURGED, 1, ())
    assert (stone.id, stone.scope, stone.epoch) == (memory.id, memory.scope, memory.epoch)


def test_what_is_purged_is_purged_once() -> None:
    overlay = known(lives_in("Lisbon", on=0))
    memory_id = one(overlay).id
    assert purge_memories(overlay, [memory_id]) is MemoryCommandOutcome.PURGED
    assert purge_memories(overlay, [memory_id]) is MemoryCommandOutcome.UNCHANGED
    with pytest.raises(MemoryChangeRefused, match="no such memory"):
        purge_memories(Overlay(), [memory_id])


def test_nothing_is_done_to_a_tombstone() -> None:
    overlay = known(lives_in("Lisbon", on=0))
    memory_id = one(overlay).id
    purge_memories(overlay, [memory_id])
    with pytest.raises(MemoryChangeRefused, match="is purged cannot be edited"):
        edit_memory(overlay, memory_id, MemoryEdits(content="Porto"), version=None, at=NOW)


def test_history_keeps_that_something_changed_and_what_became_of_others() -> None:
    overlay = Overlay()
    for memory in known(lives_in("Lisbon", on=0), lives_in("Porto", on=5))._memories.values():
        overlay.put(memory)
    lisbon, porto = list(overlay._memories)
    change_set = ChangeSet(
        id="c",
        user_id="alice",
        revision=7,
        epoch=0,
        cause=Cause(event_id="e", type="x", occurred_at=NOW, received_at=NOW),
        actor="user",
        reason="she told me of Lisbon",
        decided_at=NOW,
        changes=overlay.take_changes(),
    )
    kept = strip_erased_history(change_set, [lisbon])
    assert "Lisbon" not in kept.model_dump_json()
    assert (kept.revision, kept.reason, kept.actor) == (7, ERASED_REASON, "user")
    assert [memory_change.after.id for memory_change in kept.memory_changes] == [lisbon, porto]
    assert kept.memory_changes[1] == change_set.memory_changes[1]
    versions = [
        (memory_change.expected_version, memory_change.after.version)
        for memory_change in kept.memory_changes
    ]
    assert versions == [
        (memory_change.expected_version, memory_change.after.version)
        for memory_change in change_set.memory_changes
    ]


def test_of_an_older_epoch_nothing_is_known() -> None:
    (memory,) = known(lives_in("Lisbon", on=0))._memories.values()
    assert Overlay([memory], epochs={"alice": 1}).get(memory.id) is None
    assert Overlay([memory], epochs={"bob": 1}).get(memory.id) == memory
