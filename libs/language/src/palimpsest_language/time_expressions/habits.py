"""Words that make a bare weekday or hour one of every week or day: 通常周一, "usually Friday"."""

import re

_HABIT = re.compile(
    r"\b(?:usually|normally|typically|generally|always|habitually|as a rule|tends? to|used to)\b"
    r"|通常|一般(?!般)|平时|平常|习惯(?:[在于了]|(?=[早晚周每]))|总是|总在|老是|往往|向来|惯例|照例",
    re.IGNORECASE,
)
_ONCE = re.compile(r"\b(?:this|next|last)\b|[这下上]个?(?:周|星期|礼拜)|今|明|昨")
_WIDEST = 40
_CLAUSE_ENDS = re.compile(r"[，,。；;！!？?.]")


def is_habit(sentence: str, start: int, end: int) -> bool:
    """Tell whether the clause around a time is about a habit."""
    low, high = max(0, start - _WIDEST), min(len(sentence), end + _WIDEST)
    begins = max((edge.end() for edge in _CLAUSE_ENDS.finditer(sentence, low, start)), default=low)
    ends = _CLAUSE_ENDS.search(sentence, end, high)
    clause = sentence[begins : ends.start() if ends else high]
    return _HABIT.search(clause) is not None and _ONCE.search(clause) is None
