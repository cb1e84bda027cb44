"""Which messages are not shown, and which no summary may rest on, by what became of a memory."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import turn_id
from palimpsest_server.domain.consolidation import manual_edits, withheld_evidence
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.feedback import WRONG_REASON
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.withheld_evidence import (
    WithheldEvidence,
    find_withheld_evidence,
    hidden_turn_ids,
    last_forgotten_revision,
    turns_excluded_from_summaries,
)
from tests.support.server.domain.consolidation.samples import candidate, day

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SAID = turn_id("alice", "s", "m1")
SUMMARY = summary_id("alice", "s")


def remembered(**edits: Any) -> Memory:
    """What was said in the first message, and set right where there are edits."""
    known = Overlay()
    decide_candidate(known, candidate("I live in Rome", on=1), received_at=day(2), epoch=0)
    (memory,) = known.everything()
    if edits:
        manual_edits.edit_memory(known, memory.id, MemoryEdits(**edits), version=None, at=NOW)
    (memory,) = known.everything()
    return memory


def caused(by: str, before: Memory | None, after: Memory) -> list[WithheldEvidence]:
    return find_withheld_evidence(
        ChangeSet(
            id="c",
            user_id="alice",
            revision=7,
            epoch=0,
            cause=Cause(event_id="e", type=by, occurred_at=NOW, received_at=NOW),
            actor="user",
            reason="",
            decided_at=NOW,
            changes=(MemoryChange(before=before, after=after),),
        )
    )


def now(memory: Memory, status: Status) -> Memory:
    return memory.model_copy(update={"status": status})


ROME = remembered()
PARIS = remembered(content="I live in Paris")
REJECTED = now(ROME, Status.REJECTED)
WAITING = now(ROME, Status.PENDING)
WRONG = WAITING.model_copy(update={"status_reason": WRONG_REASON})
ARCHIVED = now(ROME, Status.ARCHIVED)
FORGOTTEN, FORGOTTEN_PARIS = now(ROME, Status.FORGOTTEN), now(PARIS, Status.FORGOTTEN)


@pytest.mark.parametrize(
    ("by", "before", "after", "shown_no_more", "told_no_more"),
    [
        ("ForgetMemory", ROME, FORGOTTEN, (SAID,), (SAID,)),
        ("ForgetMemory", PARIS, FORGOTTEN_PARIS, (SAID,), (SAID,)),
        ("EditMemory", ROME, PARIS, (), (SAID,)),
        # What was restored is shown; what it said before it was set right is still told by nobody.
        ("RestoreMemory", FORGOTTEN, ROME, (), ()),
        ("RestoreMemory", FORGOTTEN_PARIS, PARIS, (), (SAID,)),
        ("UndoChange", PARIS, ROME, (), ()),
        ("RejectMemory", WAITING, REJECTED, (SAID,), (SAID,)),
        ("RestoreMemory", REJECTED, ROME, (), ()),
        ("UndoChange", REJECTED, WAITING, (), ()),
        ("FeedbackGiven", ROME, WRONG, (SAID,), (SAID,)),
        ("ConfirmMemory", WRONG, ROME, (), ()),
        ("ForgetMemory", ARCHIVED, FORGOTTEN, (SAID,), (SAID,)),
        ("UndoChange", FORGOTTEN, ARCHIVED, (), ()),
        ("RestoreMemory", ARCHIVED, ROME, (), ()),
    ],
)
def test_what_is_forgotten_or_set_right_is_not_told(
    by: str, before: Memory, after: Memory, shown_no_more: tuple[str], told_no_more: tuple[str]
) -> None:
    (found,) = caused(by, before, after)
    assert (found.turn_ids, found.left_out) == (shown_no_more, told_no_more)
    assert found.summary_ids == (SUMMARY,), "whoever looks at it once more must know which"


@pytest.mark.parametrize(
    ("by", "before", "after"),
    [
        ("CandidatesProposed", None, ROME),
        ("PinMemory", PARIS, PARIS.model_copy(update={"pinned": True})),
        # In the course of time, and for good: then it stays as it was.
        ("RunMaintenance", ROME, FORGOTTEN),
        ("RejectMemory", WRONG, REJECTED),
        ("ConfirmMemory", WAITING, ROME),
        ("FeedbackGiven", ROME, ROME.model_copy(update={"importance": 0.9})),
        ("UndoChange", ROME, WAITING),
        # What was put away neither comes back with its messages nor takes them along.
        ("RunMaintenance", ROME, ARCHIVED),
        ("MergeMemories", ROME, ARCHIVED),
        ("JudgementMade", WRONG, ARCHIVED),
        ("UndoChange", ROME, ARCHIVED),
        ("PurgeForgotten", FORGOTTEN, now(ROME, Status.PURGED)),
        ("PurgeMemory", PARIS, now(PARIS, Status.PURGED)),
    ],
)
def test_of_anything_else_nothing_is_said(by: str, before: Memory | None, after: Memory) -> None:
    assert caused(by, before, after) == []


def test_a_command_that_hides_evidence_hides_that_of_what_it_archives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No command of today does both; the property promises it for the first that will."""
    causes = withheld_evidence.MANUAL_FORGET_CAUSES | {"SnoozeMemory"}
    monkeypatch.setattr(withheld_evidence, "MANUAL_FORGET_CAUSES", causes)
    (found,) = caused("SnoozeMemory", ROME, ARCHIVED)
    assert found.turn_ids == found.left_out == (SAID,)
    assert caused("SnoozeMemory", FORGOTTEN, ARCHIVED) == []


def test_what_several_memories_withhold_is_withheld_together() -> None:
    (forgotten,) = caused("ForgetMemory", ROME, FORGOTTEN)
    (corrected,) = caused("EditMemory", ROME, PARIS)
    other = corrected.model_copy(update={"left_out": ("t",)})
    (released,) = caused("RestoreMemory", FORGOTTEN, ROME)
    assert hidden_turn_ids([forgotten, corrected]) == {SAID}
    later = corrected.model_copy(update={"revision": forgotten.revision + 1})
    assert last_forgotten_revision([forgotten, later]) == forgotten.revision
    assert last_forgotten_revision([corrected, released]) == 0
    assert turns_excluded_from_summaries([forgotten, other]) == {SUMMARY: {SAID, "t"}}
    assert turns_excluded_from_summaries([released]) == {}
