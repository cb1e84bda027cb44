"""A verdict moves a memory by a stated amount, once for each time it is given."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.feedback import (
    OUTDATED_REASON,
    WRONG_REASON,
    FeedbackOutcome,
    apply_feedback,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in

HELPFUL, WRONG, OUTDATED = FeedbackVerdict.HELPFUL, FeedbackVerdict.WRONG, FeedbackVerdict.OUTDATED


def knowing(*contents: str) -> tuple[Overlay, list[str]]:
    known = Overlay()
    for content in contents:
        said = candidate(content, importance=0.8, confidence=0.6)
        assert (
            decide_candidate(known, said, received_at=day(0), epoch=0) is ConsolidationOutcome.ADDED
        )
    return known, [memory.id for memory in known.everything()]


def figures(memory: Memory) -> tuple[float, float, Status]:
    return (memory.importance, memory.confidence, memory.status)


@pytest.mark.parametrize(
    ("verdict", "among", "after"),
    [
        (HELPFUL, 1, (0.82, 0.64, Status.ACTIVE)),
        (WRONG, 1, (0.64, 0.3, Status.PENDING)),
        (OUTDATED, 1, (0.64, 0.6, Status.SUPERSEDED)),
        (HELPFUL, 2, (0.81, 0.62, Status.ACTIVE)),
        (WRONG, 2, (0.72, 0.6, Status.ACTIVE)),
        (OUTDATED, 4, (0.76, 0.6, Status.ACTIVE)),
    ],
)
def test_each_verdict_moves_by_its_amount_and_one_about_several_by_its_part(
    verdict: FeedbackVerdict, among: int, after: tuple[float, float, Status]
) -> None:
    known, ids = knowing(*(f"Alice has {number} boats" for number in range(among)))
    apply_feedback(known, ids, verdict, at=day(5))
    assert [figures(memory) for memory in known.everything()] == [after] * among


def test_what_is_wrong_waits_for_a_yes_and_says_why() -> None:
    known, (memory_id,) = knowing("Alice sails")
    assert apply_feedback(known, [memory_id], WRONG, at=day(5)) == [FeedbackOutcome.WRONG]
    (memory,) = known.everything()
    assert (memory.status_reason, memory.valid_until) == (WRONG_REASON, None)
    assert apply_feedback(known, [memory_id], WRONG, at=day(6)) == [FeedbackOutcome.WRONG]
    assert known.everything()[0].confidence == 0.15


def test_what_is_outdated_held_until_then() -> None:
    known, (memory_id,) = knowing("Alice sails")
    apply_feedback(known, [memory_id], OUTDATED, at=day(5))
    (memory,) = known.everything()
    assert (memory.valid_until, memory.status_reason) == (day(5), OUTDATED_REASON)
    assert memory.valid_at(day(4))
    apply_feedback(known, [memory_id], OUTDATED, at=day(9))
    assert known.everything()[0].valid_until == day(5)


def test_what_was_outdated_before_it_began_held_for_a_moment() -> None:
    known, (memory_id,) = knowing("Alice sails")
    apply_feedback(known, [memory_id], OUTDATED, at=day(-3))
    assert known.everything()[0].valid_until == day(0) + timedelta(milliseconds=1)


def test_a_value_that_is_outdated_stays_over_when_another_is_stated() -> None:
    known = Overlay()
    decide_candidate(known, lives_in("Oslo", on=0), received_at=day(0), epoch=0)
    (oslo,) = known.everything()
    apply_feedback(known, [oslo.id], OUTDATED, at=day(5))
    decide_candidate(known, lives_in("Lima", on=9), received_at=day(9), epoch=0)
    stand = {memory.value: (memory.status, memory.valid_until) for memory in known.everything()}
    assert stand == {"Oslo": (Status.SUPERSEDED, day(5)), "Lima": (Status.ACTIVE, None)}


def test_of_what_is_gone_or_unknown_nothing_is_learned() -> None:
    known, (memory_id,) = knowing("Alice sails")
    forget_memory(known, memory_id, reason="asked")
    known.take_changes()
    outcomes = apply_feedback(known, [memory_id, "nobody"], HELPFUL, at=day(5))
    assert outcomes == [FeedbackOutcome.NOT_STANDING, FeedbackOutcome.UNKNOWN]
    assert known.take_changes() == ()


def test_a_memory_named_twice_is_the_one_that_is_meant() -> None:
    known, (memory_id,) = knowing("Alice sails")
    assert apply_feedback(known, [memory_id, memory_id], WRONG, at=day(5)) == [
        FeedbackOutcome.WRONG
    ]


@given(st.lists(st.sampled_from(FeedbackVerdict), max_size=30))
def test_importance_and_confidence_stay_between_0_and_1(verdicts: list[FeedbackVerdict]) -> None:
    known, ids = knowing("Alice sails", "Alice rows")
    for number, verdict in enumerate(verdicts):
        apply_feedback(known, ids[: 1 + number % 2], verdict, at=day(number))
    for memory in known.everything():
        assert Memory.model_validate(memory.model_dump()) == memory


@pytest.mark.parametrize(
    ("owner", "agent", "outcome"),
    [
        ("coach", None, FeedbackOutcome.HELPFUL),
        ("coach", "coach", FeedbackOutcome.HELPFUL),
        (None, "coach", FeedbackOutcome.HELPFUL),
        ("coach", "cook", FeedbackOutcome.UNKNOWN),
    ],
)
def test_an_agent_knows_no_memory_of_another_agent(
    owner: str | None, agent: str | None, outcome: FeedbackOutcome
) -> None:
    known = Overlay()
    said = candidate("Alice rows", scope=Scope(user_id="alice", agent_id=owner))
    decide_candidate(known, said, received_at=day(0), epoch=0)
    [memory] = known.everything()
    assert apply_feedback(known, [memory.id], HELPFUL, at=day(5), agent_id=agent) == [outcome]
    assert (known.everything() == [memory]) == (outcome is FeedbackOutcome.UNKNOWN)
