"""What ends a value, and what does not."""

from datetime import datetime

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    build_memory,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.timeline import (
    ENDED_REASON,
    HELD_AGAIN_REASON,
    REPLACED_REASON,
)
from tests.support.server.domain.consolidation.samples import about, candidate, day, no_longer


def known_after(*said: Candidate) -> dict[str, Memory]:
    """By its content, what is known after this was said."""
    known = Overlay()
    for one in said:
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
    return {change.after.content: change.after for change in known.take_changes()}


def when(memory: Memory) -> tuple[datetime, datetime | None]:
    return (memory.valid_from, memory.valid_until)


@pytest.mark.parametrize("attribute", ["employer", "tools", "pets", "喜欢", "never heard of"])
def test_what_holds_no_longer_is_closed_and_linked_both_ways(attribute: str) -> None:
    held, ended = known_after(about(attribute, "X", on=1), no_longer(attribute, "x", on=5)).values()
    assert (held.status, held.status_reason, when(held)) == (
        Status.SUPERSEDED,
        ENDED_REASON,
        (day(1), day(5)),
    )
    assert (held.superseded_by, ended.supersedes) == (ended.id, (held.id,))
    assert (ended.status, ended.ended, when(ended)) == (Status.ACTIVE, True, (day(5), None))


def test_what_was_said_to_be_over_before_it_was_said_to_hold_is_known_the_same() -> None:
    said = [about("employer", "X", on=1), no_longer("employer", "X", on=5)]
    first, second = known_after(*said), known_after(*reversed(said))
    assert first.keys() == second.keys()
    assert [when(first[one]) for one in first] == [when(second[one]) for one in first]


def test_another_value_that_holds_since_is_not_touched() -> None:
    known = known_after(
        about("employer", "X", on=1), about("employer", "Y", on=3), no_longer("employer", "X", on=5)
    )
    assert when(known["employer: X"]) == (day(1), day(3))
    assert known["employer: Y"].status is Status.ACTIVE
    assert known["employer: X, no more"].supersedes == ()


def test_what_ended_may_hold_again() -> None:
    known = known_after(
        about("tools", "Vue", on=1), no_longer("tools", "Vue", on=3), about("工具", "vue", on=8)
    )
    ended = known["tools: Vue, no more"]
    again = known["工具: vue"]
    assert (ended.status, ended.status_reason, when(ended)) == (
        Status.SUPERSEDED,
        HELD_AGAIN_REASON,
        (day(3), day(8)),
    )
    assert (again.status, again.supersedes) == (Status.ACTIVE, (ended.id,))


def test_what_is_no_longer_used_is_no_longer_preferred_either() -> None:
    known = known_after(
        about("tools", "Vue", on=1),
        about("preferred_framework", "Vue", on=2, kind=Kind.PREFERENCE),
        no_longer("tools", "Vue", on=5),
    )
    assert when(known["tools: Vue"]) == (day(1), day(5))
    assert when(known["preferred_framework: Vue"]) == (day(2), day(5))


def test_to_use_one_instead_of_the_other_ends_the_other_wherever_it_stands() -> None:
    known = known_after(
        about("tools", "Vue", on=1),
        about("tools", "Docker", on=1),
        about("preferred_framework", "React", on=5, data={"replaces": "Vue"}),
    )
    vue, react = known["tools: Vue"], known["preferred_framework: React"]
    assert (when(vue), vue.status_reason, vue.superseded_by) == (
        (day(1), day(5)),
        REPLACED_REASON,
        react.id,
    )
    assert react.supersedes == (vue.id,)
    assert known["tools: Docker"].status is Status.ACTIVE


def test_what_is_disliked_now_was_liked_until_now() -> None:
    known = known_after(about("likes", "coffee", on=1), about("不喜欢", "Coffee", on=4))
    assert when(known["likes: coffee"]) == (day(1), day(4))
    assert known["不喜欢: Coffee"].status is Status.ACTIVE


def test_a_plan_and_its_outcome_stay_two() -> None:
    known = known_after(
        about("trip", "Tokyo", on=1, kind=Kind.GOAL),
        candidate("went to Tokyo", on=9, attribute="trip", value="Tokyo", kind=Kind.EVENT),
    )
    assert {memory.status for memory in known.values()} == {Status.ACTIVE}


def test_the_wording_says_that_it_ended() -> None:
    said = candidate("我不再用 Vue 了", on=4, attribute="tools", value="Vue")
    known = known_after(about("tools", "Vue", on=1), said)
    assert when(known["tools: Vue"]) == (day(1), day(4))


def test_what_ended_at_a_known_time_ended_then() -> None:
    said = no_longer("employer", "X", on=9, valid_until=day(6))
    memory = build_memory(said, received_at=day(9), epoch=0)
    assert when(memory) == (day(6), None)


def test_newer_data_take_the_place_of_older_ones_with_their_confidence() -> None:
    known = Overlay()
    outcomes = [
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
        for one in (
            about("workflow", "deploy", on=1, data={"steps": ["test"]}, confidence=0.9),
            about("workflow", "deploy", on=3, data={"steps": ["lint", "test"]}, confidence=0.6),
            about("workflow", "deploy", on=2, data={"steps": ["late"]}, confidence=0.9),
        )
    ]
    assert outcomes == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.REPLACED,
        ConsolidationOutcome.REINFORCED,
    ]
    (memory,) = (change.after for change in known.take_changes())
    assert (memory.data, memory.confidence) == ({"steps": ["lint", "test"]}, 0.6)
    assert len(memory.evidence) == 3


def test_what_somebody_wrote_down_is_not_reworded_by_what_was_overheard() -> None:
    known = known_after(
        about("city", "Bern", on=1, content="Bern, by the river"),
        candidate("in Bern, maybe", on=5, attribute="city", value="bern"),
    )
    assert list(known) == ["in Bern, maybe"]
    written = about("city", "Bern", on=1, content="Bern, by the river")
    command = written.evidence[0].model_copy(update={"origin": "command"})
    known = known_after(
        written.model_copy(update={"evidence": (command,)}),
        candidate("in Bern, maybe", on=5, attribute="city", value="bern"),
    )
    assert list(known) == ["Bern, by the river"]
