"""What is no evidence of anything, and what is, however short."""

import pytest

from palimpsest.model.turn import ImageReference, Role
from palimpsest_language.question_intents.fillers import is_filler
from palimpsest_language.vocabulary.chit_chat import is_chit_chat
from palimpsest_server.domain.ranking.extract_features import extract_turn_features
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED
from tests.support.turns import turn

FILLERS = [
    "ok", "OK!", "Okay.", "Got it.", "got it 👍", "Noted", "Duly noted.", "Understood!", "I see.", "Makes sense.",
    "Sure thing!", "Of course!", "Will do.", "How nice!", "How nice to hear that!", "That's great!", "That's so cool!",
    "Wow! That sounds amazing.", "Sounds good", "Nice to meet you, Eva.", "Nice to meet you too, Dr. Chen!", "Hi Nora!",
    "Thanks, Caroline!", "Thank you so much for sharing this", "You're welcome. Let me know if you need anything else.",
    "I'll keep that in mind.", "I've noted that down.", "I will remember that for next time.", "Congrats!", "Have a great day!",
    "Sorry to hear that.", "Oh no, I'm so sorry to hear that!", "Glad to hear it", "What a great idea!", "Good luck!",
    "Same to you!", "lol", "haha, nice one", "…", "👍👍", "[…]", "Right.", "Talk to you later, take care!",
    "记住了。", "我记住了", "好的，我会记住的。", "已经帮你记下了！", "好的", "好的，谢谢。", "好滴", "嗯嗯", "嗯，知道了", "知道了", "明白了！",
    "了解", "收到", "收到，谢谢提醒", "没问题", "可以", "行吧", "太好了！", "真棒", "真不错呀", "听起来很不错", "哇，好厉害", "原来如此", "是吗？",
    "真的吗？！", "恭喜恭喜", "加油！", "没关系", "不好意思", "很高兴认识你！", "你好，小明", "您好，王老师", "很高兴认识你，小林！", "有需要随时找我",
    "好主意。", "哈哈哈", "谢谢你的分享", "那就好", "早点休息，晚安", "说得对。", "一路平安。",
    "hello again", "Hey buddy!", "What's up?", "hi, how's your day?", "How have you been lately?", "Hello, are you there?",
    "Thanks for everything", "Thank you for helping me today!", "Thanks so much, that helped a lot", "You've been so helpful",
    "you're the best", "much obliged", "ok thanks, talk to you tomorrow", "good night, sleep well", "that's all for today, bye",
    "你好小助手", "助手你好", "嗨，在不在", "你最近好吗？", "好久不见！", "你辛苦了", "谢谢，帮了我大忙", "你真棒", "没事了，谢谢", "我先睡了，晚安",
    "先这样吧，拜拜啦", "晚安，明天聊",
]  # fmt: skip

TELLING = [
    "yes", "No.", "是的", "没有", "不是", "OK, Thursday", "ok, I moved to Oslo", "Got it from my aunt", "Great, Paris!",
    "Nice to meet you in Paris", "Hello Kitty", "Hey Jude is my favourite song", "hi, call me Bo", "Thanks, I moved to Hangzhou",
    "Thanks Thursday", "I'm happy", "I like it", "It was great!", "I see a doctor", "right leg", "good night's sleep",
    "Sure, at nine", "That's my dog", "How nice is the hotel?", "I remember that day", "Congrats on the new job!", "May", "7", "42",
    "好的，周四", "好的，我住在上海", "你好，我叫林夏", "你好，我姓王", "谢谢，乌龙茶", "谢谢，我对花生过敏", "好喝", "好吃", "中药", "成都", "行李丢了",
    "早餐", "一定要吃药", "我知道了一个秘密", "记住我不吃香菜", "可以吃花生", "太辣了", "今天很开心", "真丝围巾", "小明", "好人卡", "哈尔滨",
    "嗯，我下周去北京", "收到快递了", "明白人", "加油站", "美", "了解一下保险",
    "What's up with my order?", "How are you supposed to cook rice?", "How's your mother?", "Thanks for the blue scarf", "Morning",
    "thank-you note for Dana", "hello world in Python", "I've been great with dogs", "You helped Dana move",
    "你好吗这首歌", "谢谢老师送什么礼物", "晚安故事", "助手的名字", "妈妈最近怎么样", "我先去北京了", "帮妈妈一个忙", "吃了海鲜", "好久不见的同学",
]  # fmt: skip


@pytest.mark.parametrize("text", FILLERS)
def test_acknowledgements_praise_and_greetings_are_no_evidence(text: str) -> None:
    assert is_filler(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_tells_or_answers_anything_is_evidence(text: str) -> None:
    assert not is_filler(text)


def test_all_chit_chat_is_filler_and_an_acknowledgement_is_no_chit_chat() -> None:
    for text in ("你好呀，在吗？", "Hello! How can I help you today?", "早上好~"):
        assert is_chit_chat([turn(1, text=text)])
        assert is_filler(text)
    assert not is_chit_chat([turn(1, text="好的"), turn(2, text="ok")])


@pytest.mark.parametrize("text", ["好" * 79 + "猫", "so nice " * 9 + "cat", "haha" * 19 + "cat"])
def test_a_long_run_of_them_is_looked_through_without_trying_every_way(text: str) -> None:
    assert not is_filler(text)


def test_a_turn_that_is_filler_states_less_than_a_question() -> None:
    assert (
        extract_turn_features(turn(1, text="记住了。", role=Role.AGENT)).stated_length
        == NOTHING_STATED
    )
    assert extract_turn_features(turn(1, text="Do you like tea?")).stated_length == 0
    shown = turn(1, text="ok", images=(ImageReference(url="u", caption="a dog"),))
    assert extract_turn_features(shown).stated_length > 0
