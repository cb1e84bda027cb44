"""Find the times that a question names, and whether it asks only for what lies in them."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.finder import find_times

TimeSpan = tuple[int | None, int | None]
"""Start and exclusive end in seconds since 1970; None is open."""


def lies_in_spans(at: int | None, times: Sequence[TimeSpan]) -> bool:
    """Return whether a moment, in seconds since 1970, lies in one of these times."""
    return at is not None and any(
        (since is None or since <= at) and (until is None or at < until) for since, until in times
    )


_LOOKS_AHEAD = read_phrases("question_intents/times_ahead")["looks_ahead"]
_ENGLISH, _CHINESE = (
    read_phrases(f"question_intents/{language}_time_questions")["only_a_time"]
    for language in ("english", "chinese")
)
_UP_TO = re.compile(r"\b((?:was|were|am|are|been|get|got|getting)(?: \w+)? )up to\b", re.IGNORECASE)
"""Pattern of what somebody is up to, which is no limit: “what was I up to in June”."""
_YEAR = timedelta(days=365)
_COMES_BACK = frozenset({Granularity.DAY, Granularity.MONTH})

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

    A recurring day or month is the past one, unless the question looks ahead. A bare name may be
    the next one (三月份, said in November, is next year's) or the last one, so the last one is
    returned before it.
    """
    question = _UP_TO.sub(r"\1doing", question)  # no longer and no shorter: places stay
    expressions = find_times(question, said_at=now, time_zone=time_zone)
    if _LOOKS_AHEAD.search(question) or not any(
        _is_to_come(expression, now) for expression in expressions
    ):
        return expressions
    before = find_times(question, said_at=now - _YEAR, time_zone=time_zone)
    if len(before) != len(expressions):
        return expressions
    return tuple(
        expression
        for time_expression, other in zip(expressions, before, strict=True)
        for expression in (
            (other, time_expression)
            if _is_to_come(time_expression, now) and is_span_over(build_time_span(other), now)
            else (time_expression,)
        )
    )


def names_a_past_time(question: str, *, now: datetime, time_zone: str) -> bool:
    named = find_question_times(question, now=now, time_zone=time_zone)
    return any(is_span_over(build_time_span(expression), now) for expression in named)


def build_time_span(time: TimeExpression) -> TimeSpan:
    starts, ends = time.starts_at, time.ends_at
    return (
        None if starts is None else int(starts.timestamp()),
        None if ends is None else int(ends.timestamp()),
    )


def is_span_over(span: TimeSpan, now: datetime) -> bool:
    """Return whether the end of a span is known and past."""
    return span[1] is not None and span[1] <= now.timestamp()


def _is_to_come(expression: TimeExpression, now: datetime) -> bool:
    return (
        expression.granularity in _COMES_BACK
        and expression.all_day
        and expression.recurrence is None
        and expression.starts_at is not None
        and expression.starts_at > now
    )


def remove_times(question: str, times: Sequence[TimeExpression]) -> str:
    """Return the question without the words for these times, which were found in it."""
    left, position = [], 0
    for time in sorted(times, key=lambda expression: expression.start):
        left.append(question[position : time.start])
        position = max(position, time.end)
    return " ".join((*left, question[position:]))


def asks_only_for_a_time(question: str, times: Sequence[TimeExpression]) -> bool:
    """Return whether the question only asks what happened, was said or done at these times.

    Args:
        question: the question as asked.
        times: the times found in it; without any the result is False.
    """
    if not times or len(question) > _LONGEST:
        return False
    rest = unicodedata.normalize("NFKC", remove_times(question, times))
    rest = rest.replace("’", "'").casefold()
    if rest.isascii():
        return _ENGLISH.search(_ENDS.sub(" ", rest).strip()) is not None
    return _CHINESE.search(_LEFT_OVER.sub("", rest)) is not None
