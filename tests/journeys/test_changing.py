"""What people say is otherwise now, in ordinary words and in another session, on a whole Palimpsest."""

import pytest

from palimpsest.model.memory import Status
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.telling import said
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded


@pytest.mark.parametrize(
    ("name", "before", "after", "held", "holds"),
    [
        ("moved", "我家住龙岗", "房子定了，月底搬到西丽", "用户家住龙岗", "房子定了，月底搬到西丽"),
        ("left", "我在字节上班", "我离职了", "用户在字节工作", "用户离职了"),
        ("parted", "我男朋友叫林涛", "我和林涛分手了", "用户的男朋友叫林涛", "用户和林涛分手了"),
        ("divorced", "我老公叫张伟", "我离婚了", "用户的老公叫张伟", "用户离婚了"),
        ("given-up", "我想考研", "考研我不想考了", "用户想考研", "考研用户不想考了"),
        ("trip", "我打算五月去云南玩", "云南不去了", "用户打算五月去云南玩", "云南不去了"),
        (
            "postponed",
            "老伴儿的手术定在12月8号",
            "手术改时间了，改到12月15号",
            "老伴儿的手术定在12月8号",
            "手术改时间了，改到12月15号",
        ),
        ("older", "我今年六十二", "更正一下，我是六十三", "用户62岁", "用户是六十三"),
    ],
)
async def test_what_held_before_is_superseded(
    palimpsest: RunningPalimpsest, name: str, before: str, after: str, held: str, holds: str
) -> None:
    async with palimpsest.client() as client:
        await said(client, name, before, after)
        await until_listed(client, name, {held}, Status.SUPERSEDED)
        await until_listed(client, name, {holds}, Status.ACTIVE)
