"""A quote that was corrected is told from one that was said again, or that says a part."""

import pytest

from palimpsest_language.corrections.corrected_quotes import find_corrected_quotes


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        ("The user's flight leaves on the 14th at 9:50", ("My flight leaves on the 14th at 9:20", "sorry, 9:50")),
        ("The user's sister lives in Tartu", ("My sister lives in Tallinn", "I misspoke, it's Tartu")),
        ("The user's rent is 950 euros", ("My rent is 900 euros", "no, 950")),
        ("用户女儿今年上四年级", ("我女儿今年上三年级", "打错了，是四年级")),
        ("用户住在苏州", ("我住在宿州", "不对，是苏州")),
        ("用户周五去体检", ("我周四去体检", "说错了，周五")),
    ],
)  # fmt: skip
def test_the_quote_that_was_wrong_is_found(content: str, quotes: tuple[str, ...]) -> None:
    assert find_corrected_quotes(content, quotes) == [0]


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        ("The user lives in Boston", ("I live in Boston.", "I live in Boston, as I said")),
        ("The user likes green tea", ("I like green tea", "green tea again please")),
        ("The user has a cat and a dog", ("I have a cat and a dog", "my dog is cute")),
        ("用户住在上海", ("我住在上海", "我在上海住得不错")),
        ("用户养了一只猫", ("我养了一只猫", "我的猫很可爱")),
        ("用户喜欢喝茶", ("我喜欢喝茶",)),
    ],
)
def test_what_is_said_again_corrects_nothing(content: str, quotes: tuple[str, ...]) -> None:
    assert find_corrected_quotes(content, quotes) == []
