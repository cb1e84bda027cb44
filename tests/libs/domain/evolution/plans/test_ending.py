"""Plans and habits that are called off by their name, and those that are not meant."""

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest

from palimpsest.domain.evolution.deciding import Outcome, decide
from palimpsest.domain.evolution.keys import stored_keys
from palimpsest.domain.evolution.nearby import Nearby
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.plans.english import named_as_off
from palimpsest.domain.evolution.plans.keys import MOST_NAMES
from palimpsest.domain.evolution.plans.said import Ending
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Memory, Status
from palimpsest.domain.scope import Scope
from tests.libs.domain.evolution.samples import candidate, day


def planned(content: str, *, on: int = 0, at: int = 9, **fields: Any) -> Candidate:
    time = {"words": "then", "starts_at": day(at).isoformat(), "ends_at": day(at + 1).isoformat()}
    return candidate(content, on=on, kind=Kind.EVENT, data={"time": time}, **fields)


def weekly(content: str, **fields: Any) -> Candidate:
    return candidate(content, data=WEEKLY, **fields)


def off_on(number: int) -> Candidate:
    return candidate(TUCSON_IS_OFF, on=number)


def known_after(*candidates: Candidate) -> dict[str, Memory]:
    known = Overlay()
    for one in candidates:
        decide(known, one, received_at=one.occurred_at, epoch=0)
    return {change.after.content: change.after for change in known.take_changes()}


def meant(content: str, **fields: Any) -> Candidate:
    return candidate(content, kind=Kind.GOAL, **fields)


WEEKLY = {"time": {"recurrence": "FREQ=WEEKLY"}}
TUCSON = "The user is flying to Tucson on Tuesday"
AGAIN = "The user is flying to Tucson after all"
TUCSON_IS_OFF = "The user cancelled the Tucson trip"
NO_FLIGHT = "The user's Tucson flight got cancelled"
CHOIR = "The user has choir every Thursday"


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        (planned(TUCSON), "The user cancelled the Tucson trip"),
        (planned(TUCSON), "The user has cancelled their flight to Tucson because of work"),
        (planned(TUCSON), "The user's Tucson flight got cancelled"),
        (planned(TUCSON), "The user had to cancel the trip to Tucson"),
        (planned(TUCSON), "The user is not going to Tucson anymore"),
        (
            planned("The user is going to Portland for Thanksgiving"),
            "Thanksgiving trip is off, the user is staying home",
        ),
        (planned("The user is having a birthday party"), "The birthday party is off"),
        (planned("The user has the dentist at nine"), "The user cancelled the dentist"),
        (weekly(CHOIR), "The user doesn't go to choir anymore"),
        (weekly("Choir every Thursday at 7"), "The user has quit choir"),
        (weekly("The user sings in a choir on Thursdays"), "The user no longer sings in the choir"),
    ],
)
def test_what_is_called_off_by_name_ends(plan: Candidate, off: str) -> None:
    memories = known_after(plan, candidate(off, on=3))
    ended, ending = memories[plan.content], memories[off]
    how = Ending.GIVEN_UP if "choir" in off else Ending.CALLED_OFF
    assert (ended.status, ended.status_reason) == (Status.SUPERSEDED, how)
    assert (ended.valid_until, ended.superseded_by) == (day(3), ending.id)
    assert (ending.status, ending.supersedes) == (Status.ACTIVE, (ended.id,))


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        (planned(TUCSON), "The user cancelled the trip"),
        (planned(TUCSON), "The user cancelled the Boston trip"),
        (planned(TUCSON), "The user cancelled the Tucson dinner"),
        (planned(TUCSON), "The user might cancel the Tucson trip"),
        (planned(TUCSON), "The user almost cancelled the Tucson trip"),
        (planned(TUCSON), "The user's sister cancelled her Tucson trip"),
        (planned("The user is flying from Tucson to Boston"), "The user cancelled the Tucson trip"),
        (planned(TUCSON, at=1), "The user cancelled the Tucson trip"),
        (planned("The user flew to Tucson", at=-9), "The user cancelled the Tucson trip"),
        (planned("The user is hosting Thanksgiving dinner"), "Thanksgiving trip is off"),
        (planned("The user is going to Ann's birthday party"), "The birthday party is off"),
        (planned(TUCSON, subject="Mia"), "The user cancelled the Tucson trip"),
        (planned("The user's sister is flying to Tucson"), "The user cancelled the Tucson trip"),
        (weekly(CHOIR, subject="daughter"), "The user doesn't go to choir anymore"),
        (weekly("The user meets Ann after choir"), "The user doesn't go to choir anymore"),
        (weekly("The user has yoga every Thursday"), "The user doesn't go to choir anymore"),
        (candidate("The user met Ann at choir"), "The user doesn't go to choir anymore"),
        (weekly(CHOIR), "The user doesn't go to choir"),
    ],
)
def test_what_is_not_named_or_not_certain_or_of_others_ends_nothing(
    plan: Candidate, off: str
) -> None:
    memories = known_after(plan, candidate(off, on=3))
    assert {one.status for one in memories.values()} == {Status.ACTIVE}


