"""Times of a sentence, as people write them in a hurry: with gaps, in pieces.

- "3 月 12 号" is 3月12号, and traditional characters are read as simplified ones.
- A day and an hour apart ("tomorrow before 10am", 今天…下午两点半前) are one time.
- "That day", 当天, "the day before", 前一天, "3 days before" count from the day that was
  spoken of last.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.value_types import to_instant
from palimpsest_language.time_expressions.anchored_days import find_anchored_day
from palimpsest_language.time_expressions.contextual_dates import narrow_times
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.finder import find_times
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_DAYS = timedelta(days=1)

_GAP = re.compile(
    r"(?<=[\d一-鿿])(?<![了的吧啊呀呢嘛哈])[ \t]+(?=\d)|(?<=\d)[ \t]+(?=[一-鿿])"
    r"(?![一二三四五六七八九十两])"
)
"""Between a number and a Chinese character: whoever writes like that means no word boundary."""

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s|$)|$)")
_LONGEST_BEGINNING = 2_000
_OF_TODAY = re.compile(r"今|\b(?:tonight|today|this)\b", re.IGNORECASE)


@dataclass(frozen=True)
class UtteranceTime:
    """When a message was said, and the time zone of its speaker's days."""

    at: datetime
    time_zone: str
    day_spoken_of: datetime | None = None
    """The start of the day mentioned last."""
    day_of_message: datetime | None = None
    """The start of the day mentioned last in the same message: a bare hour is on that day."""
    time_of_message: TimeExpression | None = None
    """The time mentioned last in the same message: a bare day may be of its month or week."""

    def on(self, day: datetime) -> "UtteranceTime":
        return UtteranceTime(day, self.time_zone)


@lru_cache(maxsize=4096)
def find_sentence_times(sentence: str, said: UtteranceTime) -> tuple[TimeExpression, ...]:
    """The expressions of one sentence, in order; positions and words are those of the sentence.

    Kept for a while: several rules look at the same sentence, and each is read several times.
    """
    expressions = _found(sentence, said)
    joined = narrow_times(
        sentence,
        _joined(sentence, _anchored(sentence, expressions, said), said),
        before=said.time_of_message,
        said_at=said.at,
        time_zone=said.time_zone,
        reread=lambda expression, moment: _reread(sentence, expression, said.on(moment)),
    )
    if said.day_of_message is None:
        return joined
    return tuple(_on_day_of_message(sentence, expression, said) for expression in joined)


def find_first_time(text: str, said: UtteranceTime) -> TimeExpression | None:
    """Return the first time of a text of several sentences, but none beyond its beginning."""
    for sentence in _SENTENCE.findall(text[:_LONGEST_BEGINNING]):
        if expressions := find_sentence_times(sentence, said):
            return expressions[0]
    return None


def find_time_words(sentence: str, said: UtteranceTime) -> tuple[str, ...]:
    """Return those that say when, the day and its hour apart."""
    return tuple(time_expression.words for time_expression in _found(sentence, said))


def _on_day_of_message(
    sentence: str, expression: TimeExpression, said: UtteranceTime
) -> TimeExpression:
    day = said.day_of_message
    if day is None or expression.all_day or expression.granularity is not Granularity.INSTANT:
        return expression
    if expression.recurrence or not is_bare_hour(expression, said):
        return expression
    if (
        start_of_day(said.at, said.time_zone)
        == day
        == start_of_day(_moment(expression), said.time_zone)
    ):
        return expression
    return _reread(sentence, expression, said.on(day)) or expression


def _moment(expression: TimeExpression) -> datetime:
    moment = expression.starts_at or expression.ends_at
    assert moment is not None  # noqa: S101 - an expression has one of them
    return moment


def _reread(
    sentence: str, expression: TimeExpression, said: UtteranceTime
) -> TimeExpression | None:
    there = _found(expression.words, said)
    return _at(there[0], sentence, expression.start, expression.end) if len(there) == 1 else None


def _found(sentence: str, said: UtteranceTime) -> tuple[TimeExpression, ...]:
    if not has_chinese(sentence):
        return find_times(sentence, said_at=said.at, time_zone=said.time_zone)
    plain, places = _closed_up(simplify_characters(sentence))
    expressions = find_times(plain, said_at=said.at, time_zone=said.time_zone)
    return tuple(
        _at(
            time_expression,
            sentence,
            places[time_expression.start],
            places[time_expression.end - 1] + 1,
        )
        for time_expression in expressions
    )


def _closed_up(text: str) -> tuple[str, list[int]]:
    """Return the text without gaps, with the original position of each character."""
    gaps = {place for gap in _GAP.finditer(text) for place in range(*gap.span())}
    places = [place for place in range(len(text)) if place not in gaps]
    return "".join(text[place] for place in places), places


