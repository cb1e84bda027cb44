"""Which memories are kept at hand, and what a change makes of them."""

from typing import Any

from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.hot_memories import (
    MAXIMUM_HOT_MEMORIES,
    apply_to_hot_memories,
    select_current_memories,
    select_hot_memories,
)
from tests.support.server.domain.consolidation.samples import candidate, day


def memory(content: str, **fields: Any) -> Memory:
    stated = build_memory(candidate(content), received_at=day(1), epoch=0)
    return stated.model_copy(update={"id": content, **fields})


TEA, JAM = memory("tea"), memory("jam")
KEPT = {"tea": TEA, "jam": JAM}


def change_set(*changes: Any) -> ChangeSet:
    return ChangeSet(
        id="c",
        user_id="alice",
        revision=1,
        epoch=0,
        cause=Cause(event_id="e", type="EditMemory", occurred_at=day(2), received_at=day(2)),
        actor="user",
        reason="",
        decided_at=day(2),
        changes=changes,
    )


def changed(before: Memory, **fields: Any) -> MemoryChange:
    after = before.model_copy(update={"version": before.version + 1, **fields})
    return MemoryChange(before=before, after=after)


def test_the_twenty_most_recalled_that_hold_are_kept() -> None:
    memories = [memory(str(number)) for number in range(30)]
    memories[0] = memories[0].model_copy(update={"status": Status.SUPERSEDED})
    ids = [str(number) for number in range(30)]
    assert [*select_hot_memories(reversed(memories), ["gone", *ids], epoch=0)] == ids[
        1 : MAXIMUM_HOT_MEMORIES + 1
    ]
    assert select_hot_memories(memories, ids, epoch=1) == {}


def test_a_copy_is_current_in_the_projected_version_alone() -> None:
    versions = {"tea": 1, "jam": 2, "bread": 1}
    assert select_current_memories(KEPT, versions) == {"tea": TEA}
    assert select_current_memories(KEPT, {"tea": None}) == {}


def test_what_changes_is_kept_as_it_is_now() -> None:
    new = changed(TEA, content="green tea")
    assert apply_to_hot_memories(KEPT, change_set(new)) == {"tea": new.after, "jam": JAM}
    assert apply_to_hot_memories({"tea": new.after}, change_set(new)) == {"tea": new.after}


def test_what_holds_no_longer_is_let_go() -> None:
    for status in (Status.FORGOTTEN, Status.SUPERSEDED, Status.ARCHIVED, Status.PURGED):
        assert apply_to_hot_memories(KEPT, change_set(changed(TEA, status=status))) == {"jam": JAM}


def test_others_changes_leave_all_as_it_is() -> None:
    assert apply_to_hot_memories(KEPT, change_set(MemoryChange(after=memory("bread")))) is KEPT


def test_after_an_erasure_nothing_is_kept() -> None:
    erasure = Erasure(epoch=0, memory_ids=("tea",))
    assert (
        apply_to_hot_memories(KEPT, change_set().model_copy(update={"changes": (erasure,)})) is None
    )
