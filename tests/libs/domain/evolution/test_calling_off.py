"""Plans and habits that are called off by their name, and those that are not meant."""

from itertools import permutations
from typing import Any

import pytest

from palimpsest.domain.evolution.calling_off import CALLED_OFF
from palimpsest.domain.evolution.deciding import Outcome, decide
from palimpsest.domain.evolution.keys import stored_keys
from palimpsest.domain.evolution.naming_ends import named_as_off
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.plans import MOST_NAMES
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Memory, Status
from tests.libs.domain.evolution.samples import candidate, day


def planned(content: str, *, on: int = 0, at: int = 9, **fields: Any) -> Candidate:
    time = {"words": "then", "starts_at": day(at).isoformat(), "ends_at": day(at + 1).isoformat()}
    return candidate(content, on=on, kind=Kind.EVENT, data={"time": time}, **fields)


def weekly(content: str, **fields: Any) -> Candidate:
    return candidate(content, data={"time": {"recurrence": "FREQ=WEEKLY"}}, **fields)


def known_after(*candidates: Candidate) -> dict[str, Memory]:
    known = Overlay()
    for one in candidates:
        decide(known, one, received_at=one.occurred_at, epoch=0)
    return {change.after.content: change.after for change in known.take_changes()}


TUCSON = "The user is flying to Tucson on Tuesday"
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
    assert (ended.status, ended.status_reason) == (Status.SUPERSEDED, CALLED_OFF)
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


def test_whatever_comes_first_the_plan_is_over() -> None:
    said = [planned(TUCSON), candidate("The user cancelled the Tucson trip", on=3)]
    for order in permutations(said):
        assert known_after(*order)[TUCSON].status is Status.SUPERSEDED


def test_what_is_planned_again_afterwards_stands() -> None:
    off = candidate("The user cancelled the Tucson trip", on=3)
    after_all = planned("The user is flying to Tucson after all", on=4)
    memories = known_after(planned(TUCSON), off, after_all)
    assert memories[after_all.content].status is Status.ACTIVE


def test_a_plan_that_came_late_is_told_as_past() -> None:
    known = Overlay()
    off, plan = candidate("The user cancelled the Tucson trip", on=3), planned(TUCSON)
    assert decide(known, off, received_at=day(3), epoch=0) is Outcome.ADDED
    assert decide(known, plan, received_at=day(4), epoch=0) is Outcome.ADDED_AS_PAST


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
