"""Ages grow: whoever turned nine is eight no more, and nobody has two ages at once."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate

PERSON, EVENT, FACT = Kind.PERSON, Kind.EVENT, Kind.FACT


def standing(*said: tuple[str, Kind, str]) -> list[str | None]:
    known = Overlay()
    for number, (content, kind, subject) in enumerate(said):
        stated = candidate(content, kind=kind, subject=subject, on=100 * number)
        decide_candidate(known, stated, received_at=stated.occurred_at, epoch=1)
    left = [change.after for change in known.take_changes()]
    return [memory.value for memory in left if memory.status is Status.ACTIVE]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("The user's daughter Emma is eight", PERSON), ("Emma turned nine yesterday", EVENT)),
        (("Emma is eight years old", FACT), ("Emma is nine now", FACT)),
        (("Emma turned eight", EVENT), ("Emma is 9 years old", PERSON)),
        (("用户女儿小雨八岁了", PERSON), ("小雨今天满九岁了", FACT)),
        (("小雨8岁", PERSON), ("小雨昨天九岁生日", EVENT)),
        (("小雨八岁了", FACT), ("小雨已经九岁了", PERSON)),
    ],
)
def test_an_age_takes_the_place_of_the_one_before(
    before: tuple[str, Kind], after: tuple[str, Kind]
) -> None:
    name = "Emma" if "Emma" in before[0] else "小雨"
    assert standing((*before, name), (*after, name)) == ["9"]


@pytest.mark.parametrize(
    ("content", "subject"),
    [
        ("Emma turns nine next week", "Emma"),
        ("Emma was eight when they moved", "Emma"),
        ("The user turned two pages", "user"),
        ("The meeting is nine", "meeting"),
        ("Emma is eight weeks pregnant", "Emma"),
        ("小雨快九岁了", "小雨"),
        ("小雨八岁的时候去过北京", "小雨"),
        ("哥哥比用户大三岁", "哥哥"),
        ("小雨明年九岁", "小雨"),
    ],
)
def test_what_is_no_age_of_now_has_none(content: str, subject: str) -> None:
    assert standing((content, FACT, subject)) == [None]


def test_two_children_have_two_ages() -> None:
    said = [("Emma is eight", PERSON, "Emma"), ("Tom turned nine", EVENT, "Tom")]
    assert sorted(map(str, standing(*said))) == ["8", "9"]
