"""Words that speak of a day by its distance, and the same words with the date that they mean.

"Tomorrow at nine" means another day whenever it is read. A time is relative if the same words,
said at another moment, mean another time. Names that come back in what somebody usually does
("likes hiking at the weekend", "get up at six") mean no day.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import NewType

from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import (
    UtteranceTime,
    find_sentence_times,
    is_bare_hour,
)
from palimpsest_language.time_expressions.written_dates import write_date

DatedText = NewType("DatedText", str)
"""A text with dates beside its relative times."""


class NamedDays(Enum):
    """The meaning of names that come back, as "on Friday", "at six" and "in summer"."""

    ONE = "one"
    """One day: the text is about an event or a task."""
    UNSAID = "unsaid"
    """One day, unless the sentence is about a habit; an hour alone is of every day."""
    EVERY = "every"
    """All such days: the text is about a liking or a habit."""


KnownTimes = Mapping[str, TimeExpression]
"""Times resolved before, by their words in lower case."""

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s|$)|$)")
_LONGEST_TEXT = 4_000
"""The most characters in which times are looked for; longer texts are pasted."""
_ELSEWHEN = timedelta(days=500, hours=7)
"""Leads to another year, month, weekday and hour."""
_NONE = timedelta()
_TWO_HOURS = (_NONE, timedelta(hours=2))
_TWO_DAYS = (_NONE, timedelta(days=1))
_USUAL = re.compile(
    r"\b(?:like|love|enjoy|prefer|hate|usual|normal|always|often|every|typical|tend|habit|rarely|sometimes|occasional"
    r"|birthday|anniversar)"
    r"|喜欢|爱(?!人)|讨厌|习惯|通常|一般|偶尔|有时|平时|平常|总是|经常|常常|往往|每[天周月年个次逢]|生日"
    r"|纪念日|忌日",
    re.IGNORECASE,
)
"""Words for what comes back: a name beside them ("Friday", 周末) means no day."""
_DISTANCE = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|tmr|2moro|last|next|this|coming|past|ago|in|within"
    r"|from now|since)\b"
    r"|[昨今明去]|[前后][天儿年]|[上下这本](?![午旬半])|[天日周月年时钟]之?[前后内]|再过|过去|未来|以来",
    re.IGNORECASE,
)
_NAME_AFTER_IN = re.compile(
    r"in (?:the )?(?:spring|summer|autumn|fall|winter|morning|afternoon|evening|jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_DATE_IN_BRACKETS = re.compile(r"\s?[(（][^()（）]{0,24}\d{4}[^()（）]{0,24}[)）]")


def write_dates(
    text: str,
    said: UtteranceTime,
    known: KnownTimes | None = None,
    *,
    names: NamedDays = NamedDays.UNSAID,
) -> DatedText:
    """Return the text with the date in brackets behind each relative time.

    Args:
        text: in Chinese or English. The date is written in the language of the words beside it.
        said: when and where the text was said.
        known: times that count instead of those that `said` gives for the same words.
        names: the meaning of names that come back.
    """
    written = text
    dates = tuple(_DATE_IN_BRACKETS.finditer(text))
    for time in reversed(find_relative_times(text, said, known, names=names)):
        if _is_dated(time, dates):
            continue
        date = write_date(time, said, with_clock=counts_hours(time, said))
        written = written[: time.end] + date + written[time.end :]
    return DatedText(written)


def find_relative_times(
    text: str,
    said: UtteranceTime,
    known: KnownTimes | None = None,
    *,
    names: NamedDays = NamedDays.UNSAID,
) -> tuple[TimeExpression, ...]:
    """Return the relative times of a text, in order; positions are those of the text.

    The arguments are those of `write_dates`.
    """
    expressions: list[TimeExpression] = []
    for sentence in _SENTENCE.finditer(text, 0, _LONGEST_TEXT):
        for time in _find_in_sentence(sentence[0], said, names):
            resolved = (known or {}).get(time.words.casefold(), time)
            place = {"words": time.words, "start": time.start + sentence.start()}
            if resolved.recurrence is None:
                expressions.append(resolved.model_copy(update=place))
    return tuple(expressions)


def _find_in_sentence(sentence: str, said: UtteranceTime, names: NamedDays) -> list[TimeExpression]:
    times = find_sentence_times(sentence, said)
    if not times:
        return []
    elsewhen = {
        (time.start, time.words): _span(time)
        for time in find_sentence_times(sentence, said.on(said.at + _ELSEWHEN))
    }
    usual = names is NamedDays.EVERY or (
        names is NamedDays.UNSAID and _USUAL.search(sentence) is not None
    )
    return [
        time
        for time in times
        if time.recurrence is None
        and elsewhen.get((time.start, time.words)) != _span(time)
        and (names is NamedDays.ONE or not _is_hour(time, said))
        and (not usual or _is_distance(time.words))
    ]


def _span(time: TimeExpression) -> tuple[datetime | None, datetime | None]:
    return time.starts_at, time.ends_at


def _is_distance(words: str) -> bool:
    return _DISTANCE.search(words) is not None and not _NAME_AFTER_IN.match(words)


def _is_hour(time: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether the words name an hour alone, which may be one of every day."""
    if time.granularity is not Granularity.INSTANT or time.all_day or counts_hours(time, said):
        return False
    return all(is_bare_hour(time, said.on(said.at + days)) for days in _TWO_DAYS)


def counts_hours(time: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether the words count from the moment at which they were said: "in two hours"."""
    if time.granularity is not Granularity.INSTANT or time.all_day:
        return False
    starts = [_start_alone(time.words, said.on(said.at + shift)) for shift in _TWO_HOURS]
    first, second = starts
    return first is not None and second is not None and second - first == sum(_TWO_HOURS, _NONE)


def _start_alone(words: str, said: UtteranceTime) -> datetime | None:
    expressions = find_sentence_times(words, said)
    return expressions[0].starts_at if len(expressions) == 1 else None


def _is_dated(time: TimeExpression, dates: Sequence[re.Match[str]]) -> bool:
    """Tell whether a date stands behind the words in brackets already, or they are part of one."""
    return any(date.start() <= time.end and time.start < date.end() for date in dates)
