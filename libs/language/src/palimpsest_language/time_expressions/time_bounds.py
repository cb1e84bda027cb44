"""Words around an expression that leave one of its sides open: since, until, before, after."""

import re
from dataclasses import dataclass
from enum import Enum


class TimeBound(Enum):
    WITHIN = "within"
    SINCE = "since"
    """From its beginning, in the past."""
    FROM = "from"
    """From its beginning, past or future."""
    AFTER = "after"
    """From its end."""
    UNTIL = "until"
    """To its end."""
    BEFORE = "before"
    """To its beginning."""


@dataclass(frozen=True)
class BoundedWords:
    side: TimeBound
    start: int
    end: int
    is_told: bool = False
    """True for words that may also be past: "until" and 起, not "by" and "from"."""


_ONWARDS = re.compile(
    r"\s+on(?:wards?)?\b(?!\s+(?:the|a|my)\b)|\s?(?:起|开始|以来|至今)(?!床|来)", re.IGNORECASE
)
_UP_TO_IT = re.compile(r"为止|之前|以前|前(?![面者端台天])")
_NOTHING = re.compile(r"")
_TELLS = re.compile(r"until|till?|直到", re.IGNORECASE)

_BY_WORDS_BEFORE = tuple(
    (side, re.compile(before, re.IGNORECASE), behind)
    for side, before, behind in (
        (TimeBound.SINCE, r"(?:\bever\s+)?\bsince\s+(?:the\s+)?$|自从?$", _ONWARDS),
        (TimeBound.FROM, r"\bfrom\s+$|\bstarting\s+(?:from\s+)?$|(?:从|打)$", _ONWARDS),
        (
            TimeBound.UNTIL,
            (
                r"\b(?:until|till?|up to|thru|through|by)\s+(?:the\s+)?$|(?:直到|截至|截止到?|"
                r"(?<![回来去做想得找看收遇见延迟挪移改])到)$"
            ),
            _UP_TO_IT,
        ),
        (TimeBound.BEFORE, r"\bbefore\s+(?:the\s+)?$", _NOTHING),
        (TimeBound.AFTER, r"\bafter\s+(?:the\s+)?$", _NOTHING),
    )
)
_BY_WORDS_BEHIND = (
    (TimeBound.FROM, re.compile(r"起(?!床|来|飞)")),
    (TimeBound.SINCE, re.compile(r"以来|至今|到(?:现在|今天|如今|目前)")),
    (TimeBound.UNTIL, _UP_TO_IT),
    (TimeBound.AFTER, re.compile(r"之后|以后|后(?![面者端台天来])")),
)
_LONGEST_PREFIX = 16


def find_time_bound(sentence: str, start: int, end: int, *, low: int, high: int) -> BoundedWords:
    """Return the bound that the words beside an expression set, and where it ends with them.

    Words before `low` and from `high` on belong to other expressions.
    """
    low = max(low, start - _LONGEST_PREFIX)
    for side, before, behind in _BY_WORDS_BEFORE:
        if match := before.search(sentence, low, start):
            tail = behind.match(sentence, end, high)
            told = _TELLS.match(match[0]) is not None or (tail is not None and "起" in tail[0])
            return BoundedWords(side, match.start(), tail.end() if tail else end, told)
    for side, behind in _BY_WORDS_BEHIND:
        if tail := behind.match(sentence, end, high):
            return BoundedWords(side, start, tail.end(), is_told=side is TimeBound.FROM)
    return BoundedWords(TimeBound.WITHIN, start, end)
