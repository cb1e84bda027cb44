"""What people do to memories by hand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.memory import Candidate, MemorySource, Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role, turn_id
from palimpsest_server.domain.consolidation import manual_edits, manual_merges, reactivation
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.manual_edits import (
    MemoryChangeRefused,
    MemoryCommandOutcome,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.overlays import ids, known, one
from tests.support.server.domain.consolidation.samples import (
    START,
    about,
    candidate,
    day,
    lives_in,
)

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def edited(overlay: Overlay, version: int | None = None, **edits: Any) -> MemoryCommandOutcome:
    return manual_edits.edit_memory(
        overlay, one(overlay).id, MemoryEdits(**edits), version=version, at=NOW
    )


def test_an_edit_says_something_else_and_rests_on_who_wrote_it() -> None:
    overlay = known(candidate("I like tea"))
    assert edited(overlay, content="I like green tea") is MemoryCommandOutcome.EDITED
    (change,) = overlay.take_changes()
    assert (change.after.content, change.after.summary) == ("I like green tea",) * 2
    assert change.after.version == 2
    assert [evidence.quote for evidence in change.after.evidence] == ["I like green tea"]
    assert change.after.confidence == 1.0
    assert change.before is not None
    assert change.before.evidence[0].quote == "I like tea"


def test_a_correction_is_its_persons_and_says_no_more_what_it_said() -> None:
    overlay = known(lives_in("Rome", on=1, entities=("Rome", "Ada")))
    edited(overlay, content="Ada has moved to Paris")
    memory = one(overlay)
    assert (memory.attribute, memory.value, memory.entities) == ("city", None, ("Ada",))
    assert (memory.source, memory.said_by) == (MemorySource.USER_INPUT, Role.USER)
    assert memory.corrected == (turn_id("alice", "s", "m1"),)
    assert memory.corrections[0].session_ids == ("s",)


def test_a_value_that_is_given_with_the_words_is_taken() -> None:
    overlay = known(lives_in("Rome", on=1))
    edited(overlay, content="I live in Paris", value="Paris")
    assert (one(overlay).attribute, one(overlay).value) == ("city", "Paris")


def test_another_value_in_its_place_is_taken_from_the_words() -> None:
    overlay = known(lives_in("Rome", on=1))
    edited(overlay, content="I live in Paris")
    assert (one(overlay).attribute, one(overlay).value) == ("city", "Paris")


def told(overlay: Overlay, statement: Candidate) -> tuple[ConsolidationOutcome, list[str]]:
    outcome = decide_candidate(overlay, statement, received_at=NOW, epoch=0)
    active = [memory for memory in overlay.everything() if memory.status is Status.ACTIVE]
    return outcome, [memory.content for memory in active]


PARIS = "The user lives in Paris"


@pytest.mark.parametrize("value", [None, "Paris"])
def test_what_was_said_before_it_was_set_right_neither_ends_nor_supports_it(
    value: str | None,
) -> None:
    overlay = known(lives_in("Rome", on=1))
    edited(overlay, content=PARIS, value=value)
    before = one(overlay)
    assert told(overlay, lives_in("Rome", on=2)) == (ConsolidationOutcome.CORRECTED_SINCE, [PARIS])
    assert one(overlay) == before


@pytest.mark.parametrize("value", [None, "Paris"])
@pytest.mark.parametrize("city", ["Rome", "Berlin"])
def test_what_is_said_afterwards_takes_its_place(value: str | None, city: str) -> None:
    overlay = known(lives_in("Rome", on=1))
    edited(overlay, content=PARIS, value=value)
    later = (NOW - START).days + 1
    outcome, active = told(overlay, lives_in(city, on=later))
    assert (outcome, active) == (ConsolidationOutcome.SUPERSEDED, [f"I live in {city}"])
    assert (one(overlay).status, one(overlay).confidence) == (Status.SUPERSEDED, 1.0)


def test_of_what_has_many_values_another_is_not_touched() -> None:
    overlay = known(about("likes", "tea", on=1, content="I like tea"))
    edited(overlay, content="The user likes coffee")
    again = about("likes", "tea", on=2, content="I like tea")
    assert told(overlay, again) == (ConsolidationOutcome.CORRECTED_SINCE, ["The user likes coffee"])
    rain = about("likes", "rain", on=3, content="I like rain")
    assert told(overlay, rain)[0] is ConsolidationOutcome.ADDED


def test_an_edit_of_nothing_is_refused() -> None:
    overlay = known(candidate("I like tea"))
    with pytest.raises(MemoryChangeRefused, match="nothing"):
        edited(overlay)


def test_an_edit_of_what_is_beside_the_words_keeps_the_evidence() -> None:
    overlay = known(candidate("I like tea"))
    edited(overlay, importance=0.2, tags=("drinks",))
    (change,) = overlay.take_changes()
    assert change.before is not None
    assert change.after.evidence == change.before.evidence
    assert (change.after.importance, change.after.tags) == (0.2, ("drinks",))


def test_an_edit_can_take_a_value_away() -> None:
    overlay = known(lives_in("Lisbon", on=0))
    edited(overlay, cleared={"attribute", "value"})
    assert (one(overlay).attribute, one(overlay).value) == (None, None)


def test_an_edit_of_another_version_than_was_looked_at_is_refused() -> None:
    overlay = known(candidate("I like tea"))
    with pytest.raises(MemoryChangeRefused, match="since that version"):
        edited(overlay, version=7, content="I like coffee")


def test_an_edit_that_ends_before_it_begins_is_refused() -> None:
    overlay = known(candidate("I like tea"))
    with pytest.raises(MemoryChangeRefused, match="end before"):
        edited(overlay, valid_until=day(0) - timedelta(days=1))


def test_an_edit_that_says_the_same_is_none() -> None:
    overlay = known(candidate("I like tea"))
    assert edited(overlay, tags=()) is MemoryCommandOutcome.UNCHANGED
    assert overlay.take_changes() == ()


def test_the_text_to_be_embedded_is_told_only_where_it_changes() -> None:
    memory = one(known(candidate("I like tea")))
    assert manual_edits.embedded_text_after_edits(memory, MemoryEdits(importance=0.1)) is None
    assert (
        manual_edits.embedded_text_after_edits(memory, MemoryEdits(content="我喜欢茶"))
        == "我喜欢茶"
    )
    assert (
        manual_edits.embedded_text_after_edits(memory, MemoryEdits(summary="tea"))
        == "tea\nI like tea"
    )


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.ARCHIVED, Status.REJECTED])
def test_what_is_out_of_sight_is_restored_before_it_is_edited(status: Status) -> None:
    overlay = known(candidate("I like tea"))
    overlay.put(one(overlay).model_copy(update={"status": status}))
    with pytest.raises(MemoryChangeRefused, match=f"is {status} cannot be edited"):
        edited(overlay, content="I like coffee")


def test_a_pin_holds_until_it_is_taken_out() -> None:
    overlay = known(candidate("I like tea"))
    memory_id = one(overlay).id
    assert manual_edits.pin_memory(overlay, memory_id, pinned=True) is MemoryCommandOutcome.PINNED
    assert (
        manual_edits.pin_memory(overlay, memory_id, pinned=True) is MemoryCommandOutcome.UNCHANGED
    )
    assert (
        manual_edits.pin_memory(overlay, memory_id, pinned=False) is MemoryCommandOutcome.UNPINNED
    )


def test_yes_and_no_are_for_what_waits_for_them() -> None:
    overlay = known(candidate("I like tea"), candidate("I like rain"))
    tea, rain = ids(overlay)
    for each in (tea, rain):
        memory = overlay.get(each)
        assert memory is not None
        overlay.put(memory.model_copy(update={"status": Status.PENDING}))
    assert reactivation.confirm_memory(overlay, tea) is MemoryCommandOutcome.CONFIRMED
    assert reactivation.confirm_memory(overlay, tea) is MemoryCommandOutcome.UNCHANGED
    assert manual_edits.reject_memory(overlay, rain, reason="no") is MemoryCommandOutcome.REJECTED
    assert manual_edits.reject_memory(overlay, rain, reason="no") is MemoryCommandOutcome.UNCHANGED
    with pytest.raises(MemoryChangeRefused, match="is active cannot be rejected"):
        manual_edits.reject_memory(overlay, tea, reason="no")
    with pytest.raises(MemoryChangeRefused, match="is rejected cannot be confirmed"):
        reactivation.confirm_memory(overlay, rain)


def test_what_was_forgotten_is_restored_as_it_was() -> None:
    overlay = known(candidate("I like tea"))
    before = one(overlay)
    forget_memory(overlay, before.id, reason="asked")
    assert reactivation.restore_memory(overlay, before.id, at=NOW) is MemoryCommandOutcome.RESTORED
    assert one(overlay) == before


def test_what_was_superseded_before_it_was_forgotten_is_so_again() -> None:
    overlay = known(lives_in("Lisbon", on=0), lives_in("Porto", on=5))
    lisbon = one(overlay)
    assert lisbon.status is Status.SUPERSEDED
    forget_memory(overlay, lisbon.id, reason="asked")
    reactivation.restore_memory(overlay, lisbon.id, at=NOW)
    assert one(overlay) == lisbon


def test_a_value_that_another_has_replaced_meanwhile_is_restored_into_its_place() -> None:
    overlay = known(lives_in("Lisbon", on=0))
    forget_memory(overlay, one(overlay).id, reason="asked")
    decide_candidate(overlay, lives_in("Porto", on=5), received_at=day(200), epoch=0)
    reactivation.restore_memory(overlay, one(overlay).id, at=NOW)
    lisbon, porto = one(overlay), one(overlay, 1)
    assert (lisbon.status, porto.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert (lisbon.valid_until, lisbon.superseded_by) == (day(5), porto.id)
    assert porto.supersedes == (lisbon.id,)


def test_what_has_expired_does_not_expire_again_once_it_is_restored() -> None:
    overlay = known(candidate("The market is on Sunday"))
    gone = {"status": Status.FORGOTTEN, "expires_at": NOW - timedelta(days=1)}
    overlay.put(one(overlay).model_copy(update=gone))
    reactivation.restore_memory(overlay, one(overlay).id, at=NOW)
    assert one(overlay).expires_at is None


def test_a_merge_unites_what_its_memories_rest_on() -> None:
    overlay = known(
        candidate("I like tea", tags=("drinks",), importance=0.3, on=3),
        candidate("Tea is what I drink", tags=("habit", "drinks"), importance=0.9, on=1),
    )
    tea, habit = ids(overlay)
    assert (
        manual_merges.merge_memories(overlay, [tea, habit], content=None, summary=None, at=NOW)
        is MemoryCommandOutcome.MERGED
    )
    merged, archived = one(overlay), one(overlay, 1)
    assert {evidence.quote for evidence in merged.evidence} == {"I like tea", "Tea is what I drink"}
    assert set(merged.tags) == {"drinks", "habit"}
    assert (merged.importance, merged.valid_from, merged.confidence) == (0.9, day(1), 0.8)
    assert (archived.status, archived.status_reason) == (
        Status.ARCHIVED,
        manual_merges.MERGED_REASON,
    )


def test_a_merge_may_say_it_in_words_of_its_own() -> None:
    overlay = known(candidate("I like tea"), candidate("Tea is what I drink"))
    manual_merges.merge_memories(
        overlay, ids(overlay), content="Tea, every day", summary=None, at=NOW
    )
    assert (one(overlay).content, len(one(overlay).evidence)) == ("Tea, every day", 3)


def test_what_one_agent_knows_is_not_merged_into_what_all_know() -> None:
    overlay = known(
        candidate("I like tea"),
        candidate("Tea is what I drink", scope=Scope(user_id="alice", agent_id="poet")),
    )
    with pytest.raises(MemoryChangeRefused, match="different scopes"):
        manual_merges.merge_memories(overlay, ids(overlay), content=None, summary=None, at=NOW)
    assert overlay.take_changes() == ()


def test_one_memory_named_twice_is_not_merged_with_itself() -> None:
    overlay = known(candidate("I like tea"))
    with pytest.raises(MemoryChangeRefused, match="alone"):
        manual_merges.merge_memories(overlay, ids(overlay) * 2, content=None, summary=None, at=NOW)


def test_archiving_leaves_out_what_is_out_of_sight_already() -> None:
    overlay = known(candidate("I like tea"), candidate("I like rain"))
    tea, rain = ids(overlay)
    forget_memory(overlay, tea, reason="asked")
    assert (
        manual_edits.archive_memories(overlay, [tea, rain], reason="over")
        is MemoryCommandOutcome.ARCHIVED
    )
    assert (one(overlay).status, one(overlay, 1).status) == (Status.FORGOTTEN, Status.ARCHIVED)
    assert (
        manual_edits.archive_memories(overlay, [tea, rain], reason="over")
        is MemoryCommandOutcome.UNCHANGED
    )


def test_of_what_is_not_there_nothing_is_done() -> None:
    with pytest.raises(MemoryChangeRefused, match="no such memory"):
        manual_edits.pin_memory(Overlay(), "unknown", pinned=True)
