"""Slips that are set right in everyday Chinese, in the same window or in the next one."""

import pytest

from palimpsest.model.memory import Memory, Status
from tests.support.server.extraction.told_in_windows import known_after_windows


def active(memories: list[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.status is Status.ACTIVE]


def days(memories: list[Memory]) -> list[str]:
    """On which what has a day begins, in UTC: eight hours behind Shanghai."""
    return [
        memory.data["time"]["starts_at"][:10]
        for memory in active(memories)
        if "time" in memory.data
    ]


DAYS = [
    ("我下周六去三亚", "不对，我记错了，是下周日去三亚", "2026-12-05"),
    ("我下周六去三亚", "不对 记错了 是下周日", "2026-12-05"),
    ("周四下午三点开家长会", "说错了，是周五", "2026-11-27"),
    ("周四下午三点开家长会", "刚才说错了，应该是周五", "2026-11-27"),
    ("周四下午三点开家长会", "写错了 是周五 不是周四", "2026-11-27"),
    ("12月10号体检", "更正一下，改到15号", "2026-12-14"),
    ("12月10号体检", "不好意思，更正一下，是15号", "2026-12-14"),
    ("周三去看牙", "不是周三是周四", "2026-11-25"),
    ("周三去看牙", "看牙是周四 不是周三", "2026-11-25"),
    ("周日约了阿敏喝早茶", "哦不是 是下周六喝早茶 记岔了", "2026-12-04"),
]


@pytest.mark.parametrize(("plan", "right", "day"), DAYS)
async def test_a_day_told_wrong_is_told_right(plan: str, right: str, day: str) -> None:
    memories = await known_after_windows([plan, "A:好的", right])
    assert len(active(memories)) == 1
    assert days(memories) == [day]


@pytest.mark.parametrize(("plan", "right", "day"), DAYS)
async def test_it_may_be_told_right_in_the_next_window(plan: str, right: str, day: str) -> None:
    memories = await known_after_windows([plan], ["A:好的", right])
    assert len(active(memories)) == 1
    assert days(memories) == [day]
    assert [memory.status for memory in memories].count(Status.SUPERSEDED) == 1


@pytest.mark.parametrize(
    ("plan", "other"),
    [
        ("下周三体检", "周四去爬山"),
        ("下周三体检", "不是周三就是周四下雨"),
        ("下周三体检", "我弄错了快递地址 是周五才发现的"),
        ("下周三体检", "今天不是周三吗 是周四吧"),
        ("下周三体检", "手术是周四 不是周三"),
    ],
)
async def test_what_is_of_another_day_sets_no_plan_right(plan: str, other: str) -> None:
    memories = await known_after_windows([plan], ["A:好的", other])
    assert memories[0].status is Status.ACTIVE


async def test_a_day_is_set_right_in_another_conversation_by_the_name_of_the_occasion() -> None:
    many = ["A:嗯"] * 8
    before, after = await known_after_windows(
        ["周三晚上七点开家长会"], [*many, "家长会是周四 不是周三"]
    )
    assert (before.status, after.status) == (Status.SUPERSEDED, Status.ACTIVE)


NAMES = [
    ("我儿子叫小贝", "其实他叫小宝", "小宝"),
    ("我儿子叫小贝", "不对 他叫小宝", "小宝"),
    ("儿子叫小贝 今年上初二", "我儿子名字打错了，是小宝", "小宝"),
    ("我女儿叫小雅", "我女儿不叫小雅 叫小娅", "小娅"),
    ("我家猫叫糯米", "写错了，叫糯糯", "糯糯"),
    ("我养了一只橘猫 叫发财", "它其实叫元宝", "元宝"),
    ("我养了一只橘猫，叫发财", "橘猫不叫发财了 女儿非要改叫元宝", "元宝"),
    ("我闺蜜叫王磊", "名字写错了，是王蕾不是王磊", "王蕾"),
    ("我闺蜜叫王磊", "打错字了 是王蕾", "王蕾"),
    ("我叫王磊", "名字打错了 是王蕾", "王蕾"),
    ("我住在广州", "说错了 是佛山不是广州", "佛山"),
]


def called(memories: list[Memory]) -> list[str | None]:
    return [memory.value for memory in active(memories) if memory.attribute is not None]


@pytest.mark.parametrize(("told", "right", "name"), NAMES)
async def test_a_name_told_wrong_is_told_right(told: str, right: str, name: str) -> None:
    assert called(await known_after_windows([told, "A:好的", right])) == [name]


@pytest.mark.parametrize(("told", "right", "name"), NAMES)
async def test_a_name_may_be_told_right_in_the_next_window(
    told: str, right: str, name: str
) -> None:
    assert called(await known_after_windows([told], ["A:好的", right])) == [name]


@pytest.mark.parametrize(
    ("told", "other"),
    [
        (["我儿子叫小贝"], "说错了，是周五"),
        (["我儿子叫小贝"], "我说错了，是老师"),
        (["我儿子叫小贝"], "其实是我不好"),
        (["我儿子叫小贝"], "他叫我去接他"),
        (["我儿子叫小贝"], "其实他叫了外卖"),
        (["我儿子叫小贝"], "应该是感冒"),
        (["我儿子叫小贝"], "我女儿是理科不是文科"),
        (["我儿子叫小贝"], "儿子写错了 是语文作业"),
        (["我儿子叫小贝"], "其实她叫小雅"),
        (["我儿子叫小贝", "我闺蜜叫阿敏"], "其实名字叫小宝"),
        (["我儿子叫小贝", *["A:嗯"] * 8], "其实他叫小宝"),
    ],
)
async def test_who_else_or_what_else_is_spoken_of_changes_no_name(
    told: list[str], other: str
) -> None:
    memories = await known_after_windows([*told, other])
    assert "小贝" in called(memories)


@pytest.mark.parametrize(
    ("told", "child"),
    [
        ("儿子叫小贝 今年上初二", "小贝"),
        ("还有个女儿叫朵朵", "朵朵"),
        ("老公叫大伟，儿子叫小贝", "小贝"),
    ],
)
async def test_whose_child_it_is_goes_without_saying(told: str, child: str) -> None:
    assert child in called(await known_after_windows(["在吗", "A:在", told]))


@pytest.mark.parametrize(
    "told", ["朋友来了，儿子叫乐乐", "她女儿叫豆豆", "阿敏带了孩子 女儿叫豆豆", "儿子叫我去开会"]
)
async def test_the_child_of_somebody_else_is_not_the_speakers(told: str) -> None:
    assert called(await known_after_windows(["在吗", "A:在", told])) == []
