"""What people are called, take, may not have, did for a living and work by, in everyday English."""

import pytest

from tests.libs.providers.extraction.rules.test_several import found

HOLDS = [
    ("everybody calls me Maggie", "preferred_name", "Maggie"),
    ("Most people just call me Jo.", "preferred_name", "Jo"),
    ("Eleanor is on my papers but Nora is fine", "preferred_name", "Nora"),
    ("hi, it's Sam again", "name", "Sam"),
    ("It's Sam again, quick question", "name", "Sam"),
    ("Priya here", "name", "Priya"),
    ("I'm Nora", "name", "Nora"),
    ("Hi, I'm Julian and I need help", "name", "Julian"),
    ("penicillin gives me hives", "allergies", "penicillin"),
    ("I can't have penicillin", "allergies", "penicillin"),
    ("I get a rash from latex", "allergies", "latex"),
    ("I have a severe peanut allergy", "allergies", "peanut"),
    ("I've always been allergic to cats", "allergies", "cats"),
    ("shellfish makes my throat swell", "allergies", "shellfish"),
    ("I can't have dairy", "dietary_restrictions", "dairy"),
    ("I can't stand mushrooms", "dislikes", "mushrooms"),
    ("My doctor put me on amlodipine for blood pressure", "medication", "amlodipine"),
    ("I take 10 mg of lisinopril", "medication", "lisinopril"),
    ("I'm on metformin now", "medication", "metformin"),
    ("They changed me to ramipril", "medication", "ramipril"),
    ("I switched from lisinopril to losartan", "medication", "losartan"),
    ("I work nights at the hospital", "shift", "nights"),
    ("they moved me to days", "shift", "days"),
    ("I'm on night shift now", "shift", "nights"),
    ("My app is hosted on Fly.io", "host_of_app", "Fly.io"),
    ("We moved the app from Fly to Hetzner", "host_of_app", "Hetzner"),
    ("moved the backend to Hetzner", "host_of_backend", "Hetzner"),
    ("I was born in June 1976", "birth_year", "June 1976"),
    ("taught chemistry for 30 years", "career", "chemistry"),
    ("I taught chemistry in Truro for 33 years", "career", "chemistry"),
]

NO_LONGER = [
    ("I've stopped the amlodipine", "medication", "amlodipine"),
    ("The doctor took me off statins", "medication", "statins"),
    ("I no longer take metformin", "medication", "metformin"),
    ("I don't take metformin anymore", "medication", "metformin"),
    ("I used to be a plumber", "job", "plumber"),
    ("I was a nurse for 20 years", "job", "nurse"),
]

NEITHER = [
    "it's Friday again",
    "hi, it's Christmas!",
    "I'm Italian",
    "I'm Done.",
    "people call me crazy",
    "My kids call me Papa",
    "I'm Nora's mum",
    "my mum takes warfarin",
    "I stopped the car",
    "I'm taking a lesson",
    "I'm on holiday in April",
    "I can't have kids",
    "I work days and nights on this",
    "I'm on days off until Monday",
    "I moved the meeting to Thursday",
    "my dad taught chemistry for 30 years",
    "I've taught chemistry for 30 years",
]


@pytest.mark.parametrize(("text", "attribute", "value"), HOLDS)
def test_it_holds(text: str, attribute: str, value: str) -> None:
    assert found(text) == [(attribute, value, False)]


@pytest.mark.parametrize(("text", "attribute", "value"), NO_LONGER)
def test_it_holds_no_longer(text: str, attribute: str, value: str) -> None:
    assert found(text) == [(attribute, value, True)]


@pytest.mark.parametrize("text", NEITHER)
def test_nothing_of_the_kind_is_said(text: str) -> None:
    assert [one for one in found(text) if one[0] is not None] == []
