"""Answers that say little by themselves: "Biscuit", 三年, beside the question that they answer."""

import re

from palimpsest.domain.kinds import Kind
from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.rules.statements.people import Person, mentioned
from palimpsest.providers.extraction.rules.statements.sign import any_of

_ASKS = re.compile(r"[?？][\"'”’」）)\s]*$")
_ASKS_OF_TASTE = any_of(
    r"\b(?:like|love|prefer|favou?rite|enjoy|kind of|sort of|style|taste|fancy|rather)\b|喜欢|爱|偏好|口味|想要|哪种|风格|还是"
)
_ASKS_OF_PLANS = any_of(
    r"\b(?:plan|want|hope|goal|next)\b|打算|计划|目标|想.{0,4}(?:方向|做什么|去)"
)
_ASKS_OF_NO_MATTER = any_of(
    r"\bhow (?:can|may) I\b|\bhow (?:is|are|was|were|did)\b.*\b(?:it|he|she|they|you|that|things|going|go)\b|\bfeel about\b|\bwould you\b|\bis that\b|\bwhat happened\b|\bhow are you|\bhow's it going|\bshall (?:I|we)\b|\bshould I\b|\b(?:do|would) you (?:want|like|need) (?:me|help|to|a reminder|some)\b"
    r"|\bwant me to\b|\banything else\b|\bready\b|\bany (?:thoughts|questions)\b|有什么可以|需要(?:我|提醒|帮)|要(?:我|不要)|可以吗|行吗|好吗|怎么样了|吗？?$"
)
"""Offers and courtesies: what comes back to them is a yes or a no."""
_NO_ANSWER = any_of(
    r"^(?:yes|yeah|yep|yup|no|nope|nah|ok(?:ay)?|sure|maybe|not (?:really|yet|sure)|exactly|right|true|thanks?|please|none|nothing|fine|go|me|same|i do|i am|of course|good|great|later|all of them|both|haha)?\W*$",
    r"^(?:是的?|对|不|没有?|好的?|行|嗯|可以|要|不要|不用|算了|谢谢|都行|都可以|随便|还没|不知道|没了|当然|哈+|也是|真的|约了|是)?\W*$",
)


def question_in(text: str) -> str | None:
    """The question that a message ends with; None where it asks nothing that tells anything."""
    last = re.split(r"(?<=[.!。！\n])\s*", text.strip())[-1]
    if not _ASKS.search(last) or _ASKS_OF_NO_MATTER.search(last):
        return None
    return last


def is_answer(text: str) -> bool:
    return _NO_ANSWER.search(text) is None


def kind_of_answer(question: str) -> Kind:
    if _ASKS_OF_TASTE.search(question):
        return Kind.PREFERENCE
    if _ASKS_OF_PLANS.search(question):
        return Kind.GOAL
    return Kind.FACT


def person_asked_about(question: str) -> Person | None:
    """“Your mom”, 你妈妈: somebody of whoever answers."""
    chinese = has_chinese(question)
    turned = re.sub(r"\byour\b", "my", question) if not chinese else question.replace("你", "我")
    return mentioned(turned, chinese=chinese)


def told_with_question(question: str, answer: str, who: str) -> str:
    if has_chinese(question):
        return f"被问“{question.strip('？? ')}”，{who}回答：{answer}"
    return f"Asked “{question.strip('? ')}”, {who} said: {answer}"
