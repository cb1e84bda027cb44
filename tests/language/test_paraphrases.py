"""What words show to be two statements, however near their vectors are."""

import pytest

from palimpsest_language.paraphrases import is_possible_paraphrase
from palimpsest_server.embedders.labelled_pairs import BUNDLED_PAIRS, read_labelled_pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The meeting is on Monday", "The meeting is on Tuesday"),
        ("会议在周一", "会议在周二"),
        ("Alice manages Bob", "Bob manages Alice"),
        ("老张借给我钱", "我借给老张钱"),
        ("I like coffee", "I don't like coffee"),
        ("我吃肉", "我不吃肉"),
        ("I take 5 mg", "I take 10 mg"),
        ("我有两个孩子", "我有三个孩子"),
        ("I have a cat called Miso", "I have a cat called Momo"),
        ("主数据库用PostgreSQL", "主数据库用MySQL"),
        ("I used to smoke", "I smoke"),
        ("我以前抽烟", "我抽烟"),
        ("I would like to visit Japan", "I visit Japan"),
        ("I prefer dark mode", "I prefer light mode"),
        ("我喜欢红酒", "我喜欢白酒"),
        ("My sister lives here", "My brother lives here"),
    ],
)
def test_these_are_never_one(one: str, other: str) -> None:
    assert not is_possible_paraphrase(one, other)
    assert not is_possible_paraphrase(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I love hiking", "I really enjoy hiking"),
        ("I take the train to work", "I go to work by train"),
        ("I dislike long meetings", "I don't like long meetings"),
        ("Every morning I go running", "I go running every morning"),
        ("我女儿在学小提琴", "我女儿正在学拉小提琴"),
        ("我讨厌开长会", "我不喜欢开长会"),
        ("我早上喜欢喝绿茶", "我喜欢早上喝绿茶"),
    ],
)
def test_these_may_be_one(one: str, other: str) -> None:
    assert is_possible_paraphrase(one, other)
    assert is_possible_paraphrase(other, one)


def test_the_pairs_that_come_with_it_are_120_half_of_them_chinese() -> None:
    pairs = read_labelled_pairs(BUNDLED_PAIRS)
    assert len(pairs) == len({frozenset((pair.one, pair.other)) for pair in pairs}) == 120
    assert sum(pair.same for pair in pairs) == 60
    assert (
        sum(any("\u4e00" <= character <= "\u9fff" for character in pair.one) for pair in pairs)
        == 60
    )
