"""Requests to forget a topic by its name take the messages on it, and no others."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.forgotten_topics import find_forgotten_topic, is_on_topic
from palimpsest_language.off_the_record.withheld_turns import (
    asks_about_other_turns,
    find_withheld_turn_ids,
)
from tests.support.turns import turn

USER, AGENT = Role.USER, Role.AGENT


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("我住在海珠区江南西路。", "刚才说的住址忘掉吧。"),
        ("阿凯是我的大学室友。", "把阿凯的事从记忆里删掉"),
        ("我体重82公斤", "请把我的体重从你的记忆中抹掉吧"),
        ("我月薪两万三", "把我之前说的工资忘了吧"),
        ("我确诊了抑郁症", "忘掉我说的病情吧"),
        ("我欠银行十万", "把欠债的事忘掉吧"),
        ("I weigh 82 kilos.", "Scratch that, forget the weight thing."),
        ("I live on Elm Street.", "forget about the address I gave you"),
        ("Kai was my flatmate.", "please erase everything about Kai from your memory"),
        ("I earn 4000 a month.", "Forget the whole salary business, ok"),
        ("I was diagnosed with asthma.", "forget what I said about my health"),
        ("I broke up with Dana.", "Remove my relationship from your memory"),
    ],
)
def test_what_was_said_on_the_topic_goes_with_its_answer(told: str, asked: str) -> None:
    turns = [
        turn(1, role=USER, text=told),
        turn(2, role=AGENT, text="Noted."),
        turn(3, role=USER, text="I like tea. 我喜欢喝茶。"),
        turn(4, role=AGENT, text="ok"),
        turn(5, role=USER, text=asked),
    ]
    assert find_withheld_turn_ids(turns) == {turns[0].id, turns[1].id}
    assert asks_about_other_turns(turns[4])


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget the weight thing",
        "I always forget the password part",
        "Remove the file from my disk",
        "I forgot what I said about my weight",
        "forget it",
        "我忘了他刚才说的住址",
        "把这行从代码里删掉",
        "我把伞忘了",
        "别忘了我说的地址",
        "我把阿凯的事忘了",
    ],
)
def test_what_asks_for_nothing_of_the_kind_names_no_topic(text: str) -> None:
    assert find_forgotten_topic(text) is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("I like tea", "weight"),
        ("我喜欢喝茶", "住址"),
        ("I live in Lisbon", "salary"),
        ("我三十岁", "体重"),
    ],
)
def test_other_matters_are_not_on_the_topic(text: str, topic: str) -> None:
    assert not is_on_topic(text, topic)
