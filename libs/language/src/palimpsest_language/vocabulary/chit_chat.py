"""Chit-chat: greetings, thanks, goodbyes and laughter that certainly hold nothing to remember.

"Yes" and "好的" are not here: they may answer a question that was in the window before. What
is no evidence by itself, as those are not, is a matter of ranking: see its `fillers`.
"""

import re
from collections.abc import Iterable

from palimpsest.model.turn import Turn

_LONGEST = 120

CHIT_CHAT_PHRASES = (
    "hi",
    "hello",
    "hey",
    "hiya",
    "howdy",
    "there",
    "good morning",
    "good afternoon",
    "good evening",
    "good night",
    "how are you",
    "how are you doing",
    "how's it going",
    "i'm fine",
    "i'm good",
    "nice to meet you",
    "thanks",
    "thank you",
    "thanks a lot",
    "thank you very much",
    "thank you so much",
    "many thanks",
    "thx",
    "you're welcome",
    "you are welcome",
    "no problem",
    "my pleasure",
    "bye",
    "bye bye",
    "goodbye",
    "see you",
    "see you later",
    "see you soon",
    "take care",
    "have a nice day",
    "ha",
    "haha",
    "lol",
    "hmm",
    "how can i help you",
    "how can i help you today",
    "how may i help you",
    "how can i assist you today",
    "你好",
    "您好",
    "你好呀",
    "你好啊",
    "大家好",
    "嗨",
    "哈喽",
    "哈罗",
    "早",
    "早上好",
    "早安",
    "上午好",
    "中午好",
    "下午好",
    "晚上好",
    "晚安",
    "在吗",
    "在么",
    "你好吗",
    "谢谢",
    "谢谢你",
    "谢谢您",
    "谢谢啦",
    "多谢",
    "非常感谢",
    "感谢",
    "辛苦了",
    "不客气",
    "不用谢",
    "不谢",
    "再见",
    "拜拜",
    "回头见",
    "明天见",
    "哈",
    "哈哈",
    "嘿嘿",
    "呵呵",
    "有什么可以帮您",
    "有什么可以帮你",
    "有什么可以帮您的",
    "有什么可以帮你的",
    "有什么可以帮您的吗",
    "有什么可以帮你的吗",
    "请问有什么可以帮您",
    "请问有什么可以帮您的吗",
)

_ALTERNATIVES = "|".join(sorted(map(re.escape, CHIT_CHAT_PHRASES), key=len, reverse=True))
_LATIN_WORD_ENDS = r"(?![a-z0-9'])"
_NOTHING_ELSE = re.compile(rf"(?:(?:{_ALTERNATIVES}){_LATIN_WORD_ENDS}\s*+)+")
_NOT_A_WORD = re.compile(r"[^\w']+|_")


def is_chit_chat(turns: Iterable[Turn]) -> bool:
    """Tell whether none of these turns says anything at all."""
    return all(_says_nothing(turn) for turn in turns)


def _says_nothing(turn: Turn) -> bool:
    return not turn.images and is_chit_chat_text(turn.text)


def is_chit_chat_text(text: str) -> bool:
    """Tell whether a text says nothing but such phrases."""
    if len(text) > _LONGEST:
        return False
    words = _NOT_A_WORD.sub(" ", text.lower().replace("’", "'")).strip()
    return not words or _NOTHING_ELSE.fullmatch(words) is not None
