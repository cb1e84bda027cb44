"""What waits for a yes does so for 90 days, and never more than 200 of it."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.feedback import WRONG_REASON
from palimpsest_server.domain.consolidation.review import AWAITING_REVIEW_REASON
from palimpsest_server.domain.forgetting.unanswered_proposals import (
    ANSWERED_WITHIN,
    MOST_WAITING,
    TOO_MANY_WAIT,
    UNANSWERED,
    archive_unanswered,
)
from tests.support.server.domain.consolidation.samples import candidate, day

NOW = day(400)


def waiting(
    number: int, *, days: float, reason: str = AWAITING_REVIEW_REASON, pinned: bool = False
) -> Memory:
    """What was last said so many days ago."""
    at = NOW - timedelta(days=days)
    stated = build_memory(candidate(f"I like {number}"), received_at=at, epoch=0)
    fields = {"id": f"m{number:03}", "status": Status.PENDING, "status_reason": reason}
    return stated.model_copy(update={**fields, "pinned": pinned})


@pytest.mark.parametrize(
    ("memory", "reason"),
    [
        (waiting(1, days=89), None),
        (waiting(1, days=90), None),
        (waiting(1, days=90.1), UNANSWERED),
        (waiting(1, days=300, pinned=True), None),
        (waiting(1, days=300, reason=WRONG_REASON), None),
        (waiting(1, days=300).model_copy(update={"status": Status.ACTIVE}), None),
    ],
)
def test_what_nobody_answers_is_given_up(memory: Memory, reason: str | None) -> None:
    gone = archive_unanswered([memory], now=NOW)
    assert [(one.status, one.status_reason) for one in gone] == (
        [] if reason is None else [(Status.ARCHIVED, reason)]
    )


def test_said_again_while_it_waits_it_waits_anew() -> None:
    old, again = waiting(1, days=200), waiting(1, days=3)
    both = old.model_copy(update={"evidence": (*old.evidence, *again.evidence)})
    assert archive_unanswered([both], now=NOW) == []
    assert len(archive_unanswered([old], now=NOW)) == 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 120), st.booleans()), max_size=260))
def test_never_more_wait_than_may_and_the_latest_stay(ages: list[tuple[int, bool]]) -> None:
    every = [
        waiting(number, days=age, reason=AWAITING_REVIEW_REASON if asked else WRONG_REASON)
        for number, (age, asked) in enumerate(ages)
    ]
    gone = {memory.id: memory for memory in archive_unanswered(every, now=NOW)}
    left = [memory for memory in every if memory.id not in gone]
    assert len(left) <= MOST_WAITING
    crowded_out = [memory for memory in gone.values() if memory.status_reason == TOO_MANY_WAIT]
    if crowded_out:
        assert len(left) == MOST_WAITING
        assert max(memory.recorded_at for memory in crowded_out) <= min(
            memory.recorded_at for memory in left
        )
    # Of what is left nothing is given up the same night.
    assert archive_unanswered(left, now=NOW) == []
    assert all(
        NOW - memory.recorded_at <= ANSWERED_WITHIN
        for memory in left
        if memory.status_reason == AWAITING_REVIEW_REASON
    )
