"""A plain sentence ends with the value that another statement took from it, in whatever order."""

from itertools import permutations

import pytest

from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day

SENTENCE = "The user works nights at a laundry and likes the quiet"
WEDDING = "The user is getting married in Delft"


def plain(content: str, *states: list[str], on: int) -> Candidate:
    return candidate(content, on=on, subject="user", data={"states": list(states)})


def works(shift: str, *, on: int) -> Candidate:
    return candidate(
        f"The user works {shift}", on=on, subject="user", attribute="shift", value=shift
    )


def standing(*told: Candidate) -> set[str]:
    overlay = Overlay()
    for one in told:
        decide_candidate(overlay, one, received_at=day(9), epoch=0)
    after: list[Memory] = [change.after for change in overlay.take_changes()]
    return {memory.content for memory in after if memory.status is Status.ACTIVE}


@pytest.mark.parametrize(
    "told",
    permutations(
        (
            plain(SENTENCE, ["user", "shift", "nights"], on=1),
            works("nights", on=1),
            works("days", on=2),
        )
    ),
)
def test_a_sentence_ends_with_its_value(told: tuple[Candidate, ...]) -> None:
    assert standing(*told) == {"The user works days"}


def test_the_same_value_in_other_words_ends_nothing() -> None:
    said = plain(SENTENCE, ["user", "shift", "nights"], on=1)
    assert SENTENCE in standing(said, works("permanent nights", on=2))


def test_a_value_of_somebody_else_ends_nothing() -> None:
    hers = candidate("Ana works days", on=2, subject="Ana", attribute="shift", value="days")
    assert SENTENCE in standing(plain(SENTENCE, ["user", "shift", "nights"], on=1), hers)


@pytest.mark.parametrize(("ended", "stands"), [(True, False), (False, True)])
def test_a_wedding_ends_where_the_couple_parts(ended: bool, stands: bool) -> None:
    of_jan = candidate(
        "The user and Jan", on=2, subject="user", attribute="partner", value="Jan", ended=ended
    )
    assert (WEDDING in standing(plain(WEDDING, ["user", "partner", ""], on=1), of_jan)) is stands
