"""A statement with a blank for one value, equal for two statements that differ in it alone."""

import pytest

from palimpsest_language.value_changes.value_frames import list_frames


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's rent is $1,200 a month", "Rent went up to 1350"),
        ("There are 8 people on the user's team", "The user's team has nine people now"),
        ("The user works out three times a week", "The user works out twice a week now"),
        ("The user's doctor is Dr. Lee", "The user's doctor is Dr. Patel now"),
        ("The user's bedroom is blue", "The user's bedroom is green now"),
        ("The user swims on Tuesdays", "These days the user swims on Fridays"),
        ("用户房租每个月3000块", "房租涨到3500了"),
        ("用户的工位在三楼", "用户的工位现在在五楼"),
        ("用户坐8点15的地铁", "用户现在坐七点半的地铁"),
        ("用户的家庭医生是李医生", "用户的家庭医生现在是王医生"),
        ("用户周二游泳", "用户最近周五游泳"),
        ("用户卧室是蓝色的", "用户卧室现在是绿色的"),
    ],
)
def test_statements_that_differ_in_a_value_share_a_frame(one: str, other: str) -> None:
    first, second = ({frame.words: frame.value for frame in list_frames(s)} for s in (one, other))
    shared = first.keys() & second.keys()
    assert any(first[words] != second[words] for words in shared)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user has eight chickens", "The user has 8 chickens now"),
        ("The user works out twice a week", "The user works out two times a week"),
        ("用户有八只鸡", "用户现在有8只鸡"),
        ("用户每天睡六个小时", "用户每天睡6小时"),
    ],
)
def test_a_number_is_one_value_however_it_is_written(one: str, other: str) -> None:
    (first,), (second,) = (list_frames(statement) for statement in (one, other))
    assert first.value == second.value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's brother earns 2000", "The user's sister earns 2500"),
        ("The user pays 40 for gas", "The user pays 60 for water"),
        ("The user has two cats", "The user has two dogs"),
        ("用户哥工资8000", "用户姐工资9000"),
        ("用户养了两只猫", "用户养了三只狗"),
        ("用户七点起床", "用户十点睡觉"),
    ],
)
def test_other_words_are_another_frame(one: str, other: str) -> None:
    first, second = ({frame.words for frame in list_frames(s)} for s in (one, other))
    assert not first & second
