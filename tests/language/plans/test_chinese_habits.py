"""What Chinese words say of habits: that there is one, and that it is given up for good."""

import pytest

from palimpsest_language.plans.chinese_habits import (
    AbandonedHabit,
    find_abandoned_habit,
    is_habitual,
    names_habit,
)


@pytest.mark.parametrize(
    ("content", "over"),
    [
        ("烟用户不抽了，从今天开始戒", AbandonedHabit("烟", "抽")),
        ("用户戒烟了", AbandonedHabit("烟", None)),
        ("戒奶茶了 医生说用户血糖偏高", AbandonedHabit("奶茶", None)),
        ("用户不跑昆明那条线了，老板喊用户跑贵阳", AbandonedHabit("昆明", "跑")),
        ("瑜伽课不上了 老师跑路了", AbandonedHabit("瑜伽课", "上")),
        ("用户不再喝冻柠茶", AbandonedHabit("冻柠茶", "喝")),
        ("买了辆小电驴 不坐地铁了", AbandonedHabit("地铁", "坐")),
    ],
)
def test_it_is_given_up(content: str, over: AbandonedHabit) -> None:
    assert find_abandoned_habit(content) == over


@pytest.mark.parametrize(
    "content",
    ["今天不打球了", "游戏不打了，睡了", "用户不玩了", "他不抽了", "先不看剧了", "不上班了"],
)
def test_what_is_left_out_once_is_no_end(content: str) -> None:
    assert find_abandoned_habit(content) is None


@pytest.mark.parametrize(
    ("content", "habitual"),
    [
        ("用户抽烟抽了三十年了", True),
        ("平时主要跑昆明", True),
        ("用户每天跑步", True),
        ("用户打了球", False),
    ],
)
def test_what_is_done_again_and_again_is_told_by_the_words(content: str, *, habitual: bool) -> None:
    assert is_habitual(content) == habitual


@pytest.mark.parametrize(
    ("habit", "is_it"),
    [
        ("平时主要跑绵阳到昆明这条线", True),
        ("平时主要跑绵阳到贵阳这条线", False),
        ("用户每年去昆明", False),
    ],
)
def test_it_is_that_habit(habit: str, *, is_it: bool) -> None:
    assert names_habit(habit, AbandonedHabit("昆明", "跑")) == is_it
