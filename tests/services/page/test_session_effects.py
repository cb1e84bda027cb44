"""The effects of a conversation: one for each memory, and whether they are still to be taken back."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.api.conversations import SessionUndoConflict, SessionUndoResult
from palimpsest.model.change_set import Cause, ChangeRefusal, ChangeSet, MemoryChange
from palimpsest.model.memory import Evidence, Memory, Status
from services.page.session_effects import (
    Effect,
    collect_effects,
    count_erased,
    group_by_message,
    name_effect,
)
from tests.support.server.stores.memories import memory

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def change_set(revision: int, *changes: MemoryChange) -> ChangeSet:
    cause = Cause(event_id=f"e{revision}", type="t", occurred_at=NOON, received_at=NOON)
    return ChangeSet(
        id=f"c{revision}",
        user_id="alice",
        revision=revision,
        epoch=0,
        cause=cause,
        actor="alice",
        reason="said",
        decided_at=NOON,
        changes=changes,
    )


def changed(before: Memory | None, after: Memory) -> MemoryChange:
    return MemoryChange(before=before, after=after)


def remembered(name: str, **fields: Any) -> Memory:
    return memory(name).model_copy(update={"id": name, "status": Status.ACTIVE, **fields})


TEA = remembered("I like tea")


@pytest.mark.parametrize(
    ("before", "after", "effect"),
    [
        (None, {}, Effect.REMEMBERED),
        (None, {"status": Status.PENDING}, Effect.TO_CONFIRM),
        (None, {"status": Status.SUPERSEDED}, Effect.REPLACED),
        ({}, {"status": Status.SUPERSEDED}, Effect.REPLACED),
        ({}, {"status": Status.FORGOTTEN}, Effect.FORGOTTEN),
        ({"status": Status.FORGOTTEN}, {}, Effect.RESTORED),
        ({}, {"content": "I like green tea"}, Effect.REWORDED),
        ({}, {"valid_until": NOON}, Effect.ENDED),
        ({}, {"confidence": 0.9}, Effect.REPEATED),
    ],
)
def test_a_change_is_named_by_its_two_states(
    before: dict[str, Any] | None, after: dict[str, Any], effect: Effect
) -> None:
    earlier = None if before is None else TEA.model_copy(update=before)
    assert name_effect(earlier, TEA.model_copy(update=after)) is effect


def test_a_memory_that_was_changed_twice_is_one_effect() -> None:
    reworded = TEA.model_copy(update={"content": "I like green tea"})
    effects = collect_effects(
        [change_set(2, changed(TEA, reworded)), change_set(1, changed(None, TEA))]
    )
    assert [(row.effect, row.memory) for row in effects] == [(Effect.REMEMBERED, reworded)]


def test_what_undoing_leaves_alone_is_taken_back_or_kept_by_a_later_change() -> None:
    changes = [
        change_set(number, changed(None, remembered(name)))
        for number, name in enumerate(("standing", "gone", "kept"), start=1)
    ]
    refusal = ChangeRefusal(reason="changed_since", message="changed again", change_set_id="c9")
    conflict = SessionUndoConflict(
        change_set_id="c3", memory_ids=("kept",), changed_again=("kept",), refusal=refusal
    )
    preview = SessionUndoResult(put_back=(), change_set_ids=("c1",), conflicts=(conflict,))
    effects = {row.memory.id: row for row in collect_effects(changes, preview)}
    assert {name: (row.is_taken_back, row.is_kept) for name, row in effects.items()} == {
        "standing": (False, False),
        "gone": (True, False),
        "kept": (False, True),
    }
    unfinished = preview.model_copy(update={"left": 4})
    assert not any(row.is_taken_back for row in collect_effects(changes, unfinished))


def test_only_the_memory_that_was_changed_again_is_told_to_be() -> None:
    both = change_set(1, changed(None, remembered("other")), changed(None, remembered("beside")))
    conflict = SessionUndoConflict(
        change_set_id="c1",
        memory_ids=("other", "beside"),
        changed_again=("other",),
        refusal=ChangeRefusal(reason="changed_since", message="changed again"),
    )
    preview = SessionUndoResult(put_back=(), change_set_ids=(), conflicts=(conflict,))
    effects = collect_effects([both], preview)
    assert [(row.is_kept, row.is_changed_again) for row in effects] == [(True, True), (True, False)]


def test_what_was_erased_is_counted() -> None:
    erased = remembered("gone").model_copy(update={"content": "", "status": Status.PURGED})
    effects = collect_effects([change_set(1, changed(None, TEA), changed(None, erased))])
    assert ([row.is_erased for row in effects], count_erased(effects)) == ([False, True], 1)


def test_effects_stand_beside_the_messages_that_they_quote() -> None:
    def quoting(name: str, *places: tuple[str, str]) -> Memory:
        evidence = tuple(
            Evidence(quote="q", session_id=session_id, message_id=message_id)
            for session_id, message_id in places
        )
        return remembered(name, evidence=evidence)

    both = quoting("both", ("monday", "m1"), ("monday", "m1"), ("monday", "m2"))
    elsewhere = quoting("elsewhere", ("sunday", "m1"))
    effects = collect_effects([change_set(1, changed(None, both), changed(None, elsewhere))])
    grouped = group_by_message(effects, "monday")
    assert {at: [row.memory.id for row in rows] for at, rows in grouped.items()} == {
        "m1": ["both"],
        "m2": ["both"],
    }
