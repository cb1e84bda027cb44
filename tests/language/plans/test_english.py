"""What is called off in English by its name, and what is not named or not certain."""

import pytest

from palimpsest.model.memory import Candidate, Status
from palimpsest_language.plans.english import find_cancelled_plan
from palimpsest_language.plans.plan_text import PlanEnding
from tests.support.language.plans.planning import CHOIR, TUCSON, known_after, planned, weekly
from tests.support.server.domain.consolidation.samples import candidate, day


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
    how = PlanEnding.GIVEN_UP if "choir" in off else PlanEnding.CALLED_OFF
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
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}


@pytest.mark.parametrize(
    ("content", "subject"),
    [("Marek cancelled the Tucson trip", "Marek"), ("I cancelled the Tucson trip", None)],
)
def test_whoever_says_so_is_no_part_of_the_name(content: str, subject: str | None) -> None:
    off = find_cancelled_plan(content, subject)
    assert off is not None
    assert off.names == {"tucson"}


EXAM = "The user got their AM2 exam on dec 9th"


@pytest.mark.parametrize(
    ("plan", "moved"),
    [
        (EXAM, "AM2 got pushed to the 16th of december"),
        ("Booked the dentist for tuesday 8.30", "Dentist moved to thursday same time"),
        (
            "Dinner with the Okafors next saturday, bringing dessert",
            "Dinner with the Okafors is friday the 20th now not saturday",
        ),
        ("The inspection is on Monday", "The inspection is now on Thursday"),
        (
            "The user has a vet appointment on Monday",
            "The user moved the vet appointment to Friday",
        ),
        (
            "Angus is having his surgery on January 19",
            "Angus's surgery was postponed to February 2",
        ),
        (
            "The user is having knee surgery on January 12 in Hereford",
            "Hospital rang, surgery's been put back to February 2",
        ),
    ],
)
def test_what_has_another_day_now_ends_the_plan_for_the_first(plan: str, moved: str) -> None:
    memories = known_after(planned(plan), planned(moved, on=3, at=16))
    assert memories[plan].status_reason == PlanEnding.MOVED
    assert memories[moved].status is Status.ACTIVE


@pytest.mark.parametrize(
    ("plan", "moved"),
    [
        (EXAM, "The driving exam got pushed to the 16th of december"),
        ("The launch party is on Friday", "The launch got pushed to May"),
        ("The user is going to Leeds on Friday", "The user moved to Leeds"),
        ("The user's sister has an exam on Monday", "The exam was moved to Friday"),
        ("Dinner with Ann is on Monday", "Dinner with Bo is now on Tuesday"),
        ("Dinner with Ann is on Monday", "Dinner with Ann might be moved to Tuesday"),
    ],
)
def test_what_may_be_another_plan_moves_none(plan: str, moved: str) -> None:
    memories = known_after(planned(plan), planned(moved, on=3, at=16))
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}
