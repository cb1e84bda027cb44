"""Questions about what no longer holds, and those that are not."""

import pytest

from palimpsest.domain.ranking.questions import asks_about_the_past


@pytest.mark.parametrize(
    "question",
    [
        "Where did she use to live? She used to say it often",
        "What was my previous address?",
        "Which framework did I originally pick?",
        "Who was my old boss?",
        "what did I like before that?",
        "How has my opinion of Vue changed?",
        "我以前住在哪儿？",
        "她原来在哪家公司上班？",
        "我之前喜欢用什么框架？",
        "一开始定的是哪个方案？",
        "我上一份工作是做什么的",
        "我的住址有过什么变化？",
    ],
)
def test_a_question_about_the_past_is_known(question: str) -> None:
    assert asks_about_the_past(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where does she live now?",
        "What is my address?",
        "When is the meeting on Monday?",
        "Did Ada go hiking last week?",
        "How old is my daughter?",
        "她现在住哪？",
        "我对什么过敏？",
        "上周我们去了哪里？",
        "商品页现在用 Vue 还是 React？",
        "下次开会是什么时候",
    ],
)
def test_others_are_about_now(question: str) -> None:
    assert not asks_about_the_past(question)
