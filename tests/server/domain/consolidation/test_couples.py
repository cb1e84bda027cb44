"""Whoever parts has no partner, whichever attribute it was told under and whatever came first."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from palimpsest.model.memory import Candidate, Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import about, day


def active(stated: Sequence[Candidate]) -> set[str | None]:
    known = Overlay()
    for place, candidate in enumerate(stated):
        decide_candidate(known, candidate, received_at=day(place), epoch=0)
    return {memory.value for memory in known.everything() if memory.status is Status.ACTIVE}


@pytest.mark.parametrize("attribute", ["boyfriend", "partner", "husband", "wife", "spouse"])
@pytest.mark.parametrize("status", ["单身", "离异", "divorced"])
def test_whoever_is_alone_has_no_partner(attribute: str, status: str) -> None:
    stated = [about(attribute, "林涛", on=1), about("marital_status", status, on=2)]
    for order in permutations(stated):
        assert active(order) == {status}


def test_whoever_has_a_partner_is_alone_no_more() -> None:
    stated = [
        about("partner", "林涛", on=1),
        about("marital_status", "单身", on=2),
        about("girlfriend", "小美", on=3),
    ]
    for order in permutations(stated):
        assert active(order) == {"小美"}


def test_whoever_was_parted_from_by_name_is_none_whatever_they_were_called() -> None:
    stated = [about("wife", "小雅", on=1), about("partner", "小雅", on=2, ended=True)]
    for order in permutations(stated):
        assert active(order) == {"小雅"}
        assert len({candidate.content for candidate in stated}) == 2


@pytest.mark.parametrize("status", ["已婚", "married", "有对象"])
def test_whoever_is_married_keeps_their_partner(status: str) -> None:
    stated = [about("wife", "小雅", on=1), about("marital_status", status, on=2)]
    assert active(stated) == {"小雅", status}


def test_a_husband_ends_no_wife() -> None:
    assert active([about("wife", "小雅", on=1), about("husband", "张伟", on=2)]) == {"小雅", "张伟"}