def test_of_two_trips_that_lie_far_apart_none_ends() -> None:
    again = planned("The user is flying to Tucson again", at=90)
    memories = known_after(
        planned(TUCSON), again, candidate("The user cancelled the Tucson trip", on=3)
    )
    assert {one.status for one in memories.values()} == {Status.ACTIVE}


def test_the_way_back_is_of_the_same_trip() -> None:
    back = planned("The user is driving to Tucson airport", at=12)
    off = candidate("The user cancelled the Tucson trip", on=3)
    memories = known_after(planned(TUCSON), back, off)
    assert len(memories[off.content].supersedes) == 2


def test_a_plan_that_came_late_is_told_as_past() -> None:
    known = Overlay()
    off, plan = candidate("The user cancelled the Tucson trip", on=3), planned(TUCSON)
    assert decide(known, off, received_at=day(3), epoch=0) is Outcome.ADDED
    assert decide(known, plan, received_at=day(4), epoch=0) is Outcome.ADDED_AS_PAST


YUNNAN = "用户打算去云南玩"
SURGERY = "老伴儿的手术定在12月8号"


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
    assert {one.content for one in told[0] if one.status is Status.ACTIVE} == standing
    for other in told[1:]:
        assert other == told[0]


def outcome_of(said: Iterable[Candidate]) -> list[Memory]:
    """Each decided by itself, by what was read for it of what is stored."""
    stored: dict[str, Memory] = {}
    for one in said:
        known = Overlay(read_for(one, list(stored.values())))
        decide(known, one, received_at=one.occurred_at, epoch=0)
        stored |= {change.after.id: change.after for change in known.take_changes()}
    return [
        one.model_copy(update={"version": 1, "supersedes": tuple(sorted(one.supersedes))})
        for one in sorted(stored.values(), key=lambda one: one.id)
    ]


def read_for(one: Candidate, stored: list[Memory]) -> list[Memory]:
    nearby = Nearby()
    nearby.want(one, whole=False)
    found: dict[str, Memory] = {}
    while wanted := nearby.values().get(one.scope.namespace):
        page = [each for each in stored if not wanted.isdisjoint(stored_keys(each))]
        nearby.take(page)
        found |= {each.id: each for each in page}
    return list(found.values())


def test_of_other_plans_under_the_same_word_no_more_is_read() -> None:
    others = [planned(f"用户打算去{place}，要开会", on=0) for place in ("海南", "西藏", "新疆")]
    meetings = [planned("用户要在上海开会"), planned("用户下周开会")]
    known = Overlay()
    for one in (*others, *meetings):
        decide(known, one, received_at=one.occurred_at, epoch=0)
    read = read_for(candidate("云南不去了", on=1), known.everything())
    assert {one.content for one in read} == {one.content for one in others}


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
        assert {one.status for one in known_after(*order).values()} == {Status.ACTIVE}


@pytest.mark.parametrize(
    ("plan", "off"),
    [(planned(TUCSON), off_on(3)), (meant(YUNNAN), candidate("云南不去了", on=1))],
)
def test_what_is_pinned_stands(plan: Candidate, off: Candidate) -> None:
    known = Overlay()
    decide(known, plan, received_at=day(0), epoch=0)
    (held,) = known.everything()
    known.put(held.model_copy(update={"pinned": True}))
    decide(known, off, received_at=day(3), epoch=0)
    assert {one.status for one in known.everything()} == {Status.ACTIVE}


def test_what_says_more_than_that_it_is_off_stands_when_it_is_planned_again() -> None:
    off = candidate("The user cancelled the Tucson trip because Ann is ill", on=3)
    memories = known_after(planned(TUCSON), off, planned(AGAIN, on=4))
    assert {text for text, one in memories.items() if one.status is Status.ACTIVE} == {
        off.content,
        AGAIN,
    }


def test_what_is_neither_a_plan_nor_called_off_has_no_key_of_its_own() -> None:
    assert stored_keys(candidate("The user was in Tucson once")) == []
    long = planned("The user is flying " + " and ".join(f"city{'x' * n}" for n in range(30)))
    assert len(stored_keys(long)) <= MOST_NAMES


@pytest.mark.parametrize(
    ("content", "subject"),
    [("Marek cancelled the Tucson trip", "Marek"), ("I cancelled the Tucson trip", None)],
)
def test_whoever_says_so_is_no_part_of_the_name(content: str, subject: str | None) -> None:
    off = named_as_off(content, subject)
    assert off is not None
    assert off.names == {"tucson"}
