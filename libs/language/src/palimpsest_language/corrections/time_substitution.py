"""Replaces a time in the words around it: “on Friday” becomes “on Saturday”."""

import re

_BEFORE = re.compile(r"^(?:(?:on|at|by|in|the|this|for|around) )+", re.IGNORECASE)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY_ZH = (
    r"(?:(?:[上下这本]个?)?(?:周|星期|礼拜)[一二三四五六日天]|[今明后昨前]天|大后天"
    r"|(?:\d{1,2}月)?\d{1,2}[号日]|[一二三四五六七八九十]{1,2}月[一二三四五六七八九十]{1,3}[号日]?)"
)
_PART_OF_DAY_ZH = r"(?:凌晨|清晨|一早|早上|早|上午|中午|下午|傍晚|晚上|夜里|晚)"
_HOUR_ZH = (
    rf"(?:{_PART_OF_DAY_ZH}?"
    r"(?:\d{1,2}|[一二三四五六七八九十两]{1,3})(?:点(?:半|[一三]刻|\d{1,2}分?)?|[:：]\d\d)"
    rf"|{_PART_OF_DAY_ZH})"
)
_COMPOSITE = tuple(
    re.compile(rf"(?P<day>{day})?(?P<join>{join})(?P<hour>{hour})?", re.IGNORECASE)
    for day, join, hour in (
        (_DAY_ZH, "的?", _HOUR_ZH),
        (
            rf"(?:on )?(?:(?:this|next|coming) )?{_WEEKDAY}|today|tomorrow|tonight",
            ",? ?(?:morning |afternoon |evening )?(?:at )?",
            r"(?:\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?)?|noon|midnight)",
        ),
    )
)
"""A day with an hour; either may be missing."""
_MONTH_ZH = re.compile(r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})月")
_DAY_NUMBER_ZH = re.compile(r"\d{1,2}[号日]")
_PARTS = tuple(
    re.compile(rf"(?<![\w:]){pattern}(?![\w:])", re.IGNORECASE)
    for pattern in (
        r"(?:today|tomorrow|tonight|yesterday)",
        rf"(?:(?:this|next|last|coming) )?{_WEEKDAY}",
        r"\d{1,2}(?:st|nd|rd|th)",
        MONTH,
        rf"(?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH})",
        (
            r"(?:\d{1,2}[:.]\d\d ?(?:[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?|noon|midnight"
            r"|\d{1,2} o['’]?clock|half (?:past )?\w+)"
        ),
        r"(?:(?:19|20)\d\d)",
        r"(?:[上下这本]个?)?(?:周|星期|礼拜)[一二三四五六日天]",
        r"(?:[今明后昨前]天|大后天)",
        r"\d{1,2}[号日]",
        r"\d{1,2}月\d{1,2}[号日]?",
        (
            r"(?:上午|下午|晚上|早上|中午)?(?:\d{1,2}|[一二三四五六七八九十两]{1,3})点"
            r"(?:半|[一三]刻|\d{1,2}分?)?"
        ),
    )
)
_DAY_OF_MONTH = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b", re.IGNORECASE)
_BARE_DAY = re.compile(r"(?P<before>(?:on |by )?)(?P<day>\d{1,2}(?:st|nd|rd|th))", re.IGNORECASE)
_WEEKDAY_BEFORE = re.compile(rf"\b{_WEEKDAY}\b,? (?:the )?", re.IGNORECASE)
_OF_DAYS = (*_PARTS[:5], *_PARTS[7:11])
_BY_ITSELF = re.compile(r"today|tomorrow|tonight|yesterday|(?:this|next|last) .*", re.IGNORECASE)
"""Words for a time that take no “on”."""


def replace_time_words(content: str, old: str, new: str) -> str | None:
    """Return the content with the new words in place of the old; None if their forms differ."""
    if content.count(old) != 1:
        return None
    words = _in_place(old, new)
    if words is None:
        return None
    if _BARE_DAY.fullmatch(words) and new.lower().startswith("the "):
        words = _BARE_DAY.sub(r"\g<before>the \g<day>", words)
    return content.replace(old, words)


def _in_place(old: str, new: str) -> str | None:
    fresh = _BEFORE.sub("", new)
    if _DAY_OF_MONTH.search(fresh) and not _WEEKDAY_BEFORE.search(fresh):
        # “Sat 14th” was no Saturday if the right day is the 15th.
        old = _WEEKDAY_BEFORE.sub("", old)
    for part in _PARTS:
        matches = list(part.finditer(old))
        if part.fullmatch(fresh) and len(matches) == 1:
            return old[: matches[0].start()] + fresh + old[matches[0].end() :]
    if (words := _in_composite(old, fresh)) is not None:
        return words
    if _is_a_day(old) and _is_a_day(new):
        before = _BEFORE.match(old) or _BEFORE.match(new)
        return fresh if before is None or _BY_ITSELF.fullmatch(fresh) else before[0] + fresh
    return None


def _in_composite(old: str, fresh: str) -> str | None:
    """Replace the day, the hour or both in a day with an hour; what is not said stays."""
    for pattern in _COMPOSITE:
        told, right = pattern.fullmatch(old), pattern.fullmatch(fresh)
        if told is None or right is None or not (told["day"] and told["hour"]):
            continue
        month = _MONTH_ZH.match(told["day"])
        if right["day"] and right["hour"]:
            return (month[0] if month and _DAY_NUMBER_ZH.match(fresh) else "") + fresh
        if right["hour"]:
            return told["day"] + told["join"] + right["hour"]
        if right["day"]:
            return right["day"] + told["join"] + told["hour"]
    return None


def _is_a_day(words: str) -> bool:
    bare = _BEFORE.sub("", words)
    return any(part.fullmatch(bare) for part in _OF_DAYS)
