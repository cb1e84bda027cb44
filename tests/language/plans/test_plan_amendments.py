"""What is told anew with its change takes the place of what was told, in either language."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest_language.plans.plan_text import PlanEnding
from tests.support.language.plans.planning import known_after
from tests.support.server.domain.consolidation.samples import candidate

TICKETS = "The user needs to buy two tickets"
THREE = "The user needs to buy three tickets (three instead of two)"


@pytest.mark.parametrize(
    ("plan", "anew"),
    [
        (TICKETS, THREE),
        (THREE, "The user needs to buy four tickets (four instead of three)"),
        ("Need one ticket by Friday", "Need two tickets by Friday (two instead of one)"),
        ("Dentist on Friday", "Dentist on Friday; scratch that, make it Monday"),
        ("用户要买一张电影票", "用户要买两张电影票（两张，原为一张）"),
    ],
)
def test_only_the_plan_with_its_change_stands(plan: str, anew: str) -> None:
    memories = known_after(
        candidate(plan, kind=Kind.ACTION_ITEM), candidate(anew, on=1, kind=Kind.ACTION_ITEM)
    )
    assert memories[plan].status_reason == PlanEnding.TOLD_ANEW
    assert memories[anew].status is Status.ACTIVE


@pytest.mark.parametrize(
    "other",
    [
        "The user needs to buy three stamps (three instead of two)",
        "The user needs to buy two tickets; they cost 40",
        "The user needs to buy two tickets and make it quick",
    ],
)
def test_other_words_end_nothing(other: str) -> None:
    memories = known_after(
        candidate(TICKETS, kind=Kind.ACTION_ITEM), candidate(other, on=1, kind=Kind.ACTION_ITEM)
    )
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}
