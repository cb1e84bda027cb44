"""What Chinese words say of plans: given up, moved, or meant for somebody else."""

import pytest

from palimpsest_language.plans.chinese import (
    AbandonedPlan,
    MovedOccasion,
    find_abandoned_plan,
    find_moved_occasion,
    is_about_others,
    is_meant,
    names_plan,
)


@pytest.mark.parametrize(
    ("content", "end"),
    [
        ("云南不去了", AbandonedPlan("云南", "去")),
        ("用户不去云南了", AbandonedPlan("云南", "去")),
        ("考研用户不想考了，准备考公务员", AbandonedPlan("研", "考")),
        ("这辆特斯拉就不买了", AbandonedPlan("辆特斯拉", "买")),
        ("健身卡我们决定不办了", AbandonedPlan("健身卡", "办")),
        ("手术取消了", AbandonedPlan("手术", None)),
        ("放弃了考研的打算", AbandonedPlan("考研", None)),
        ("研不考了", AbandonedPlan("研", "考")),
        ("不考研了", AbandonedPlan("研", "考")),
        ("A级证不考了 报名费太贵了", AbandonedPlan("A级证", "考")),
    ],
)
def test_it_is_given_up(content: str, end: AbandonedPlan) -> None:
    assert find_abandoned_plan(content) == end


@pytest.mark.parametrize(
    "content",
    [
        "今天不去了",
        "以后不去了",
        "用户不去",
        "用户去云南了",
        "想不开了",
        "用户不去那里了",
        "不会做了",
        "用户不买了",
        "人不去了",
        "今天不开会了",
    ],
)
def test_nothing_is(content: str) -> None:
    assert find_abandoned_plan(content) is None


@pytest.mark.parametrize(
    ("content", "change"),
    [
        ("手术改时间了，改到12月15号", MovedOccasion("手术", "")),
        ("老伴儿的手术推迟到12月15号了", MovedOccasion("手术", "老伴儿")),
        ("下周三的面试改到周五", MovedOccasion("面试", "")),
        ("聚餐提前到六点", MovedOccasion("聚餐", "")),
        ("地图功能推迟到12月中旬", MovedOccasion("地图功能", "", is_of_a_sort=False)),
        ("年审改到十二月十五号了", MovedOccasion("年审", "", is_of_a_sort=False)),
        ("家长会是周四 不是周三", MovedOccasion("家长会", "")),
        ("刚说错了 家长会不是周三，是周四", MovedOccasion("家长会", "")),
        ("家长会改了，改到周四", MovedOccasion("家长会", "")),
        ("今天不是周三，是周四", None),
        ("不是周三就是周四下雨", None),
        ("推迟到12月中旬", None),
        ("这个推迟到下周", None),
        ("空调调到二十六度", None),
        ("书桌挪到阳台了", None),
        ("计划改了", None),
    ],
)
def test_it_has_another_time(content: str, change: MovedOccasion | None) -> None:
    assert find_moved_occasion(content) == change


@pytest.mark.parametrize(
    ("plan", "is_it"),
    [
        ("用户打算去云南玩", True),
        ("用户打算去一趟云南", True),
        ("用户去了云南", False),
        ("用户去过云南", False),
        ("用户打算去海南", False),
    ],
)
def test_it_is_that_plan(plan: str, *, is_it: bool) -> None:
    assert names_plan(plan, AbandonedPlan("云南", "去")) == is_it


@pytest.mark.parametrize(
    ("what", "plan", "is_it"),
    [
        ("长春那个出差", "用户10月12号要去长春出差", True),
        ("北京的培训", "用户10月去北京参加培训", True),
        ("云南的旅行", "用户国庆去云南旅行", True),
        ("青岛那趟团建", "用户下周去青岛团建", True),
        ("老李那顿饭局", "用户周五有老李的饭局", True),
        ("杭州的那场面试", "用户周三去杭州面试", True),
        ("长春那个出差", "用户10月12号要去沈阳出差", False),
        ("长春那个会议", "用户10月12号要去长春出差", False),
        ("北京的培训", "用户去上海参加培训", False),
        ("我的会议", "用户有会议", False),
    ],
)
def test_a_thing_that_is_pointed_at_is_known_by_its_parts(
    what: str, plan: str, *, is_it: bool
) -> None:
    assert names_plan(plan, AbandonedPlan(what, None)) == is_it


def test_a_long_name_may_stand_farther_from_what_is_done() -> None:
    assert names_plan("用户在准备考宠物美容师A级证", AbandonedPlan("A级证", "考"))
    assert not names_plan("用户打算考公，研究一下", AbandonedPlan("研", "考"))


@pytest.mark.parametrize(
    ("plan", "others"),
    [
        ("用户的儿子打算考研", True),
        ("用户打算和老婆去云南", False),
        ("用户打算带孩子去云南", False),
        ("用户打算去云南", False),
    ],
)
def test_a_plan_of_others_is_seen(plan: str, *, others: bool) -> None:
    assert is_about_others(plan, "云南不去了") == others


@pytest.mark.parametrize(
    ("content", "meant"),
    [("用户打算买车", True), ("用户想起云南", False), ("重要的会议", False), ("用户要买车", True)],
)
def test_what_is_meant_is_told_by_the_words(content: str, *, meant: bool) -> None:
    assert is_meant(content) == meant
