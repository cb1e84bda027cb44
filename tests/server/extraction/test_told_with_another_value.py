"""A statement told again in another session with another value ends the old one."""

import json
from collections.abc import Sequence

import pytest

from palimpsest.model.memory import Memory, Status
from tests.support.paths import ROOT
from tests.support.server.extraction.told_on_days import known_after

ROWS = [
    json.loads(line)
    for line in (ROOT / "tests" / "server" / "extraction" / "other_values.jsonl")
    .read_text()
    .splitlines()
]


def in_words(row: dict[str, str]) -> str:
    return f"{row['before']} / {row['after']}"


def superseded(memories: Sequence[Memory]) -> list[str]:
    return [memory.content for memory in memories if memory.status is Status.SUPERSEDED]


@pytest.mark.parametrize("row", [row for row in ROWS if "gone" in row], ids=in_words)
async def test_a_new_value_takes_the_place_of_the_old_one(row: dict[str, str]) -> None:
    memories = await known_after(row["before"], row["after"])
    assert superseded(memories) == [row["gone"]]
    held = [memory.content for memory in memories if memory.status is Status.ACTIVE]
    assert row["now"] in held


@pytest.mark.parametrize("row", [row for row in ROWS if "gone" not in row], ids=in_words)
async def test_what_may_both_hold_does(row: dict[str, str]) -> None:
    assert superseded(await known_after(row["before"], row["after"])) == []


@pytest.mark.parametrize(
    "said",
    [
        ("My rent is 1200", "My rent went up to 1350", "My rent is 1400 now"),
        ("我房租3000", "我房租涨到3200了", "我房租现在3500"),
    ],
)
async def test_of_several_changes_the_last_one_holds(said: tuple[str, ...]) -> None:
    memories = await known_after(*said)
    assert [memory.status for memory in memories].count(Status.ACTIVE) == 1


@pytest.mark.parametrize(
    "said",
    [
        ("I take the 8:15 train", "I take the 9:40 train", "I take the 7:45 train now"),
        ("我坐8点15的地铁", "我坐9点40的地铁", "我现在坐7点45的地铁"),
    ],
)
async def test_of_two_values_it_is_not_known_which_has_changed(said: tuple[str, ...]) -> None:
    assert superseded(await known_after(*said)) == []
