"""Answers that say little by themselves: "Biscuit", 三年, beside the question that they answer."""

import re

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.statements.kind_cue import compile_any
from palimpsest_language.statements.people import MentionedPerson, find_mentioned_person

_ASKS = re.compile(r"[?？][\"'”’」）)\s]*$")
_ASKS_OF_TASTE = compile_any(
    r"\b(?:like|love|prefer|favou?rite|enjoy|kind of|sort of|style|taste|fancy|rather)\b|喜欢|爱"
    r"|偏好|口味|想要|哪种|风格|还是"
)
_ASKS_TO_CHOOSE = compile_any(r"\w or (?:\w+ ){0,4}\w+\?$", r"还是.{1,12}[?？]$")
_ASKS_OF_PLANS = compile_any(
    r"\b(?:plan|want|hope|goal|next)\b|打算|计划|目标|想.{0,4}(?:方向|做什么|去)"
)
_ASKS_OF_NO_MATTER = compile_any(
    (
        r"^\W*you\W*$|^\W*(?:sure|ok(?:ay)?|great|got it|noted|done|好的?|行|没问题|明白"
        r"|记下了)\b|^(?:and|how about|what about) you\W*$|\bwhat can I do\b|\bwould help\b"
        r"|\bcan help\b"
    ),
    r"\bhow (?:can|may) I\b|\bhow(?:['’]s| is| are| was| were| did| does| do)\b.*\b"
    r"(?:it|he|she|they|you|that|this|things|going|go)\b|\bfeel about\b|\bwould you\b|\bis that\b"
    r"|\bwhat happened\b|\bhow are you|\bhow's it going|\bshall (?:I|we)\b|\bshould I\b|\b"
    r"(?:do|would) you (?:want|like|need) (?:me|help|to|a reminder|some)\b"
    r"|\bwhat(?:['’]s| is| was| does)?\b.*\b(?:wrong|errors?|the matter|problem|message|say|stuck"
    r"|fail\w*)\b"
    r"|什么(?:错|问题|情况|现象|提示)|怎么(?:了|回事|样)|心情|感觉(?:如何|怎样)|卡在|有心事|还好"
    r"(?:吗|么)"
    r"|\bso (?:funny|happy|sad|late)\b|这么(?:好笑|开心|晚|早|急)|笑什么|\bwant me to\b"
    r"|\breminders?\b|\bremind (?:you|me)\b|提醒|\banything else\b|\bready\b|\bany "
    r"(?:thoughts|questions)\b|有什么可以|需要(?:我|提醒|帮)|要"
    r"(?:我|不要)|可以吗|行吗|好吗|怎么样了|吗？?$|[你您]呢[？?]*$|"
    r"(?:报错|错误|日志|提示|版本|命令).{0,4}(?:是|写|报).{0,2}(?:什么|啥|多少)",
)
"""Offers, courtesies, and what is asked to help: the answers matter for now."""
_WORD = re.compile(r"[A-Za-z0-9][\w'’-]*|[\u3400-\u9fff]{2}")
_LEAST_WORDS = 3
_WORDS_OF_A_SLOT = 3
_ABOUT_OTHERS = re.compile(r"\b(?:he|she|him|her|his)\b", re.IGNORECASE)
_NAMES_OR_COUNTS = re.compile(
    r"\d|[A-Z][a-z]+|[A-Z]{2,}|[a-z][.][a-z]|\b(?:two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|dozen|half)\b|[\u3400-\u9fff]"
)
_OFFERS_REMINDER = compile_any(
    r"\b(?:remind|reminders?|to-?do|your list|calendar)\b|提醒|待办|日程|清单"
)
_NO_ANSWER = compile_any(
    (
        r"\b(?:probably|maybe|perhaps|I guess|not sure|no idea|dunno)\b|可能|大概|也许|不知道"
        r"|不清楚|没想好"
    ),
    (
        r"^(?:half and half|fifty-fifty|50/50|a bit of (?:both|everything)|either"
        r"(?: one)?|neither|whichever|whatever|anything)\W*$|^(?:一半一半|都有|都行|各一半)\W*$"
    ),
    (
        r"^(?:yes|yeah|yep|yup|no|nope|nah|ok(?:ay)?|sure|maybe|not "
        r"(?:really|yet|sure)|exactly|right|true|thanks?|please|none|nothing|fine|go|me|same|i do"
        r"|i am|of course|good|great|later|all of them|both|haha)?\W*$"
    ),
    (
        r"^(?:(?:pretty|very|really|quite|so|not|too|a bit|bit|kind of) )*"
        r"(?:good|bad|great|awful|terrible|ok|alright|all right|lovely|nice|tired|better|worse"
        r"|so-so|depends|all of (?:it|them)|none of (?:it|them)|both of them)\W*$"
    ),
    (
        r"^(?:还行|还好|还可以|一般般?|挺好|不错|很好|好多了|不太好|不好|凑合|就那样|看情况"
        r"|不一定|挺[\u4e00-\u9fff]的|有点[\u4e00-\u9fff]+|[都是]+的?)[的吧啊呀了]?\W*$"
    ),
    (
        r"^(?:是的?|对|不|没有?|好的?|行|嗯|可以|要|不要|不用|算了|谢谢|都行|都可以|随便"
        r"|我?无所谓.{0,8}|随你|看你|你定|还没|不知道|没了|当然|哈+|也是|真的|约了|是)?\W*$"
    ),
)


