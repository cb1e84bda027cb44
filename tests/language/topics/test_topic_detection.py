"""By which topics a question shows that its answer is bounded."""

from collections import Counter

import pytest

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.user import Language
from palimpsest_language.topics.topic_detection import detect_topics
from palimpsest_language.topics.topic_table import TOPICS


def names(question: str) -> list[str]:
    return [topic.name for topic in detect_topics(question)]


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Suggest something to cook tonight", "food"),
        ("We're BAKING on Sunday, any recipes?", "food"),
        ("What should I tell a new doctor?", "health"),
        ("A sitter comes for the kids, what must she know?", "children"),
        ("find me a gift for my nephew", "gifts"),
        ("Ideas for Mother’s Day?", "gifts"),
        ("Plan our trip to the coast", "travel"),
        ("Somebody walks the puppy this week, what do I tell him?", "pets"),
        ("Drafting a letter to the council, help me", "writing"),
        ("Refactor these functions for me", "code"),
        ("I want to take up jogging", "exercise"),
        ("What could I wear on Saturday?", "clothing"),
        ("I can't sleep, what would help?", "rest"),
        ("帮我挑几个菜", "food"),
        ("今晚想下馆子", "food"),
        ("去看病要交代什么", "health"),
        ("保姆明天来，要跟她说什么", "children"),
        ("送她什么好呢", "gifts"),
        ("國慶想出去玩", "travel"),
        ("狗要寄养几天，嘱咐点什么", "pets"),
        ("帮我写封邮件", "writing"),
        ("重构一下这个函数", "code"),
        ("想开始锻炼，做点什么", "exercise"),
        ("婚礼上穿什么好", "clothing"),
        ("最近老是失眠，怎么办", "rest"),
    ],
)
def test_a_question_shows_its_topic_in_either_language(question: str, topic: str) -> None:
    assert topic in names(question)


@pytest.mark.parametrize(
    "question",
    ["Who is she?", "That reminds me of you", "ok then", "她是谁", "那就这样吧", "", "?!", "12345"],
)
def test_most_of_what_is_said_shows_none(question: str) -> None:
    assert names(question) == []


@pytest.mark.parametrize(
    "question",
    ["What did I eat on Monday?", "When does the doctor open?", "Who gave me the present?",
     "Which hotel was it?", "我昨天吃了什么菜了吗", "医生叫什么", "礼物多少钱"],
)  # fmt: skip
def test_a_fact_is_bounded_by_none(question: str) -> None:
    assert names(question) == []


def test_what_is_said_beside_everything_counts_where_nothing_else_is_shown() -> None:
    assert names("Something to do this weekend?") == ["leisure"]
    assert names("Something to cook this weekend?") == ["food"]
    assert names("周末做点什么") == ["leisure"]
    assert names("周末做点什么菜") == ["food"]


def test_several_may_be_shown_in_the_order_of_the_table() -> None:
    assert names("Write a packing list for the kids' camping trip") == [
        "children",
        "travel",
        "writing",
    ]


def test_a_word_within_a_word_is_none() -> None:
    assert names("The meathead was eatenest in Gymnasia") == []


def test_each_topic_speaks_both_languages() -> None:
    for topic in TOPICS:
        told = Counter(map(detect_language, topic.examples))
        assert abs(told[Language.ENGLISH] - told[Language.CHINESE]) <= 1, topic.name
        assert all(word.isascii() for word in topic.question_words)
        assert not any(word.isascii() for word in topic.chinese_question_words)
        assert {word.isascii() for word in topic.memory_words} == {True, False}


def test_every_word_can_be_met_and_stands_once_in_its_topic() -> None:
    for topic in TOPICS:
        assert all(len(word) <= 4 for word in topic.chinese_question_words), topic.name
        assert all(word.count(" ") <= 2 for word in topic.question_words), topic.name
        for words in (topic.question_words, topic.chinese_question_words, topic.memory_words):
            twice = [word for word, often in Counter(words).items() if often > 1]
            assert not twice, topic.name


def test_a_long_text_is_looked_through_at_its_beginning() -> None:
    assert names("hm " * 1_000 + "dinner") == []
    assert names("dinner " + "hm " * 1_000) == ["food"]
