"""A value ends once a later talk changes it in ordinary words, and the new one holds."""

import json
from datetime import timedelta

import pytest

from palimpsest.model.memory import Memory, Status
from tests.support.paths import ROOT
from tests.support.server.extraction.told_on_days import known_after

ROWS = [
    json.loads(line)
    for line in (ROOT / "tests" / "server" / "extraction" / "turns_of_life.jsonl")
    .read_text()
    .splitlines()
]


def in_words(row: dict[str, str]) -> str:
    return f"{row['before']} / {row['after']}"


async def standing_after(*said: str) -> list[Memory]:
    return [memory for memory in await known_after(*said) if memory.status is Status.ACTIVE]


@pytest.mark.parametrize("row", [row for row in ROWS if "gone" in row], ids=in_words)
async def test_what_is_over_is_told_no_more(row: dict[str, str]) -> None:
    assert any(row["gone"] in memory.content for memory in await standing_after(row["before"]))
    standing = await standing_after(row["before"], row["after"])
    assert not any(row["gone"] in memory.content for memory in standing)
    values = {(memory.attribute, memory.value) for memory in standing}
    assert "value" not in row or (row["attribute"], row["value"]) in values


@pytest.mark.parametrize("row", [row for row in ROWS if "kept" in row], ids=in_words)
async def test_what_is_not_meant_holds_on(row: dict[str, str]) -> None:
    standing = await standing_after(row["before"], row["after"])
    assert any(row["kept"] in memory.content for memory in standing)


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("我每天抽半包烟，爬楼都喘", "到昨天整整六十天一根没碰，爬楼一口气上去", "半包"),
        ("我每天抽一包烟", "到今天三个月了，一根都没抽", "一包"),
    ],
)
async def test_what_has_lasted_until_now_lasts_on(before: str, after: str, gone: str) -> None:
    memories = await known_after(before, after, apart=timedelta(days=62))
    standing = [memory for memory in memories if memory.status is Status.ACTIVE]
    assert standing
    assert not any(gone in memory.content for memory in standing)
