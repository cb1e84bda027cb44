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
