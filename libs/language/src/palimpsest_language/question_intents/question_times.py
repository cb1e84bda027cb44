"""Find the times that a question names, and whether it asks only for what lies in them."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta

from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.finder import find_times

TimeSpan = tuple[int | None, int | None]
"""Start, and end that is no part of it, in seconds since 1970; None is open."""


def lies_in_spans(at: int | None, times: Sequence[TimeSpan]) -> bool:
    """Return whether a moment, in seconds since 1970, lies in one of these times."""
    return at is not None and any(
        (since is None or since <= at) and (until is None or at < until) for since, until in times
    )


_LOOKS_AHEAD = re.compile(
    r"\b(?:will|going to|next|upcoming|plans?|planned|scheduled|coming|do i (?:have|need)|tomorrow|this|in (?:a|an|one|two|three|\d+) |when)\b"
    r"|['’]s on\b|要|将|安排|计划|打算|有什么|有啥|有哪些|几点|几号|什么时候|明|下|后天|今|本|这",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"\b((?:was|were|am|are|been|get|got|getting)(?: \w+)? )up to\b", re.IGNORECASE)
"""Pattern of what somebody is up to, which is no limit: “what was I up to in June”."""
_YEAR = timedelta(days=365)
_COMES_BACK = frozenset({Granularity.DAY, Granularity.MONTH})

_BEFORE_IT = (
    r"(?:(?:so|and|ok|okay|hey|please|well|just|can you|could you|tell me|remind me|show me|list|give me|let me know|i wonder"
    r"|do you (?:still )?(?:know|remember|recall)|(?:a |an )?(?:summary|recap|overview|list) of|summari[sz]e|recap)(?: |$))*+"
)
_AFTER_IT = (
    r"(?: ?(?:again|exactly|overall|in general|in total|please|then|there|anyway|for me|to me|for us|all|everything|in my life"
    r"|with me|with us|to us|to you|with you|you|me|about|and|or|in|on|at|during|from|since|for|back|over|of|around|between|by|that|day|the|was|that month))*+"
)
_HAPPENED = (
    r"(?:happen(?:ed|ing|s)?|go(?:ing|es)? on|went on|been (?:happening|going on)|occurr?(?:ed)?|took place|new|up|on|planned"
    r"|scheduled|coming up|there)"
)
_SAID = (
    r"(?:sa(?:y|id|ying)|t(?:ell|old|elling)|talk(?:ed|ing)?(?: about)?|discuss(?:ed|ing)?|mention(?:ed|ing)?|chat(?:ted|ting)?(?: about)?"
    r"|d(?:o|one|oing)|be(?:en)? (?:up to|doing)|up to|get (?:up to|done)|wr(?:ite|ote|itten)|ask(?:ed|ing)?|shared?|sp(?:eak|oken)(?: about)?"
    r"|experienced?|go through|have(?: on| planned| going on| scheduled| to do| coming up)?|know|remember)"
)
_ENGLISH = re.compile(
    rf"{_BEFORE_IT}(?:"
    rf"what(?:'s|'ve| all| else|(?: kind of| important| big| interesting)? (?:things|events))*(?: is| was| are| were| has| have| had| did| do)?(?: i| we| there)?(?: ?{_HAPPENED})?"
    rf"|what(?: all| else)? (?:did|have|had|was|were|am|are|do|will) (?:i|we|you|you and i) (?:all |all been |been |ever )?{_SAID}(?: to| with)?(?: you| me| each other)?"
    rf"|what (?:i|we|you) (?:said|told|did|discussed|talked about|mentioned|was up to)"
    r"|how (?:was|were|did|is)(?: my| our)?(?: it)?(?: go)?"
    rf"|(?:did|was|were|is|are|has|have)(?: there)? (?:anything|something)(?: (?:special|important|interesting|new|big|notable|exciting|fun|good|bad|major|else|worth remembering))?(?: {_HAPPENED})?"
    rf"|anything(?: (?:special|important|interesting|new|big|notable|exciting|fun|good|bad|major|else|worth remembering))?(?: {_HAPPENED})?"
    r"|what (?:are|were) (?:my|our) (?:plans|appointments|events)|my (?:plans|events|day|week|month|year)"
    r")?" + _AFTER_IT
)
_CHINESE_BEFORE = r"(?:请|帮我|麻烦|告诉我|说说|讲讲|看看|回忆(?:一下)?|总结(?:一下)?|回顾(?:一下)?|列(?:一下|出)|你?还?记得|你?知道|那|我想知道|查(?:一下|查)?)*+"
_CHINESE_WHAT = r"(?:些|一些|几件|哪几件|过)?(?:什么|啥|甚么|哪些|什么样的)(?:重要的?|特别的?|好玩的?|有意思的?|值得记的?|新的?|新鲜)?(?:大事|事情|事儿|事|话题|话|内容|活动|安排|计划|日程|动静|消息)?"
_CHINESE_DID = (
    r"(?:发生|出|说|讲|聊|谈|提|做|干|忙|经历|问|写|记录|记|告诉|讨论|商量|交流|分享|安排|过|有)"
)
_CHINESE = re.compile(
    rf"{_CHINESE_BEFORE}(?:我们|咱们|咱俩|我俩|咱|你|您|家里|我这边|我身上|我这|我|这里)?"
    r"(?:都|又|还|到底|究竟|大概|主要|具体|一共|一起|曾|已经|在)*"
    r"(?:(?:跟|和|对|向|同|给|与)(?:你|我|您)(?:都|又|还)?)?"
    rf"(?:{_CHINESE_DID}(?:了|过|到|的|着|起|完)?(?:你|我|您)?(?:的)?(?:都)?(?:是)?{_CHINESE_WHAT}"
    r"|有没有(?:发生|出)?(?:什么|啥)?(?:大事|事情|事)?|过得(?:怎么样|如何|好吗)|怎么样|如何|干嘛|做(?:了)?些?什么"
    r"|(?:发生|做|说|聊|讲|经历)(?:过|了)?(?:事情|事|话|内容)(?:有哪些|是什么)?|(?:事情|事|经历|日程|安排|活动)"
    r")?(?:了|吗|呢|呀|啊|来着|没有|没|吧|有哪些|是什么)*"
)
_LONGEST = 200
"""Characters of a question that asks for no more than that."""
_LEFT_OVER = re.compile(
    r"那(?:天|个月|会儿?|时候?|段时间)|当天|期间|[\s,，、。.?？!！;；:：~…的里内中间份那]+"
)
_ENDS = re.compile(r"[\s?!.,;:~…]+")


def find_question_times(
    question: str, *, now: datetime, time_zone: str
) -> tuple[TimeExpression, ...]:
    """Return the times that a question names, in order.

    A recurring day or month is the past one, unless the question looks ahead.

    A bare name is the next one (三月份, said in November, is that of next year). What is
    asked of may as well be the last: that one stands before it.
    """
    question = _UP_TO.sub(r"\1doing", question)  # no longer and no shorter: places stay
    found = find_times(question, said_at=now, time_zone=time_zone)
    if _LOOKS_AHEAD.search(question) or not any(_is_to_come(one, now) for one in found):
        return found
    before = find_times(question, said_at=now - _YEAR, time_zone=time_zone)
    if len(before) != len(found):
        return found
    return tuple(
        each
        for one, other in zip(found, before, strict=True)
        for each in (
            (other, one)
            if _is_to_come(one, now) and is_span_over(build_time_span(other), now)
            else (one,)
        )
    )


def names_a_past_time(question: str, *, now: datetime, time_zone: str) -> bool:
    named = find_question_times(question, now=now, time_zone=time_zone)
    return any(is_span_over(build_time_span(one), now) for one in named)


def build_time_span(time: TimeExpression) -> TimeSpan:
    starts, ends = time.starts_at, time.ends_at
    return (
        None if starts is None else int(starts.timestamp()),
        None if ends is None else int(ends.timestamp()),
    )


def is_span_over(span: TimeSpan, now: datetime) -> bool:
    """Return whether the end of a span is known and past."""
    return span[1] is not None and span[1] <= now.timestamp()


def _is_to_come(one: TimeExpression, now: datetime) -> bool:
    return (
        one.granularity in _COMES_BACK
        and one.all_day
        and one.recurrence is None
        and one.starts_at is not None
        and one.starts_at > now
    )


def remove_times(question: str, times: Sequence[TimeExpression]) -> str:
    """Return the question without the words for these times, which were found in it."""
    left, position = [], 0
    for time in sorted(times, key=lambda each: each.start):
        left.append(question[position : time.start])
        position = max(position, time.end)
    return " ".join((*left, question[position:]))


def asks_only_for_a_time(question: str, times: Sequence[TimeExpression]) -> bool:
    """Return whether it asks what happened, was said or done at these times, and nothing else.

    Args:
        question: as it was asked.
        times: those that were found in it, at least one; else it asks for something else.
    """
    if not times or len(question) > _LONGEST:
        return False
    rest = unicodedata.normalize("NFKC", remove_times(question, times))
    rest = rest.replace("’", "'").casefold()
    if rest.isascii():
        return _ENGLISH.fullmatch(_ENDS.sub(" ", rest).strip()) is not None
    return _CHINESE.fullmatch(_LEFT_OVER.sub("", rest)) is not None
