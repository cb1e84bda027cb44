"""What words say beside when: a day and its hour may stand apart, and are one time."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.memory import Status
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.time_expressions.time_removal import remove_time_words
from tests.support.server.extraction.told_in_windows import known_after_windows

SAID = UtteranceTime(datetime(2026, 11, 14, 13, tzinfo=UTC), "Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("明天去体检 早上八点", "去体检"),
        ("周五和阿敏吃饭，七点半", "和阿敏吃饭，"),
        ("下周三下午三点开会", "开会"),
        ("Friday I'm seeing Ana at 7", "I'm seeing Ana"),
        ("周五，七点半", ""),
    ],
)
def test_what_stands_between_a_day_and_its_hour_stays(text: str, left: str) -> None:
    (time,) = find_sentence_times(text, SAID)
    assert remove_time_words(text, time).strip() == left


@pytest.mark.parametrize(
    "text",
    [
        "明天去体检 早上八点",
        "周五和阿敏吃饭，七点半",
        "下周三晚上开家长会 七点",
        "我周六去爬山，早上六点",
        "Friday I'm seeing Ana at 7",
    ],
)
async def test_a_plan_whose_hour_stands_behind_it_is_known(text: str) -> None:
    (plan,) = await known_after_windows(["在吗", "A:在", text])
    assert plan.status is Status.ACTIVE
    assert not plan.data["time"]["all_day"]


async def test_when_alone_is_no_plan() -> None:
    assert await known_after_windows(["在吗", "A:在", "周五，七点半"]) == []
