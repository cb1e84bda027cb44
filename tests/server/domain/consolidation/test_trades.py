"""Whoever is no longer a nurse is no staff nurse either, in whatever order that is received."""

from itertools import permutations

import pytest

from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day


def works_as(value: str, *, on: int) -> Candidate:
    return candidate(f"The user is a {value}", on=on, subject="user", attribute="job", value=value)


def no_longer(value: str, *, on: int) -> Candidate:
    content = f"The user is no longer a {value}"
    return candidate(content, on=on, subject="user", attribute="job", value=value)


def holding(*told: Candidate) -> set[str]:
    overlay = Overlay()
    for one in told:
        decide_candidate(overlay, one, received_at=day(9), epoch=0)
    after: list[Memory] = [change.after for change in overlay.take_changes()]
    return {memory.content for memory in after if memory.status is Status.ACTIVE}


@pytest.mark.parametrize(
    "told", [*permutations((works_as("staff nurse", on=1), no_longer("nurse", on=2)))]
)
def test_the_wider_word_ends_the_narrower(told: tuple[Candidate, ...]) -> None:
    assert holding(*told) == {"The user is no longer a nurse"}


@pytest.mark.parametrize(
    ("held", "over"),
    [("nurse", "staff nurse"), ("bus driver", "van driver"), ("headteacher", "teacher")],
)
def test_no_other_ends(held: str, over: str) -> None:
    assert f"The user is a {held}" in holding(works_as(held, on=1), no_longer(over, on=2))


@pytest.mark.parametrize(
    "told",
    [
        *permutations(
            (works_as("nurse", on=1), no_longer("nurse", on=2), works_as("school nurse", on=3))
        )
    ],
)
def test_whoever_takes_it_up_again_is_no_longer_without_it(told: tuple[Candidate, ...]) -> None:
    assert holding(*told) == {"The user is a school nurse"}
