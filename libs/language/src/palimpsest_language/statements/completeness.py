"""Completeness of a clause: whether it says enough to be kept."""

import re

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind
from palimpsest_language.statements.kind_classifier import is_exact_to_day, is_upcoming
from palimpsest_language.statements.uncued_statements import count_words, is_speaker_action
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_language.time_expressions.time_removal import remove_time_words

_SHORT_ORDER = re.compile(r"^(?:never|not|no(?! \w+s$)|don't)\b", re.IGNORECASE)
_POINTS = re.compile(r"^(?!I\b|we\b).*\b(?:it|that)$", re.IGNORECASE)
_WHEN_ALONE = re.compile(
    r"(?:下班|上班|收工|午饭)|(?:之|以)?前|给到?|提交?|交付?|发|完成|搞定|弄好|[\s，,]"
)
_POINTS_ALONE = re.compile(r"\b(?:it|that|them)$", re.IGNORECASE)
_FROM_NOW_ON = re.compile(
    (
        r"\bnot \w+(?: \w+)?$|\beven (?:when|if|though)\b|^(?:answer|reply|write|talk|speak)"
        r"(?: to)?(?: me)? in \w+|\b(?:always|never|from now on|next time|every time|instead of"
        r"|rather than)\b"
    ),
    re.IGNORECASE,
)

_NOT_TO_FORGET = re.compile(r"记得(?=.{2,})|别忘|\bdon't forget\b", re.IGNORECASE)
_LISTED = re.compile(r"\blist\b|清单|书单|待办|日程", re.IGNORECASE)
_WRITES_DOWN = re.compile(
    (
        r"\b(?:put|add|note|schedule|enter|mark|save|log|pencil)\b|记|加[到进上]|写[到进上]"
        r"|放[到进上]|排"
    ),
    re.IGNORECASE,
)


def is_dated_task(core: str, time: TimeExpression | None, said: UtteranceTime) -> bool:
    """Return what is to be done is said, and when: "from ten on" says the latter alone."""
    if time is None or not is_upcoming(time, said) or not is_exact_to_day(time):
        return False
    return count_words(remove_time_words(core, time)) > 1


def min_statement_words(kind: Kind, core: str, *, chinese: bool) -> int:
    """So many words, or Chinese characters, make a statement of their own."""
    if chinese:
        return 3 if kind is Kind.DECISION else 4
    if kind is Kind.FEEDBACK:
        return 2
    if is_speaker_action(core):
        return 6 if kind is Kind.FACT and _POINTS_ALONE.search(core) else 2
    return 5 if _POINTS.search(core) else 3 if _SHORT_ORDER.search(core) else 2


def is_lasting_request(kind: Kind | None, core: str, coming: TimeExpression | None) -> bool:
    """Tell whether a request is for later, or to be written down."""
    if kind is Kind.ACTION_ITEM and _LISTED.search(core):
        return True
    if kind is Kind.ACTION_ITEM and _NOT_TO_FORGET.search(core):
        return True
    if kind is not None and kind.has(Wording.WISH) and _FROM_NOW_ON.search(core):
        return True
    if coming is None or not is_exact_to_day(coming):
        return False
    if kind is Kind.EVENT:
        return _WRITES_DOWN.search(core) is not None
    return kind is not None and kind.has(Wording.ERRAND)


_BARE = re.compile(
    r"^(?:ok|好的?|行|嗯|可以)|同意|赞成|没问题|[那就还先也都再]|以后|今后|往后|随便|[这那]"
    r"(?:个|么|样|些|版|套)?|数|大家|我们?|咱们?|你们?|听|说|照|按|依|是|定|办|做|来|干|弄|搞|改"
    r"|换|动|问|试|看|聊|走|折腾|决定|吧|了|的|呗|啦|哈|着|一下|不|别|要|用"
)
"""Words with which something is decided, and none of what that is."""
_LEAST_OF_A_DECISION = 2


def is_decision_without_object(words: str) -> bool:
    """就这个数, 不折腾, "agreed, let's do that": what was decided stands elsewhere."""
    left = _BARE.sub(" ", words)
    return count_words(left) < _LEAST_OF_A_DECISION and not re.search(r"[A-Za-z0-9]", left)


def is_bare_promise(core: str, kind: Kind, time: TimeExpression | None) -> bool:
    """When, and not what: 周四下班前给到."""
    if kind is not Kind.ACTION_ITEM or time is None:
        return False
    return len(_WHEN_ALONE.sub("", remove_time_words(core, time))) < 2
