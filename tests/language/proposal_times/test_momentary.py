"""Momentary states expire with their day; lasting ones do not."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.support.language.statements.saying import proposed

ENDS = datetime(2026, 3, 5, tzinfo=ZoneInfo("Asia/Shanghai"))
"""Midnight after the day on which it is said."""


@pytest.mark.parametrize(
    "text",
    [
        "我现在在机场。",
        "我这会儿在排队。",
        "我正在做饭。",
        "此刻我在高铁上。",
        "我现在很饿。",
        "我正在去公司的路上。",
        "I'm at the airport right now.",
        "Right now I'm cooking dinner.",
        "I'm in a meeting right now.",
        "At the moment I'm stuck in traffic.",
        "I'm really hungry right now.",
        "I'm on the train right now.",
    ],
)
async def test_a_state_of_the_moment_expires_with_its_day(text: str) -> None:
    told = await proposed(text)
    assert [proposal.expires_at for proposal in told] == [ENDS] * len(told)


@pytest.mark.parametrize(
    "text",
    [
        "我现在在字节跳动工作。",
        "我现在住在上海。",
        "我现在在学日语。",
        "我现在在医院工作。",
        "我目前在学日语。",
        "Right now I work at Google.",
        "Right now I'm learning Rust.",
        "I'm living in Berlin right now.",
        "I'm currently a nurse.",
        "I'm unemployed at the moment.",
    ],
)
async def test_what_goes_on_does_not_expire(text: str) -> None:
    told = await proposed(text)
    assert told
    assert [proposal.expires_at for proposal in told] == [None] * len(told)
