"""“No, Thursday”: what rests on the plan's message and a later one takes the place of the plan."""

from itertools import permutations
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Status
from palimpsest_language.plans.plan_text import PlanEnding
from tests.support.language.plans.planning import known_after
from tests.support.language.plans.retold import told
from tests.support.server.domain.consolidation.outcomes import outcome_of

DENTIST = "The user's dentist appointment is on Wednesday"
THURSDAY = "The user's dentist appointment is on Thursday"


def dentist(*messages: int, **fields: Any) -> Candidate:
    return told(DENTIST, "on Wednesday", *messages, at=9, **fields)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (dentist(1), told(THURSDAY, "on Thursday", 1, 2, at=10)),
        (dentist(1), told(f"{DENTIST}; no, Thursday", "Thursday", 1, 2, at=10)),
        (
            told("用户周三要交报告", "周三", 1, at=9, kind=Kind.ACTION_ITEM),
            told("用户周四要交报告", "周四", 1, 2, at=10, kind=Kind.ACTION_ITEM),
        ),
        (
            told("用户周三看牙医", "周三", 1, at=9),
            told("用户周三看牙医；不对，是周四", "周四", 1, 2, at=10),
        ),
    ],
)
def test_what_is_told_again_with_another_time_takes_its_place_in_any_order(
    before: Candidate, after: Candidate
) -> None:
    memories = known_after(before, after)
    old, new = memories[before.content], memories[after.content]
    assert (old.status, old.status_reason) == (Status.SUPERSEDED, PlanEnding.SET_RIGHT)
    assert (old.superseded_by, new.supersedes) == (new.id, (old.id,))
    assert outcome_of((after, before)) == outcome_of((before, after))


def test_the_last_word_counts_whatever_comes_first() -> None:
    said = [
        dentist(1),
        told(THURSDAY, "on Thursday", 1, 2, at=10),
        told("The user's dentist appointment is on Friday", "on Friday", 1, 3, at=11),
    ]
    in_order = outcome_of(said)
    assert [memory.content for memory in in_order if memory.status is Status.ACTIVE] == [
        said[2].content
    ]
    for order in permutations(said):
        standing = [
            memory.content for memory in outcome_of(order) if memory.status is Status.ACTIVE
        ]
        assert standing == [said[2].content]


@pytest.mark.parametrize(
    "after",
    [
        told(THURSDAY, "on Thursday", 2, 3, at=10),
        told(THURSDAY, "on Thursday", 0, 1, 3, at=10),
        told(THURSDAY, "on Thursday", 1, at=10),
        told("The user's partner is home on Thursday", "on Thursday", 1, 2, at=10),
        told(f"{DENTIST}, at noon", "at noon", 1, 2, at=9),
        told(THURSDAY, "on Thursday", 1, 2, at=10, data={"time": {"recurrence": "FREQ=WEEKLY"}}),
    ],
)
def test_what_rests_on_other_messages_says_something_else_or_no_other_time_ends_nothing(
    after: Candidate,
) -> None:
    for order in permutations((dentist(1), after)):
        assert {memory.status for memory in known_after(*order).values()} == {Status.ACTIVE}


def test_nothing_that_is_to_be_done_is_struck_off_for_what_is_not() -> None:
    to_do = dentist(1, kind=Kind.ACTION_ITEM)
    memories = known_after(to_do, told(THURSDAY, "on Thursday", 1, 2, at=10))
    assert memories[DENTIST].status is Status.ACTIVE
