"""What was switched to takes the place of what was not named, where it can be told which that was."""

from itertools import permutations

import pytest

from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day


def takes(value: str, quote: str, *, on: int) -> Candidate:
    made = candidate(
        f"The user takes {value}", on=on, subject="user", attribute="medication", value=value
    )
    evidence = tuple(
        one.model_copy(update={"quote": quote, "said_at": day(on)}) for one in made.evidence
    )
    return made.model_copy(update={"evidence": evidence})


TOLD = (
    takes("amlodipine", "I take amlodipine", on=1),
    takes("metformin", "And metformin", on=2),
    takes("ramipril", "The doctor switched me to ramipril", on=3),
    takes("lisinopril", "They changed me to lisinopril", on=4),
)


def known(told: tuple[Candidate, ...]) -> dict[str | None, Memory]:
    overlay = Overlay()
    for one in told:
        decide_candidate(overlay, one, received_at=day(9), epoch=0)
    return {change.after.value: change.after for change in overlay.take_changes()}


def test_each_takes_the_place_of_the_one_for_the_same_use_that_was_taken_last() -> None:
    held = known(TOLD)
    active = {value for value, memory in held.items() if memory.status is Status.ACTIVE}
    assert active == {"metformin", "lisinopril"}
    assert held["amlodipine"].superseded_by == held["ramipril"].id
    assert held["ramipril"].superseded_by == held["lisinopril"].id


@pytest.mark.parametrize("told", [*permutations(TOLD)])
def test_in_whatever_order_it_is_received(told: tuple[Candidate, ...]) -> None:
    expected = {
        value: (memory.status, memory.valid_until, memory.data)
        for value, memory in known(TOLD).items()
    }
    found = {
        value: (memory.status, memory.valid_until, memory.data)
        for value, memory in known(told).items()
    }
    assert found == expected


@pytest.mark.parametrize(
    ("held", "now"),
    [
        ("metformin", ("ramipril", "The doctor switched me to ramipril")),
        ("amlodipine", ("ramipril", "I take ramipril now, too")),
        (
            "amlodipine",
            ("ramipril", "My friend switched from something to nothing; I got ramipril"),
        ),
    ],
)
def test_what_is_for_something_else_or_only_added_ends_nothing(
    held: str, now: tuple[str, str]
) -> None:
    told = known((takes(held, f"I take {held}", on=1), takes(*now, on=2)))
    assert {memory.status for memory in told.values()} == {Status.ACTIVE}


def named(value: str, quote: str, *, on: int, attribute: str = "pets") -> Candidate:
    made = candidate(
        f"The user has a cat named {value}", on=on, subject="user", attribute=attribute, value=value
    )
    evidence = tuple(
        one.model_copy(update={"quote": quote, "said_at": day(on)}) for one in made.evidence
    )
    return made.model_copy(update={"evidence": evidence})


@pytest.mark.parametrize(
    ("told", "active"),
    [
        ([named("Miso", "Her name is Miso", on=1), named("Tofu", "the cat's name is Tofu now", on=2)], {"Tofu"}),
        ([named("a kitten", "We adopted a kitten", on=1), named("Miso", "Her name is Miso", on=2), named("Tofu", "we renamed the cat Tofu", on=3)], {"a kitten", "Tofu"}),
        ([named("Miso", "My cat is Miso", on=1), named("Rex", "My dog is Rex", on=2), named("Tofu", "the cat's name is Tofu now", on=3)], {"Miso", "Rex", "Tofu"}),
        ([named("Miso", "My cat is Miso", on=1), named("Rex", "My dog is Rex", on=2), named("Tofu", "Miso's name is Tofu now", on=3)], {"Rex", "Tofu"}),
        ([named("Miso", "My cat is Miso", on=1), named("Tofu", "I have another cat, Tofu", on=2)], {"Miso", "Tofu"}),
        ([named("豆豆", "我儿子小名叫豆豆", on=1, attribute="son"), named("安安", "我儿子换小名了，现在叫安安", on=2, attribute="son")], {"安安"}),
        ([named("豆豆", "我儿子叫豆豆", on=1, attribute="son"), named("安安", "我小儿子叫安安", on=2, attribute="son")], {"豆豆", "安安"}),
    ],
)  # fmt: skip
def test_a_new_name_takes_the_place_of_the_former_one(
    told: list[Candidate], active: set[str]
) -> None:
    for order in permutations(told):
        held = known(tuple(order))
        found = {value for value, one in held.items() if one.status is Status.ACTIVE}
        assert found == active
