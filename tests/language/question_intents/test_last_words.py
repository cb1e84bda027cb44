"""Who asks for the words of a moment ago is told from who asks for a matter."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.question_intents.last_words import find_last_words_speaker

MINE = (
    "What did I just say?",
    "What was my last message?",
    "remind me what I just told you",
    "what was I just saying?",
    "Sorry, what did I say just now?",
    "What's the last thing I said?",
    "repeat my last message",
    "can you repeat what I just said?",
    "what were my last three messages?",
    "my previous question?",
    "What have I just asked you?",
    "what was the last thing I told you",
    "What did I just ask?",
    "Wait, what did I just type?",
    "what did I write a moment ago",
    "show me my most recent message",
    "do you remember what I just said?",
    "the last question I asked",
    "What was it that I just said?",
    "please tell me what I said a minute ago",
    "我刚才说了什么？",
    "上一句我说的什么",
    "我刚刚跟你说了什么",
    "我上一条消息是什么",
    "我刚才问了你什么",
    "我刚说了啥",
    "刚才我说的是什么",
    "重复一遍我刚才说的话",
    "我最后一句话是什么",
    "我的上一个问题是什么",
    "还记得我刚才说了什么吗",
    "我刚刚讲了些什么来着",
    "我说到哪了",
    "我刚才说到哪儿了",
    "提醒我一下我刚才说了什么",
    "上一条我发的是什么",
    "我前一句说的什么",
    "我最近一条消息说了什么",
    "我刚才告诉你什么了",
    "等等，我刚才说啥了",
    "what was I saying?",
    "what did I say a second ago?",
    "what was the last thing I asked you?",
    "Can you tell me what I just wrote?",
    "what are the last two things I said?",
    "hold on, what did I just say?",
    "what have I been saying just now?",
    "say back what I just said",
    "我刚才讲什么了",
    "刚刚我说啥来着",
    "我上句话说的什么",
    "我刚刚发的消息是什么",
    "帮我回忆一下我刚才说了什么",
    "我刚问的是什么",
    "我最后说的是什么",
    "你能重复我刚才说的话吗",
)

YOURS = (
    "What did you just say?",
    "what was your last message?",
    "repeat what you just said",
    "你刚才说了什么",
    "你上一句说的什么",
    "你刚刚说什么来着",
    "你刚刚回答了什么",
)

OF_A_MATTER = (
    "What did I just say about the budget?",
    "What did Tom just say?",
    "what did I say in May?",
    "What was my last job?",
    "I just said that I like tea",
    "what is the last message from my bank?",
    "what did I just buy?",
    "what did you suggest last time?",
    "What did I say?",
    "where was my last holiday?",
    "what did my sister just tell me?",
    "how do I repeat my last order?",
    "我刚才说的航班几点",
    "我刚才说的方案怎么样",
    "小王刚才说了什么",
    "我刚买了什么",
    "我上一份工作是什么",
    "我妈刚说了什么",
    "上一句诗是什么",
    "刚才那个方案再说一遍",
    "我昨天说了什么",
    "我最后去了哪里",
    "我刚才跟小李说了什么",
    "我刚到哪了",
    "what did I say to Ann?",
    "what's the last thing I bought?",
    "who spoke last?",
    "what was I saying about Rome?",
    "my last payment",
    "我刚才点了什么菜",
    "刚才谁来了",
    "我最后一次看牙是什么时候",
    "上一条新闻说了什么",
    "我上一条裤子多大",
)


@pytest.mark.parametrize("question", MINE)
def test_ones_own_words_are_asked_for(question: str) -> None:
    assert find_last_words_speaker(question) is Role.USER


@pytest.mark.parametrize("question", YOURS)
def test_the_words_of_the_assistant_are_asked_for(question: str) -> None:
    assert find_last_words_speaker(question) is Role.AGENT


@pytest.mark.parametrize("question", OF_A_MATTER)
def test_where_a_matter_is_named_it_is_a_question_like_any_other(question: str) -> None:
    assert find_last_words_speaker(question) is None
