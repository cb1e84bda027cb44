"""Undoing a session: what it alone wrote is taken back, and what came after it is not lost."""

from collections.abc import Sequence
from datetime import UTC, datetime

from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange, SettingsChange
from palimpsest.model.memory import Memory, Status
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.manual_edits import pin_memory
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.session_undo import (
    SessionUndo,
    find_memories_in_the_way,
    undo_session,
)
from tests.support.server.domain.consolidation.samples import candidate, lives_in

NOW = datetime(2026, 3, 2, tzinfo=UTC)
PLAIN = UserSettings()


class Line:
    """The change sets of one user, some of them caused by a session."""

    def __init__(self) -> None:
        self.known = Overlay()
        self.history: list[ChangeSet] = []

    def state(self, proposed: object, number: int, session_id: str | None) -> None:
        decide_candidate(self.known, proposed, received_at=NOW, epoch=0, position=0)  # type: ignore[arg-type]
        self.close(session_id, number=number)

    def close(self, session_id: str | None, *others: SettingsChange, number: int = 0) -> None:
        revision = len(self.history) + 1
        self.history.append(
            ChangeSet(
                id=f"c{revision}",
                user_id="alice",
                revision=revision,
                epoch=0,
                cause=Cause(
                    event_id=f"e{revision}",
                    type="CandidatesProposed",
                    occurred_at=NOW,
                    received_at=NOW,
                    session_id=session_id,
                ),
                actor="extractor",
                reason=f"statement {number}",
                decided_at=NOW,
                changes=(*self.known.take_changes(), *others),
            )
        )

    def of(self, session_id: str) -> Sequence[ChangeSet]:
        return [
            change_set for change_set in self.history if change_set.cause.session_id == session_id
        ]

    @property
    def memories(self) -> dict[str, Memory]:
        return {memory.id: memory for memory in self.known.everything()}

    def undo(self, session_id: str, settings: UserSettings = PLAIN) -> SessionUndo:
        undo = undo_session(self.of(session_id), self.memories, settings, self.history)
        for change in undo.memories:
            self.known.put(change.after)
        return undo

    def active(self) -> set[str]:
        return {
            memory.content for memory in self.known.everything() if memory.status is Status.ACTIVE
        }


def test_a_session_that_added_and_replaced_leaves_what_was_before() -> None:
    line = Line()
    line.state(lives_in("Boston", on=1), 1, "monday")
    before = line.active()
    line.state(lives_in("Denver", on=2), 2, "tuesday")
    line.state(candidate("I like tea", on=2), 3, "tuesday")
    assert line.active() != before
    undo = line.undo("tuesday")
    assert line.active() == before
    assert [change_set.id for change_set in undo.undone] == ["c3", "c2"]
    assert (list(undo.conflicts), undo.left) == ([], 0)


def test_evidence_that_a_session_added_to_a_memory_of_another_goes_alone() -> None:
    line = Line()
    line.state(candidate("I like tea", on=1), 1, "monday")
    (before,) = line.memories.values()
    line.state(candidate("I like tea", on=2), 2, "tuesday")
    line.undo("tuesday")
    (after,) = line.memories.values()
    assert after.model_copy(update={"version": before.version}) == before


def test_what_was_changed_again_since_stays_and_names_the_later_change() -> None:
    line = Line()
    line.state(lives_in("Denver", on=1), 1, "monday")
    line.state(candidate("I like tea", on=1), 2, "monday")
    line.state(lives_in("Paris", on=2), 3, "tuesday")
    undo = line.undo("monday")
    assert [change_set.id for change_set in undo.undone] == ["c2"]
    (conflict,) = undo.conflicts
    assert conflict.change_set.id == "c1"
    assert (conflict.refusal.reason, conflict.refusal.change_set_id) == ("changed_since", "c3")
    assert line.active() == {lives_in("Paris", on=2).content}


def test_what_was_taken_back_already_is_no_conflict() -> None:
    line = Line()
    line.state(candidate("I like tea", on=1), 1, "monday")
    line.undo("monday")
    line.close(None)
    again = line.undo("monday")
    assert (list(again.memories), list(again.conflicts), list(again.undone)) == ([], [], [])


def test_another_field_that_was_changed_since_is_kept() -> None:
    line = Line()
    line.state(candidate("I like tea", on=1), 1, "monday")
    (memory,) = line.memories.values()
    pin_memory(line.known, memory.id, pinned=True)
    line.close(None)
    assert find_memories_in_the_way(line.of("monday"), line.memories) == {memory.id}
    line.undo("monday")
    (after,) = line.memories.values()
    assert (after.status, after.pinned) == (Status.FORGOTTEN, True)


def test_settings_that_a_session_told_are_put_back_unless_they_were_set_since() -> None:
    line = Line()
    heard = UserSettings(time_zone="Asia/Shanghai")
    line.close("monday", SettingsChange(before=PLAIN, after=heard))
    assert line.undo("monday", heard).settings == PLAIN
    moved = UserSettings(time_zone="Europe/Paris")
    undo = line.undo("monday", moved)
    assert (undo.settings, len(undo.conflicts)) == (moved, 1)


def test_an_agent_takes_back_only_what_it_sees_whole() -> None:
    line = Line()
    line.state(candidate("I like tea", on=1), 1, "monday")
    (memory,) = line.memories.values()
    own = memory.model_copy(update={"scope": memory.scope.model_copy(update={"agent_id": "poet"})})
    theirs = line.of("monday")[0].model_copy(update={"changes": (MemoryChange(after=own),)})
    present = {own.id: own}
    for agent_id, undone in (("poet", 1), ("coder", 0), (None, 1)):
        undo = undo_session([theirs], present, PLAIN, agent_id=agent_id)
        assert len(undo.undone) == undone
