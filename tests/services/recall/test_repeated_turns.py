"""A message of which a memory says every word does not stand beside it."""

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.memory import Status
from services.recall.repeated_turns import drop_quoted_messages
from tests.services.recall.test_known_turns import evidence, recalled

SAME = [
    ("User likes oolong tea", "I like oolong tea."),
    ("用户喜欢喝乌龙茶", "我喜欢喝乌龙茶。"),
    ("User drinks tea every morning at 7", "I drink tea every morning at 7"),
    ("用户对花生过敏", "我对花生过敏！"),
]
MORE = [
    ("User likes oolong tea", "I like oolong tea, and no coffee."),
    ("用户喜欢喝乌龙茶", "我喜欢喝乌龙茶，不喝咖啡。"),
    ("User lives in Kiel", "I live in Kiel now and miss Rome."),
    ("User drinks tea at 7", "I drink tea at 8"),
]


def kept(memory: str, turn: str, message: str = "m1", status: Status = Status.ACTIVE) -> list[str]:
    of_two = recalled(memory, RecordType.MEMORY, evidence("m1"), evidence("m2"), status=status)
    said = recalled(turn, RecordType.TURN, evidence(message))
    return [one.content for one in drop_quoted_messages([of_two, said])]


@pytest.mark.parametrize(("memory", "turn"), SAME)
def test_what_the_memory_says_as_well_goes(memory: str, turn: str) -> None:
    assert kept(memory, turn) == [memory]


@pytest.mark.parametrize(("memory", "turn"), MORE)
def test_what_says_more_stays(memory: str, turn: str) -> None:
    assert kept(memory, turn) == [memory, turn]


def test_what_it_does_not_rest_on_stays_and_so_does_what_is_over() -> None:
    memory, turn = SAME[0]
    assert kept(memory, turn, message="m3") == [memory, turn]
    assert kept(memory, turn, status=Status.SUPERSEDED) == [memory, turn]
