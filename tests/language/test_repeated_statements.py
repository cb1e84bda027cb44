"""Repetitions of a statement are known by its names and words; mere mentions are not."""

import pytest

from palimpsest_language.repeated_statements import extract_statement_words, repeats_statement

SESAME = extract_statement_words(
    ["The user is allergic to sesame", "I'm allergic to sesame."], names=["sesame", None]
)
GARLIC = extract_statement_words(["用户对大蒜过敏", "我对大蒜过敏"], names=["大蒜"])
LEAVING = extract_statement_words(["The user thinks about leaving Acme for a smaller company"])
QUITTING = extract_statement_words(["用户最近在考虑换工作", "我最近在考虑换工作"])


@pytest.mark.parametrize(
    "text",
    [
        "Understood, I'll keep sesame out of everything.",
        "Since you are allergic to sesame, try miso aubergine.",
        "No SESAME oil then.",
        "Here is a salad without sesame:",
        "Noted: allergic to sesame.",
        "Sesame, got it!",
    ],
)
def test_in_the_same_talk_a_name_is_enough(text: str) -> None:
    assert repeats_statement(text, SESAME, same_talk=True)


@pytest.mark.parametrize(
    "text",
    [
        "明白了，不放大蒜。",
        "既然你对大蒜过敏，试试这道菜",
        "好的，记下了：大蒜",
        "这道菜没有大蒜",
        "大蒜过敏要小心",
        "那我把大蒜去掉",
    ],
)
def test_in_the_same_talk_a_chinese_name_is_enough(text: str) -> None:
    assert repeats_statement(text, GARLIC, same_talk=True)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("You are allergic to sesame, so no tahini.", SESAME),
        ("Remember that sesame makes you react: you're allergic.", SESAME),
        ("因为你对大蒜过敏，换一道菜", GARLIC),
    ],
)
def test_elsewhere_another_word_of_it_stands_beside_the_name(text: str, statement: object) -> None:
    assert repeats_statement(text, statement, same_talk=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Sesame Street is on at six.", SESAME),
        ("A bakery with sesame rolls opened.", SESAME),
        ("大蒜涨价了", GARLIC),
        ("You are allergic to nothing, I think.", SESAME),
        ("ok", SESAME),
        ("好的", GARLIC),
        ("Acme released a new phone.", LEAVING),
        ("A company party is on Friday.", LEAVING),
        ("你的工作怎么样？", QUITTING),
        ("今天天气不错", QUITTING),
    ],
)
def test_what_only_touches_it_repeats_nothing(text: str, statement: object) -> None:
    assert not repeats_statement(text, statement, same_talk=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("So you think of leaving Acme for a smaller company?", LEAVING),
        ("Leaving Acme for a smaller company may cost you.", LEAVING),
        ("考虑换工作的话，先更新简历", QUITTING),
        ("你最近在考虑换工作，对吗？", QUITTING),
    ],
)
def test_without_a_name_most_of_its_words_repeat_it(text: str, statement: object) -> None:
    assert repeats_statement(text, statement, same_talk=False)  # type: ignore[arg-type]


def test_of_a_statement_without_words_nothing_is_a_repetition() -> None:
    nothing = extract_statement_words(["", "ok"])
    assert not nothing.says_anything
    assert not repeats_statement("ok", nothing, same_talk=True)