def find_question(text: str) -> str | None:
    """The question that a message ends with; None where it asks nothing that tells anything."""
    last = re.split(r"(?<=[.!。！\n])\s*", text.strip())[-1]
    if not _ASKS.search(last) or _ASKS_OF_NO_MATTER.search(last):
        return None
    return last


def is_answer(text: str, question: str) -> bool:
    """Tell whether it tells something together with its question: "Where?" - "Nantes" does not."""
    if _NO_ANSWER.search(text) or _WORD.search(question) is None:
        return False
    short = len(_WORD.findall(question)) < _LEAST_WORDS and len(_WORD.findall(text)) < _LEAST_WORDS
    return not short or bool(_ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question))


def is_standalone_answer(text: str, question: str) -> bool:
    """Tell whether the answer is worth a memory of its own.

    It is where it has a name or a number, or where the question asks for a taste, a
    choice or a plan, or names but the thing ("Editor?"). What else is asked, and all
    that is asked about somebody ("How long will she be gone?"), belongs to what was
    told before.
    """
    if _ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question):
        return True
    if has_chinese(question):
        return True
    if _ABOUT_OTHERS.search(question):
        return False
    named = _NAMES_OR_COUNTS.search(text) is not None or _ASKS_OF_PLANS.search(question)
    return bool(named) or len(question.split()) <= _WORDS_OF_A_SLOT


def has_name_or_number(text: str) -> bool:
    """Tell whether an answer says something that has to be kept beside what it was asked about."""
    return _NAMES_OR_COUNTS.search(text) is not None


def find_asked_pronoun(question: str) -> str | None:
    """The pronoun by which a question asks about somebody."""
    match = _ABOUT_OTHERS.search(question)
    return match.group() if match else None


def offers_reminder(text: str) -> bool:
    """Ask whether to remind of something, or to write it down."""
    return bool(_ASKS.search(text.strip()) and _OFFERS_REMINDER.search(text))


def choose_answer_kind(question: str) -> Kind:
    if _ASKS_OF_TASTE.search(question) or _ASKS_TO_CHOOSE.search(question):
        return Kind.PREFERENCE
    if _ASKS_OF_PLANS.search(question):
        return Kind.GOAL
    return Kind.FACT


def find_person_asked_about(question: str) -> MentionedPerson | None:
    """“Your mom”, 你妈妈: somebody of whoever answers."""
    chinese = has_chinese(question)
    turned = re.sub(r"\byour\b", "my", question) if not chinese else question.replace("你", "我")
    return find_mentioned_person(turned, chinese=chinese)


def find_person_in_final_question(text: str) -> MentionedPerson | None:
    """Whom a message asks about at its end: “Got it. How old is Theo?” of Theo."""
    last = re.split(r"(?<=[.!。！\n])\s*", text.strip())[-1]
    return find_person_asked_about(last) if _ASKS.search(last) else None


def retell_answer(question: str, answer: str, who: str) -> str:
    if has_chinese(question):
        who = {"the user": "用户", "the agent": "助手"}.get(who, who)
        return f"被问“{question.strip('？? ')}”，{who}回答：{answer}"
    return f"Asked “{question.strip('? ')}”, {who} said: {answer}"
