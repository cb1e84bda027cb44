import pytest

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.separations import find_separated_partner, mark_separation
from tests.support.server.domain.consolidation.samples import candidate


@pytest.mark.parametrize(
    "content",
    [
        "The user broke up with Elena last week",
        "The user and Elena broke up",
        "Elena and the user have split up",
        "Elena broke up with the user",
        "Elena left the user last month",
        "Elena left the user",
        "The user's girlfriend Elena and the user broke up",
        "The user is no longer with Elena",
    ],
)
def test_with_whom_somebody_is_together_no_longer(content: str) -> None:
    assert find_separated_partner(content) == "Elena"


@pytest.mark.parametrize(
    "content",
    [
        "Elena and the user almost broke up",
        "Elena and the user never broke up",
        "The user might have broken up with Elena",
        "Elena left the user a note",
        "The user's sister broke up with Elena",
        "Marta and her boyfriend broke up",
        "The user broke up early for Christmas",
        "Elena and the user broke up and are back together",
    ],
)
def test_what_almost_was_or_is_of_others_parts_nobody(content: str) -> None:
    assert find_separated_partner(content) is None


def test_a_parting_is_the_end_of_a_partner_however_it_is_told() -> None:
    told = candidate("The user and Elena broke up", kind=Kind.EVENT, subject="Elena")
    understood = mark_separation(told)
    assert (understood.subject, understood.attribute, understood.value) == (
        "user",
        "partner",
        "Elena",
    )
    assert understood.ended


def test_a_parting_of_somebody_else_stays_as_it_is() -> None:
    told = candidate("The user and Elena broke up", kind=Kind.EVENT, subject="Marek")
    assert mark_separation(told) == told
