"""Claims of quantity in a plain statement: on which day, at what hour, or how much.

"The meeting with Bob is on Monday" and "… is on Thursday" have one subject and two days. It
must be all that is said, and of a thing: who went somewhere on Monday may go there on Thursday.
"""

import re
from functools import lru_cache
from typing import Any

from palimpsest_language.wording.normalization import extract_gist, normalize_wording

QuantityParts = tuple[tuple[str, str], ...]
"""The parts of a claim by their sort: a day and an hour do not contradict each other."""

_LONGEST = 120
"""The most characters of such a statement."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?"
    r"(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DIGITS = r"(?:\d{1,2}|[一二三四五六七八九十两]{1,3})"
_DAY = (
    r"(?:(?:this|next|coming) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? \d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|the \d{{1,2}}(?:st|nd|rd|th)"
    r"|\d{4}-\d{1,2}-\d{1,2}|tomorrow"
    rf"|(?:\d{{4}}年)?{_DIGITS}月{_DIGITS}[日号]|{_DIGITS}[号日]"
    r"|(?:这|本|下下?)?个?(?:周|星期|礼拜)[一二三四五六日天末]|大?后天|明天"
)
_CLOCK = (
    r"\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\b\.?|o'clock)|\d{1,2}:\d{2}|noon|midnight"
    rf"|(?:早上|上午|中午|下午|晚上|傍晚|凌晨)?{_DIGITS}[点时](?:半|整|一刻|{_DIGITS}分?)?"
)
_UNITS = (
    r"%|k\b|m\b|percent|thousand|million|billion|dollars?|euros?|pounds?|usd|eur|people|seats"
    r"|units|days?|weeks?|months?"
    r"|hours?|minutes?|km|kg|miles|美元|欧元|元|块钱?|个?人|名|位|天|周|个月|小时|分钟|公里|米"
    r"|平米|平方米|公斤|斤"
)
_NUMBER = (
    rf"(?:[$€£¥] ?)?\d[\d.,]*(?:万|亿)?(?: ?(?:{_UNITS}))?"
    rf"|[一二三四五六七八九十百千万亿两]+(?: ?(?:{_UNITS}))?"
)
_PART = re.compile(rf"(?P<day>{_DAY})|(?P<clock>{_CLOCK})|(?P<number>{_NUMBER})", re.IGNORECASE)
_PARTS = rf"(?:{_DAY}|{_CLOCK}|{_NUMBER})(?:(?:,? (?:at|on) |, ?| )?(?:{_DAY}|{_CLOCK}))?"

_ENGLISH = re.compile(
    r"(?P<what>(?:the|my|our|their|his|her|[\w.-]+['’]s) [^,;:]{2,60}?)"
    r"(?:['’]s| is| are| was| were| will be| has been"
    r"| have been| costs?| starts?| begins?| takes place)(?: (?:now|currently|still|going to be))*"
    r"(?: (?:scheduled|planned|set|moved|postponed|rescheduled|due|pushed"
    r"(?: back)?|brought forward|held|booked"
    r"|fixed|expected|delayed))?(?: (?:for|to|on|at|by|from|until|in|around|about))*"
    rf" (?P<parts>{_PARTS})",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?P<what>[^，,。；;：:！!？?]{2,30}?)(?:现在|已经|目前|暂时)*"
    r"(?:[:：]|是在?|就在|在|为|定[在于到]|安排[在到]|改[到在成为]|推迟到|延期到|延到"
    rf"|提前到|挪到|移到|放在|约在|有|共) ?(?P<parts>{_PARTS})了?"
)
_NOBODY = re.compile(
    r"(?:the )?(?:user|man|woman)|(?:用户|本人|我们?|他们?|她们?|它们?|你们?|这|那|今天|现在|时间"
    r"|大家)(?:人|个|里|都|也)*"
    r"|.*去.*|.*(?:来|到|说|做|买|吃|看|过|想|要|能|会)(?:了|的)?",
    re.IGNORECASE,
)
"""Subjects that are a person, a reference, or an activity at that time."""


@lru_cache(maxsize=4096)
def _read(content: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    said = content.strip().rstrip("。.!！ ")
    match = _ENGLISH.fullmatch(said) or _CHINESE.fullmatch(said)
    if match is None or _NOBODY.fullmatch(match["what"].strip()):
        return None
    what = extract_gist(match["what"])
    parts = tuple(
        (str(part.lastgroup), normalize_wording(part[0])) for part in _PART.finditer(match["parts"])
    )
    return (what, parts) if what and parts else None


def parse_quantity_claim(content: str, data: dict[str, Any]) -> tuple[str, QuantityParts] | None:
    """Return the subject and the parts of a claim; day and hour come from the resolved time."""
    if len(content) > _LONGEST or (found := _read(content)) is None:
        return None
    what, parts = found
    return what, tuple(_resolved(sort, words, data.get("time")) for sort, words in parts)


def _resolved(sort: str, words: str, time: Any) -> tuple[str, str]:
    starts_at = time.get("starts_at") if isinstance(time, dict) else None
    if not isinstance(starts_at, str):
        return sort, words
    if sort == "day":
        return "date", starts_at[:10]
    if sort == "clock" and not time.get("all_day"):
        return "hour", starts_at[11:16]
    if sort == "number":
        return f"number of {re.sub(r'[0-9., ]', '', words)}", words
    return sort, words
