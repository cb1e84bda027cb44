"""What ends in every language, and the same in whatever order it came."""

from itertools import permutations

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.language.plans.planning import (
    AGAIN,
    NO_FLIGHT,
    SURGERY,
    TUCSON,
    TUCSON_IS_OFF,
    WEEKLY,
    YUNNAN,
    known_after,
    meant,
    off_on,
    planned,
)
from tests.support.server.domain.consolidation.outcomes import outcome_of, read_for
from tests.support.server.domain.consolidation.samples import candidate, day


def test_of_two_trips_that_lie_far_apart_none_ends() -> None:
    again = planned("The user is flying to Tucson again", at=90)
    memories = known_after(
        planned(TUCSON), again, candidate("The user cancelled the Tucson trip", on=3)
    )
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}


def test_the_way_back_is_of_the_same_trip() -> None:
    back = planned("The user is driving to Tucson airport", at=12)
    off = candidate("The user cancelled the Tucson trip", on=3)
    memories = known_after(planned(TUCSON), back, off)
    assert len(memories[off.content].supersedes) == 2


def test_a_plan_that_came_late_is_told_as_past() -> None:
    known = Overlay()
    off, plan = candidate("The user cancelled the Tucson trip", on=3), planned(TUCSON)
    assert decide_candidate(known, off, received_at=day(3), epoch=0) is ConsolidationOutcome.ADDED
    assert (
        decide_candidate(known, plan, received_at=day(4), epoch=0)
        is ConsolidationOutcome.ADDED_AS_PAST
    )


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ([planned(TUCSON), off_on(3)], {TUCSON_IS_OFF}),
        ([planned(TUCSON), off_on(3), candidate(NO_FLIGHT, on=5)], {TUCSON_IS_OFF, NO_FLIGHT}),
        ([planned(TUCSON), planned(AGAIN, at=90), off_on(3)], {TUCSON, AGAIN, TUCSON_IS_OFF}),
        ([planned(TUCSON), off_on(3), planned(AGAIN, on=4)], {AGAIN}),
        (
            [planned(TUCSON), off_on(3), planned(AGAIN, on=4), candidate(NO_FLIGHT, on=5)],
            {NO_FLIGHT},
        ),
        ([meant(YUNNAN), candidate("云南不去了", on=1)], {"云南不去了"}),
        (
            [
                planned("用户打算五月去云南"),
                planned("用户打算十月去云南", at=150),
                candidate("云南不去了", on=1),
            ],
            {"用户打算五月去云南", "用户打算十月去云南", "云南不去了"},
        ),
        (
            [meant(YUNNAN), candidate("云南不去了", on=1), meant("用户还是打算去云南", on=2)],
            {"用户还是打算去云南"},
        ),
        (
            [planned(SURGERY), planned("手术改到12月15号", on=1, at=16)],
            {"手术改到12月15号"},
        ),
        (
            [
                planned("美团的面试定在周五"),
                planned("腾讯的面试定在周四", at=8),
                planned("面试改到下周一了", on=1, at=16),
            ],
            {"美团的面试定在周五", "腾讯的面试定在周四", "面试改到下周一了"},
        ),
        (
            [
                planned(SURGERY),
                planned("手术改到12月15号", on=1, at=16),
                candidate("手术取消了", on=2),
            ],
            {"手术取消了"},
        ),
    ],
)
def test_whatever_comes_first_the_same_stands(said: list[Candidate], standing: set[str]) -> None:
    told = [outcome_of(order) for order in permutations(said)]
    assert {memory.content for memory in told[0] if memory.status is Status.ACTIVE} == standing
    for other in told[1:]:
        assert other == told[0]


def test_of_other_plans_under_the_same_word_no_more_is_read() -> None:
    others = [planned(f"用户打算去{place}，要开会", on=0) for place in ("海南", "西藏", "新疆")]
    meetings = [planned("用户要在上海开会"), planned("用户下周开会")]
    known = Overlay()
    for one in (*others, *meetings):
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
    read = read_for(candidate("云南不去了", on=1), known.everything())
    assert {memory.content for memory in read} == {other.content for other in others}


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        (planned(TUCSON, scope=Scope(user_id="alice", project_id="other")), off_on(3)),
        (planned(TUCSON), off_on(0)),
        (candidate("The user is not flying to Tucson", kind=Kind.EVENT), off_on(3)),
        (
            meant(YUNNAN, scope=Scope(user_id="alice", project_id="other")),
            candidate("云南不去了", on=1),
        ),
        (meant(YUNNAN), candidate("云南不去了", on=0)),
        (meant("用户不打算去云南"), candidate("云南不去了", on=1)),
        (meant("用户打算每周去云南", data=WEEKLY), candidate("云南不去了", on=1)),
        (
            candidate("The user has piano lessons", data=WEEKLY),
            candidate("The user cancelled the piano lesson", on=1),
        ),
    ],
)
def test_what_is_elsewhere_denied_or_recurs_stands(plan: Candidate, off: Candidate) -> None:
    for order in permutations((plan, off)):
        assert {memory.status for memory in known_after(*order).values()} == {Status.ACTIVE}


@pytest.mark.parametrize(
    ("plan", "off"),
    [(planned(TUCSON), off_on(3)), (meant(YUNNAN), candidate("云南不去了", on=1))],
)
def test_what_is_pinned_stands(plan: Candidate, off: Candidate) -> None:
    known = Overlay()
    decide_candidate(known, plan, received_at=day(0), epoch=0)
    (held,) = known.everything()
    known.put(held.model_copy(update={"pinned": True}))
    decide_candidate(known, off, received_at=day(3), epoch=0)
    assert {memory.status for memory in known.everything()} == {Status.ACTIVE}


def test_what_says_more_than_that_it_is_off_stands_when_it_is_planned_again() -> None:
    off = candidate("The user cancelled the Tucson trip because Ann is ill", on=3)
    memories = known_after(planned(TUCSON), off, planned(AGAIN, on=4))
    assert {text for text, memory in memories.items() if memory.status is Status.ACTIVE} == {
        off.content,
        AGAIN,
    }


@pytest.mark.parametrize(
    "said",
    [
        (
            candidate("The user's rent is 1200"),
            candidate("The user's rent went up to 1350", on=2),
            candidate("The user's rent is 1400 now", on=3),
        ),
        (
            candidate("用户房租3000"),
            candidate("用户房租涨到3200了", on=2),
            candidate("用户房租现在3500", on=3),
        ),
    ],
)
def test_another_value_holds_from_the_last_statement_in_any_order(
    said: tuple[Candidate, ...],
) -> None:
    for order in permutations(said):
        memories = known_after(*order)
        held = [memory for memory in memories.values() if memory.status is Status.ACTIVE]
        assert [memory.content for memory in held] == [said[-1].content]
        assert {memory.status_reason for memory in memories.values()} == {
            None,
            "it has another value now",
        }
