"""English times of day, and recurrence."""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.clock_time import AFTERNOON, EVENING, MORNING, ClockTime
from palimpsest_language.time_expressions.english.shared_words import WEEKDAY, parse_weekday
from palimpsest_language.time_expressions.numerals import parse_english_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.recurrence import (
    DAILY,
    MONTHLY,
    WEEKEND,
    WEEKLY,
    WORKING_DAYS,
    YEARLY,
    Recurrence,
)

_PARTS = {
    "morning": MORNING, "afternoon": AFTERNOON, "evening": EVENING, "night": EVENING,
}  # fmt: skip
_FREQUENCIES = {"day": DAILY, "week": WEEKLY, "month": MONTHLY, "year": YEARLY}
_ORDINAL = r"(?P<month_day>[0-3]?[0-9](?:st|nd|rd|th)|first|second|third)"


def _clock(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    hour, minute = int(found["hour"]), int(found.get("minute") or 0)
    if half := found.get("half"):
        if not 1 <= hour <= 12:
            return None
        return PhraseMeaning(
            clock=ClockTime(hour % 12 + (12 if half[0] in "pP" else 0), minute, exact=True)
        )
    plainly = found.get("plainly") is not None
    return PhraseMeaning(clock=ClockTime(hour, minute), weak=not plainly) if hour <= 24 else None


def _from_hour_to_hour(match: re.Match[str]) -> PhraseMeaning:
    """“Monday mornings from 9 to 11”, in the part of the day that stands before it."""
    words = match.string[: match.start()].lower().split()
    part = _PARTS[words[-1].removesuffix("s")]
    return PhraseMeaning(clock=ClockTime(int(match["hour"]), 0, part, until=int(match["until"])))


def _named(match: re.Match[str]) -> PhraseMeaning:
    return PhraseMeaning(clock=ClockTime(12 if match["name"].lower() == "noon" else 24, exact=True))


def _part(match: re.Match[str]) -> PhraseMeaning:
    return PhraseMeaning(clock=ClockTime(part=_PARTS[match["part"].lower()]), weak=True)


def _day_and_part(match: re.Match[str]) -> PhraseMeaning:
    words = match.group().lower()
    from_today = -1 if words.startswith("last") else 0
    part = EVENING if words.endswith("night") else _PARTS[words.split()[-1]]
    return PhraseMeaning(
        resolve=lambda said: spans.shift_by_units(said, "day", from_today),
        clock=ClockTime(part=part),
    )


def _every(match: re.Match[str]) -> PhraseMeaning | None:
    found = match.groupdict()
    interval = 2 if found.get("other") else int(found.get("interval") or 1)
    part = found.get("part") or found.get("only")
    clock = ClockTime(part=_PARTS[part.lower()]) if part else None
    if weekday := found.get("weekday"):
        recurrence = Recurrence(WEEKLY, interval, (parse_weekday(weekday),))
        return PhraseMeaning(recurrence=recurrence, clock=clock)
    if found.get("only"):
        return PhraseMeaning(recurrence=Recurrence(DAILY, interval), clock=clock)
    unit = (found.get("unit") or "").lower()
    if unit.startswith(("weekday", "work")):
        return PhraseMeaning(recurrence=Recurrence(WEEKLY, interval, WORKING_DAYS))
    if unit.startswith("weekend"):
        return PhraseMeaning(recurrence=Recurrence(WEEKLY, interval, WEEKEND))
    day = parse_english_number(found["month_day"]) if found.get("month_day") else None
    if day is not None and not 1 <= day <= 31:
        return None
    return PhraseMeaning(recurrence=Recurrence(_FREQUENCIES[unit], interval, month_day=day))


_EVERY = (
    r"(?:\bon\s+)?\b(?:every|each)\s+(?:(?P<other>other|second)\s+|(?P<interval>[0-9]{1,2})\s+)?"
    rf"(?:(?:{WEEKDAY}s?|(?P<unit>day|weekday|weekend|workday|week|month|year)s?)"
    r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
    r"|(?P<only>morning|afternoon|evening|night))\b"
)

ENGLISH_CLOCK = tuple(
    TimePhrase(re.compile(pattern, re.IGNORECASE), meaning)
    for pattern, meaning in (
        (
            (
                r"(?:\bat\s+)?(?<![0-9.:])\b(?P<hour>[0-9]{1,2})(?:[:.]"
                r"(?P<minute>[0-5][0-9]))?\s?(?P<half>[ap])\.?m\b\.?"
            ),
            _clock,
        ),
        (
            (
                r"\bat\s+(?P<hour>[0-9]{1,2})(?![0-9:%]|[.,][0-9]|\s?[ap]\.?m\b)"
                r"(?P<plainly>\s?o['’]clock|\s+sharp|(?=\s*[.!;]?\s*$|\s*,\s|\s+(?:with "
                r"(?:his|her|my|our|the|their|a)|today|tonight|tomorrow|tmrw|"
                r"(?-i:i|I)|we|he|she|they)\b))?"
            ),
            _clock,
        ),
        (
            (
                r"(?:(?<=\bbefore )|(?<=\bby )|(?<=\buntil )|(?<=\btill )|(?<=\btil )|"
                r"(?<=\bafter ))(?P<hour>1[0-2]|[1-9])(?:[:.](?P<minute>00|15|30|45))?"
                r"(?P<plainly>\s+sharp|(?=\s*(?:[,;!]|\.(?![0-9])|$)|\s+"
                r"(?:today|tonight|tomorrow|tmrw|on|either way|please|pls)\b))"
            ),
            _clock,
        ),
        (
            (
                r"(?:(?<=day )|(?<=tomorrow )|(?<=[0-9](?:st|nd|rd|th) )|(?<=tonight ))at\s+"
                r"(?P<hour>1?[0-9]|2[0-3])\.(?P<minute>00|05|[1-5][05])(?P<plainly>)(?![0-9.%])"
            ),
            _clock,
        ),
        (
            (
                r"(?:\bat\s+|(?<=\bby )|(?<=\bbefore )|(?<=\buntil )|(?<=\btill ))"
                r"(?P<hour>[01]?[0-9]|2[0-3])\s?h(?P<minute>[0-5][0-9])?(?P<plainly>)\b"
            ),
            _clock,
        ),
        (
            (
                r"(?:(?<=mornings )|(?<=afternoons )|(?<=evenings ))(?:from|between)\s+"
                r"(?P<hour>1[0-2]|[1-9])\s+(?:to|till?|until|and)\s+(?P<until>1[0-2]|[1-9])"
                r"\b(?![:.][0-9]|\s?[ap]\.?m)"
            ),
            _from_hour_to_hour,
        ),
        (r"\b(?P<hour>1[0-2]|[1-9])\s(?P<plainly>o\s?['’]?\s?clock)\b", _clock),
        (r"(?:\bat\s+)?\b(?P<name>noon|midnight)\b", _named),
        (r"\b(?P<part>morning|afternoon|evening|night)\b", _part),
        (
            r"\b(?:this (?:morning|afternoon|evening)|tonight|last night|last evening)\b",
            _day_and_part,
        ),
        (
            _EVERY,
            _every,
        ),
        (rf"\bon\s+(?:{WEEKDAY}s|(?P<unit>weekdays|weekends))\b", _every),
        (
            rf"(?:\bon\s+)?\bthe\s+{_ORDINAL}\s+(?:day\s+)?of\s+(?:every|each)\s+(?P<unit>month)\b",
            _every,
        ),
    )
)
