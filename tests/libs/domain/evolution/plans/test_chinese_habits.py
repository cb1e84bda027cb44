"""What Chinese words say of habits: that there is one, and that it is given up for good."""

import pytest

from palimpsest.domain.evolution.plans.chinese_habits import (
    Over,
    habit_given_up,
    is_habitual,
    speaks_of_habit,
)


@pytest.mark.parametrize(
    ("content", "over"),
    [
        ("烟用户不抽了，从今天开始戒", Over("烟", "抽")),
        ("用户戒烟了", Over("烟", None)),
        ("戒奶茶了 医生说用户血糖偏高", Over("奶茶", None)),
        ("用户不跑昆明那条线了，老板喊用户跑贵阳", Over("昆明", "跑")),
        ("瑜伽课不上了 老师跑路了", Over("瑜伽课", "上")),
        ("用户不再喝冻柠茶", Over("冻柠茶", "喝")),
        ("买了辆小电驴 不坐地铁了", Over("地铁", "坐")),
    ],
)
def test_it_is_given_up(content: str, over: Over) -> None:
    assert habit_given_up(content) == over


@pytest.mark.parametrize(
    "content",
    ["今天不打球了", "游戏不打了，睡了", "用户不玩了", "他不抽了", "先不看剧了", "不上班了"],
)
def test_what_is_left_out_once_is_no_end(content: str) -> None:
    assert habit_given_up(content) is None


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
    assert speaks_of_habit(habit, Over("昆明", "跑")) == is_it
