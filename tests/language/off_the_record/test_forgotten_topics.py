"""Requests to forget a topic by its name take the messages on it, and no others."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.forgotten_topics import (
    find_forgotten_topic,
    is_on_topic,
    names_topic,
)
from palimpsest_language.off_the_record.withheld_turns import (
    asks_about_other_turns,
    find_far_reaching_topic,
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
    assert find_withheld_turn_ids(turns) == {turns[0].id, turns[1].id, turns[4].id}
    assert asks_about_other_turns(turns[4])


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("please forget everything about my therapy", "therapy"),
        ("Can you delete all you know about Marcus?", "Marcus"),
        ("I want you to forget everything I told you about the divorce.", "divorce"),
        ("forget I ever told you about Marcus, please", "Marcus"),
        ("I don't want you to remember anything about my ex any more", "ex"),
        ("hey, could you please erase everything related to my debts?", "debts"),
        ("忘掉关于小琳的一切吧", "小琳"),
        ("把跟小琳有关的都忘了吧", "小琳"),
        ("请删除所有跟阿凯有关的记录", "阿凯"),
        ("把我看心理医生的事都删了吧，别记着了", "看心理医生"),
        ("别再记着我前女友的任何事了", "前女友"),
        ("把关于减肥的内容全部忘掉", "减肥"),
    ],
)
def test_a_request_for_everything_reaches_all_that_was_ever_said(asked: str, topic: str) -> None:
    found = find_far_reaching_topic(turn(1, role=USER, text=asked))
    assert found is not None
    assert names_topic(f"I spoke of my {topic}; 我说起过{topic}。", found)


@pytest.mark.parametrize(
    ("text", "topic", "named"),
    [
        ("I've been seeing a therapist", "my therapy", True),
        ("I gambled away 4000", "gambling", True),
        ("my partner is nice", "the party", False),
        ("there is another one", "her", False),
        ("I'm allergic to nuts", "therapy", False),
        ("我跟小琳分手了", "小琳", True),
        ("我在看心理医生", "看心理医生", True),
    ],
)
def test_a_topic_is_named_in_any_form_of_its_words(text: str, topic: str, named: bool) -> None:
    assert names_topic(text, topic) is named


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
