import pytest

from palimpsest.model.turn import ImageReference
from palimpsest_language.vocabulary.chit_chat import is_chit_chat
from tests.support.turns import turn


@pytest.mark.parametrize(
    "text",
    ["你好", "您好！", "你好呀，在吗？", "谢谢😊", "早上好~", "哈哈哈哈", "晚安，拜拜", "Hi", "hello there!",
     "Thanks a lot :)", "Good morning, how are you?", "thank you, bye", "Hello! How can I help you today?",
     "Hi 你好", "👍", "...", "您好！请问有什么可以帮您的吗？", "you’re welcome"],
)  # fmt: skip
def test_greetings_thanks_and_laughter_hold_nothing(text: str) -> None:
    assert is_chit_chat([turn(1, text=text)])


@pytest.mark.parametrize(
    "text",
    ["好的", "yes", "ok", "你好，我叫林夏", "Thanks, I moved to Hangzhou", "hi, call me Bo", "谢谢，我对花生过敏",
     "早餐吃什么", "hiking", "Hey Jude is my favourite song", "byelaws", "7", "明天见面吗", "hello " * 30],
)  # fmt: skip
def test_whatever_says_or_answers_anything_is_no_chit_chat(text: str) -> None:
    assert not is_chit_chat([turn(1, text=text)])


def test_one_word_that_counts_is_enough() -> None:
    assert not is_chit_chat([turn(1, text="你好"), turn(2, text="我在写论文")])
    assert not is_chit_chat([turn(1, text="hi", images=(ImageReference(url="u"),))])
