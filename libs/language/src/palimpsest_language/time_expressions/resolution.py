"""Resolves the phrases of a sentence: single ones, ranges, and times within longer ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.time_expressions.clock_time import ClockTime
from palimpsest_language.time_expressions.direction import find_direction_at
from palimpsest_language.time_expressions.english.shared_words import is_rescheduled_from
from palimpsest_language.time_expressions.habits import is_habit
from palimpsest_language.time_expressions.phrases import PhraseMatch
from palimpsest_language.time_expressions.recurrence import DAILY, Recurrence
from palimpsest_language.time_expressions.spans import (
    CalendarSpan,
    SpeechTime,
    TimeDirection,
    instant_span,
)
from palimpsest_language.time_expressions.time_bounds import (
    BoundedWords,
    TimeBound,
    find_time_bound,
)

SAID_IN_YEARS = range(1910, 2090)
"""Years of speech that are resolved; a count of years may lead out of the calendars."""
_RANGE = re.compile(
    r"\s*(?:to|until|till?|through|thru|-|–|—|~|到|至)\s*(?:the\s+)?", re.IGNORECASE
)
_RANGE_BEGINS = re.compile(r"\b(?:from|between)\s+$|(?:从|自)$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_NARROWS = re.compile(r"\s*[,，(（]?\s*(?:on\s+)?的?\s*", re.IGNORECASE)
"""Between a span and one within it: "next week on Tuesday", "Monday, March 16"."""
_COMES_INTO_FORCE = re.compile(r"自.{2,12}(?:起|开始)")
"""自2月1日起: of what was decreed, as often for a day to come as since one that was."""
_LONGEST_PREFIX = 10
_BOTH_WAYS = (TimeDirection.PAST, TimeDirection.FUTURE)
_OTHER_YEARS = (timedelta(), timedelta(days=731), timedelta(days=-731))
_OTHER_MONTHS = (timedelta(), timedelta(days=45))
_ENDS = frozenset({TimeBound.UNTIL, TimeBound.BEFORE})
_OPEN_TO_BOTH = frozenset({TimeBound.WITHIN, TimeBound.FROM, TimeBound.AFTER})
_HOURS_OF_A_CLOCK, _HALF_A_DAY = 12, timedelta(hours=12)
_SOON, _LONG_AGO = timedelta(days=75), timedelta(days=280)
"""A day so far back is named with its year, where the same day is so near ahead."""
_JUST, _LONG_AHEAD = timedelta(days=100), timedelta(days=250)
"""The other way round, where nothing says which is meant: "laptop stolen, 4 May", said in June."""
_JUST_IN_CHINESE = timedelta(days=30)
_COMES_EVERY_YEAR = re.compile(r"birthday|anniversary|生日|纪念日|周年|忌日", re.IGNORECASE)


@dataclass(frozen=True)
class ResolvedTime:
    span: CalendarSpan
    sided: BoundedWords
    recurrence: str | None = None


@dataclass(frozen=True)
class _Between:
    """The part of a sentence from which an expression may take words."""

    sentence: str
    low: int
    high: int

    def around(self, start: int, end: int) -> BoundedWords:
        return find_time_bound(self.sentence, start, end, low=self.low, high=self.high)

    def before(self, words: re.Pattern[str], start: int) -> re.Match[str] | None:
        return words.search(self.sentence, max(self.low, start - _LONGEST_PREFIX), start)

    def links(self, words: re.Pattern[str], first: PhraseMatch, second: PhraseMatch) -> bool:
        return words.fullmatch(self.sentence, first.end, second.start) is not None


def resolve_matches(
    sentence: str, matches: Sequence[PhraseMatch], said: SpeechTime
) -> Iterator[ResolvedTime]:
    """Yield the resolved times in order, without overlaps; vague ones are left out."""
    position = low = 0
    while position < len(matches):
        match, *others = matches[position : position + 3]
        here = _said_here(sentence, match, said)
        both = _two(_between(sentence, low, others[1:]), match, others[0], here) if others else None
        meant = both or _single(_between(sentence, low, others), match, here)
        position += 2 if both else 1
        if meant:
            low = meant.sided.end
            yield meant


def _said_here(sentence: str, piece: PhraseMatch, said: SpeechTime) -> SpeechTime:
    direction = find_direction_at(
        sentence, piece.start, piece.end, whole=said.direction, chinese=has_chinese(sentence)
    )
    return replace(said, direction=direction)


def _between(sentence: str, low: int, others: Sequence[PhraseMatch]) -> _Between:
    return _Between(sentence, low, others[0].start if others else len(sentence))


def _two(
    place: _Between, first: PhraseMatch, second: PhraseMatch, said: SpeechTime
) -> ResolvedTime | None:
    if first.meaning.recurrence or second.meaning.recurrence:
        return None
    return _range(place, first, second, said) or _narrowed(place, first, second, said)


def _narrowed(
    place: _Between, first: PhraseMatch, second: PhraseMatch, said: SpeechTime
) -> ResolvedTime | None:
    """Return a span narrowed by the phrase right behind it."""
    if first.meaning.weak or not place.links(_NARROWS, first, second):
        return None
    around = place.around(first.start, second.end)
    span = _span(first, _looking(said, around))
    if span is None or span.start == span.end:
        return None
    within = _span(second, SpeechTime(span.start, TimeDirection.FUTURE))
    if within is None or not span.start <= within.start <= within.end <= span.end:
        return None
    return ResolvedTime(within, around)


def _range(
    place: _Between, first: PhraseMatch, last: PhraseMatch, said: SpeechTime
) -> ResolvedTime | None:
    """Return the range of two spans joined by a word such as "to"."""
    connecting = _AND if place.before(_BETWEEN, first.start) else _RANGE
    if place.links(connecting, first, last) and is_rescheduled_from(place.sentence, first.start):
        to = _span(last, SpeechTime(said.at, TimeDirection.FUTURE))
        return (
            None
            if to is None
            else ResolvedTime(to, BoundedWords(TimeBound.WITHIN, last.start, last.end))
        )
    span = _span(first, said) if place.links(connecting, first, last) else None
    if span is None:
        return None
    if first.meaning.resolve is None and last.meaning.resolve is not None and first.meaning.clock:
        # "2 to 4pm on Wednesday": the day stands behind both.
        day = last.meaning.resolve(said)
        span = span if day is None else first.meaning.clock.on(day.start.date())
    if _has_year(last, said) and _is_name(first, said):
        # "From January to March 2024": the January before that March.
        span = _beginning_before(first, last, said) or span
    ahead = SpeechTime(said.at, TimeDirection.FUTURE)
    if not _is_name(first, said) and _is_name(last, said):
        # “2024年1月到3月”: the March behind that January.
        ahead = SpeechTime(span.start, TimeDirection.FUTURE)
    end = _hour_behind(first, last, span) or _span(last, ahead)
    if end is not None and end.start < span.start:
        # "From Monday to Thursday": the Thursday behind that Monday.
        end = _span(last, SpeechTime(span.start, TimeDirection.FUTURE))
    if end is None or end.end <= span.start:
        return None
    begins = place.before(_RANGE_BEGINS, first.start)
    start = begins.start() if begins else first.start
    return ResolvedTime(span.until(end), BoundedWords(TimeBound.WITHIN, start, last.end))


def _beginning_before(
    first: PhraseMatch, last: PhraseMatch, said: SpeechTime
) -> CalendarSpan | None:
    end = _span(last, said)
    return None if end is None else _span(first, SpeechTime(end.start, TimeDirection.PAST))


def _has_year(piece: PhraseMatch, said: SpeechTime) -> bool:
    """Tell whether the words mean one time, whenever they are said."""
    if piece.meaning.resolve is None:
        return False
    return len({_span(piece, replace(said, at=said.at + shift)) for shift in _OTHER_YEARS}) == 1


def _is_name(piece: PhraseMatch, said: SpeechTime) -> bool:
    """Tell whether the words name a recurring time, as "March" does and "last month" does not."""
    if piece.meaning.resolve is None:
        return False
    moments = [replace(said, at=said.at + shift) for shift in _OTHER_MONTHS]
    return any(
        len({_span(piece, replace(moment, direction=direction)) for direction in _BOTH_WAYS}) > 1
        for moment in moments
    )


def _hour_behind(first: PhraseMatch, last: PhraseMatch, span: CalendarSpan) -> CalendarSpan | None:
    """Put the second hour of 周三下午三点到五点 on the day and half of the day of the first."""
    clock_time, other = first.meaning.clock, last.meaning.clock
    if (
        last.meaning.resolve is not None
        or clock_time is None
        or other is None
        or clock_time.hour is None
    ):
        return None
    day = span.start.date()
    in_its_half = ClockTime(
        other.hour, other.minute, other.part or clock_time.part, other.exact
    ).on(day)
    found = in_its_half if in_its_half.start > span.start else other.on(day)
    return found if found.start > span.start else None


def _single(place: _Between, piece: PhraseMatch, said: SpeechTime) -> ResolvedTime | None:
    meaning = piece.meaning
    recurrence = meaning.recurrence or _daily(place.sentence, piece)
    if recurrence is not None:
        first = recurrence.first(said, meaning.clock)
        within = BoundedWords(TimeBound.WITHIN, piece.start, piece.end)
        return None if first is None else ResolvedTime(first, within, recurrence.rule())
    around = place.around(piece.start, piece.end)
    if meaning.weak and (around.side is TimeBound.WITHIN or meaning.resolve is None):
        return None
    if _COMES_INTO_FORCE.fullmatch(place.sentence, around.start, around.end):
        span = _nearest(piece, said)
    else:
        span = _span(piece, _looking(said, around))
        if said.direction is TimeDirection.UNSAID and around.side in _OPEN_TO_BOTH:
            span = _or_the_last(place.sentence, piece, said, span)
        if span is not None and meaning.resolve is None and around.side in _ENDS:
            span = _this_evening(piece, said, span)
        if (
            said.direction is TimeDirection.PAST
            and meaning.recurs_yearly
            and around.side is not TimeBound.SINCE
        ):
            span = _or_the_coming(piece, said, span)
    return None if span is None else ResolvedTime(span, around)


def _daily(sentence: str, piece: PhraseMatch) -> Recurrence | None:
    """Return a daily recurrence for an hour of a habit: 一般六点起床."""
    meaning = piece.meaning
    if meaning.resolve is not None or meaning.clock is None or meaning.clock.hour is None:
        return None
    if meaning.weak or not is_habit(sentence, piece.start, piece.end):
        return None
    return Recurrence(DAILY)


def _nearest(piece: PhraseMatch, said: SpeechTime) -> CalendarSpan | None:
    """Return the nearer of the last and the next such day."""
    both = (_span(piece, replace(said, direction=time_direction)) for time_direction in _BOTH_WAYS)
    spans = [span for span in both if span is not None]
    return min(spans, key=lambda span: abs(span.start - said.at), default=None)


def _looking(said: SpeechTime, around: BoundedWords) -> SpeechTime:
    match around.side:
        case TimeBound.SINCE:
            return replace(said, direction=TimeDirection.PAST)
        case TimeBound.FROM if said.direction is TimeDirection.UNSAID and around.is_told:
            return replace(said, direction=TimeDirection.NEARER)
        case TimeBound.UNTIL if around.is_told and said.direction is TimeDirection.OVER:
            return said
        case TimeBound.UNTIL | TimeBound.BEFORE:
            return replace(said, direction=TimeDirection.FUTURE)
        case _:
            return said


def _span(piece: PhraseMatch, said: SpeechTime) -> CalendarSpan | None:
    meaning = piece.meaning
    if said.at.year not in SAID_IN_YEARS:
        return None
    if meaning.resolve is None:
        return meaning.clock.near(said) if meaning.clock else None
    if said.direction is TimeDirection.NEARER:
        return _nearest(piece, said)
    span = meaning.resolve(said)
    if span is None or meaning.clock is None:
        return span
    return meaning.clock.on(span.start.date())


def _this_evening(piece: PhraseMatch, said: SpeechTime, span: CalendarSpan) -> CalendarSpan:
    """Return this evening for “before 8”, if it is said before that hour."""
    clock = piece.meaning.clock
    if clock is None or clock.hour is None or clock.part or clock.exact:
        return span
    later = clock.on(said.today).start + _HALF_A_DAY
    ambiguous = clock.hour < _HOURS_OF_A_CLOCK and later.date() == said.today
    return instant_span(later) if ambiguous and said.at < later < span.start else span


def _or_the_last(
    sentence: str, piece: PhraseMatch, said: SpeechTime, span: CalendarSpan | None
) -> CalendarSpan | None:
    """Return the last such day if it was just now: “laid off jan 9”, said ten days later."""
    if span is None or span.start - said.at < _LONG_AHEAD or _COMES_EVERY_YEAR.search(sentence):
        return span
    chinese = has_chinese(sentence)
    if chinese and not piece.meaning.recurs_yearly:
        # 三月去日本: a plan, for what was has its 了 or 的.
        return span
    last = _span(piece, replace(said, direction=TimeDirection.PAST))
    just = _JUST_IN_CHINESE if chinese else _JUST
    return last if last is not None and said.at - last.end < just else span


def _or_the_coming(
    piece: PhraseMatch, said: SpeechTime, span: CalendarSpan | None
) -> CalendarSpan | None:
    """Return the coming day if it is near ahead: “all booked, 4 May”."""
    ahead = _span(piece, replace(said, direction=TimeDirection.FUTURE))
    if span is None or ahead is None or ahead.start - said.at > _SOON:
        return span
    return ahead if said.at - span.start > _LONG_AGO else span
