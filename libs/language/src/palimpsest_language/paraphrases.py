"""Tells whether two wordings may say the same, before the similarity of their vectors counts.

Similarity alone cannot tell: "the meeting is on Monday" and "… on Tuesday" are nearer to each other
than most paraphrases. Two texts that differ in a number, a negation, a name, the order of who does
what, or a word with an opposite are therefore never the same. For the rest a threshold decides,
which is calibrated for each embedding model.
"""

import re
from functools import lru_cache

from palimpsest_language.wording.normalization import extract_gist

WordingMarks = tuple[tuple[str, ...], ...]

_MARKS = tuple(
    re.compile(pattern)
    for pattern in (
        # Numbers. A single 一 mostly is an article.
        r"\d+(?:[.,:/-]\d+)*|(?:周|星期|第)[一二三四五六日天]|[二两三四五六七八九十百千万]+",
        (
            r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
            r"|hundred|thousand|first|second|third|once|twice|half)\b"
        ),
        # Names: capitals that begin no sentence, and Latin words within Chinese.
        r"(?<=[a-z,] )(?!I\b)[A-Z][\w+#.-]*|\b[A-Z]{2,}\w*|\b\w*[a-z][A-Z]\w*",
        r"[A-Za-z][\w+#.-]*(?=\s?[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])[A-Za-z][\w+#.-]*",
        # Words for what no longer holds, not yet, or held once.
        r"\bused to\b|\b(?:was|were|had been)\b|以前|曾经|过去|原来",
        r"\b(?:would|wants?|wish|hope|plan|going to|will)\b|想(?!法)|打算|计划|将",
        r"\bhave \w+ed\b|(?<=[\u4e00-\u9fff])过(?!敏)",
    )
)
_NEGATION = re.compile(
    (
        r"\b(?:not|no|never|without|cannot|dislikes?|hates?)\b|n't\b|不(?!错|久|过)|没有?|别"
        r"(?!的|人)|未|讨厌"
    ),
    re.IGNORECASE,
)
_OPPOSITES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:morning|afternoon|evening|night|noon)s?\b|早上|上午|中午|下午|晚上|夜里",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:周|星期)[末]",
        r"\b(?:daily|weekly|monthly|yearly)\b|每[天周月年]",
        r"\b(?:before|after)\b|之?前(?!端)|之?后(?!端)",
        r"\b(?:start|began|begin|end|stop|quit|keep|kept|drop)\w*|开始|停止|结束|放弃|保留",
        r"\b(?:buy|bought|sell|sold|lend|lent|borrow)\w*|买|卖|借给",
        r"\b(?:leave|arrive|depart)\w*|起飞|到达|出发",
        r"\b(?:dark|light)\b|深色|浅色",
        r"\b(?:red|white|blue|green|black|yellow)\b|[红白蓝绿黑黄]",
        (
            r"\b(?:mother|father|sister|brother|son|daughter|wife|husband|friend|boss)s?\b"
            r"|[妈爸妹姐弟哥]|儿子|女儿|妻子|丈夫|朋友|老板"
        ),
        r"\b(?:old|young|big|small|high|low)(?:er)?\b|[大小高低]",
        r"\b(?:sees?|visits?)\b|去|看(?!书)",
    )
)
"""Rows of words that stand for different things; two texts are compared row by row."""

_WHEN = re.compile(
    r"\b(?:in the |on |every |this )?(?:mornings?|evenings?|\w+days?|lately|usually|often|year)\b"
    r"|每天|早上|晚上|最近|今年|周[一二三四五六日末]|一般|通常|写代码时|我"
)
"""Words that may stand at the beginning as well as at the end."""


def is_possible_paraphrase(one: str, other: str) -> bool:
    """Tell whether nothing in the words makes these two different statements."""
    if extract_gist(one) == extract_gist(other):
        return True
    return _marks(one) == _marks(other) and not _only_in_another_order(one, other)


@lru_cache(maxsize=2048)
def _marks(text: str) -> WordingMarks:
    marks = [tuple(sorted(found.casefold() for found in mark.findall(text))) for mark in _MARKS]
    opposites = [
        tuple(sorted(found.casefold() for found in row.findall(text))) for row in _OPPOSITES
    ]
    negated = len(_NEGATION.findall(text)) % 2
    return (*marks, *opposites, (str(negated),))


def _only_in_another_order(one: str, other: str) -> bool:
    """Tell whether only the order differs, which may turn round who does what."""
    first, second = (extract_gist(_WHEN.sub(" ", text.casefold())).split() for text in (one, other))
    return first != second and sorted(first) == sorted(second)