def _at(expression: TimeExpression, sentence: str, start: int, end: int) -> TimeExpression:
    return expression.model_copy(update={"start": start, "words": sentence[start:end]})


def _joined(
    sentence: str, expressions: Sequence[TimeExpression], said: UtteranceTime
) -> tuple[TimeExpression, ...]:
    kept: list[TimeExpression] = []
    for time_expression in expressions:
        if kept and (both := _both(sentence, kept[-1], time_expression, said)) is not None:
            kept[-1] = _at(both, sentence, kept[-1].start, time_expression.end)
        else:
            kept.append(time_expression)
    return tuple(kept)


def _both(
    sentence: str, first: TimeExpression, second: TimeExpression, said: UtteranceTime
) -> TimeExpression | None:
    """A day and its hour, or an hour and right behind it its day ("at nine the night before")."""
    expression = _on_its_day(first, second, said)
    if expression is None and not sentence[first.end : second.start].strip():
        expression = _on_its_day(second, first, said)
    return expression


def _on_its_day(
    day: TimeExpression, clock: TimeExpression, said: UtteranceTime
) -> TimeExpression | None:
    """Return the hour on that day, if one names only a day and the other only an hour."""
    if day.granularity is not Granularity.DAY or day.recurrence:
        return None
    if clock.all_day or clock.granularity is not Granularity.INSTANT or clock.recurrence:
        return None
    begins = _first_moment(day)
    if begins is None or not is_bare_hour(clock, said):
        return None
    on_the_day = _found(clock.words, said.on(start_of_day(begins, said.time_zone)))
    if len(on_the_day) != 1:
        return None
    return on_the_day[0] if day.all_day else _in_part(on_the_day[0], day)


def _in_part(clock: TimeExpression, part: TimeExpression) -> TimeExpression | None:
    """Return the hour in that part of the day: 明天下午…三点一刻."""
    if part.starts_at is None or part.ends_at is None or clock.starts_at is None:
        return None
    for shift in (timedelta(), _DAYS / 2):
        at = clock.starts_at + shift
        if part.starts_at <= at <= part.ends_at:
            return clock.model_copy(update={"starts_at": at, "ends_at": at})
    return None


def _first_moment(day: TimeExpression) -> datetime | None:
    if day.starts_at is not None:
        return day.starts_at
    return None if day.ends_at is None else day.ends_at - _DAYS


def start_of_day(moment: datetime, time_zone: str) -> datetime:
    """Return the start of a moment's day in a time zone."""
    local = moment.astimezone(ZoneInfo(time_zone))
    return to_instant(local.replace(hour=0, minute=0, second=0, microsecond=0))


def is_bare_hour(clock: TimeExpression, said: UtteranceTime) -> bool:
    """Tell whether the words name an hour without a day."""
    if _OF_TODAY.search(clock.words):
        return False
    zone = ZoneInfo(said.time_zone)
    day = (said.at.astimezone(zone) + 3 * _DAYS).replace(hour=0, minute=0, second=0, microsecond=0)
    there = _found(clock.words, said.on(to_instant(day)))
    at = (there[0].starts_at or there[0].ends_at) if len(there) == 1 else None
    return at is not None and at.astimezone(zone).date() == day.date()


def _anchored(
    sentence: str, expressions: Sequence[TimeExpression], said: UtteranceTime
) -> Sequence[TimeExpression]:
    anchored = find_anchored_day(sentence, said.day_spoken_of, said.time_zone)
    if anchored is None:
        return expressions
    blank = " " * len(anchored.words)
    rest = sentence[: anchored.start] + blank + sentence[anchored.end :]
    return sorted([*_found(rest, said), anchored], key=lambda expression: expression.start)


def move_time(old: TimeExpression, new: TimeExpression, said: UtteranceTime) -> TimeExpression:
    """Return the new time of a plan; parts that the new words leave open stay.

    "Make it Thursday" keeps the hour, "make it 4 pm" the day.
    """
    begun, begins = _first_moment(old), _first_moment(new)
    if begun is None or begins is None:
        return new
    zone = ZoneInfo(said.time_zone)
    if new.all_day and new.granularity is Granularity.DAY and not old.all_day:
        hour = begun.astimezone(zone).timetz().replace(tzinfo=None)
        at = to_instant(datetime.combine(begins.astimezone(zone).date(), hour, tzinfo=zone))
        length = (old.ends_at - old.starts_at) if old.ends_at and old.starts_at else timedelta()
        return new.model_copy(
            update={
                "starts_at": at,
                "ends_at": at + length,
                "granularity": old.granularity,
                "all_day": False,
            }
        )
    if new.granularity is Granularity.INSTANT and is_bare_hour(new, said):
        midnight = begun.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        there = _found(new.words, said.on(to_instant(midnight)))
        return there[0] if len(there) == 1 else new
    return new
