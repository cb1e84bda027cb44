"""The meaning of a time expression for the statement beside it: when it was, and while it holds.

- What happens (events, decisions) has the time as its own. It holds from then on,
  or from when it was said on where it is still to come.
- What is to be done keeps the time as a time to come, and nothing else; what is to
  be reached "by" then is reached on the last day of it.
- What holds (facts, preferences, people, circumstances) holds "since" its start
  and "until" its end. A change ("I moved last May") had happened when the span
  was over, and holds from its last moment on: what was said to hold in the midst
  of it was before the change. What was so in a span that is over ("In 2019 I
  lived in Oslo") held within it, and what was done in it stays done; circumstances hold within any
  span.
- What comes back says nothing of when a statement holds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.attribute_names import CONTACT_ATTRIBUTES
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.proposals import Proposal
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times

_DATES_OF_THEIR_OWN = frozenset({"birthday", "age", "anniversary", *CONTACT_ATTRIBUTES})
"""Attributes whose value is a date, or may look like one (5号楼), which is not when they began to
hold."""

_CHANGE = re.compile(
    r"\b(?:mov(?:e|ed|ing)|join(?:ed|ing)?|start(?:ed|ing)?|beg[aiu]n|switch(?:ed|ing)?|becom"
    r"(?:e|ing)|became"
    r"|left|leav(?:e|ing)|quit|got|bought|adopted|married|chang(?:ed|ing)|stopped|gave up|relocat"
    r"(?:ed|ing))\b"
    r"|搬|跳槽|换|入职|加入|开始|改|成为|升|毕业|离[职婚开]|辞|转|买|养了|领养|结婚|戒|不再|学会",
    re.IGNORECASE,
)
_WAS_SO = re.compile(
    r"\b(?:was|were|wasn['’]t|weren['’]t|had(?! (?:an?|my|our|the)\b)|used to|lived|worked"
    r"|studied|stayed|spent|dated|owned|played|taught|ran)\b"
    r"|[住待呆干做当养用开读学]过|曾|当时|那时|住在|(?:在|去).{1,12}"
    r"(?:工作|上班|读书|读研|上学|留学|实习|生活|住)|(?<!现)在[^，。]{1,8}(?:组|部|部门|团队|班)"
    r"(?=$|[，。里])|[住待呆干做读](?:了|在)",
    re.IGNORECASE,
)
"""A state of a past time, over by now. A deed of that time ("I tore a ligament in 2019") stays
done.
"""
_FROM_TO = re.compile(
    r"(?<=\w) ?(?:\b(?:to|till?|until|through|thru|and)\b|[-–—~～]|到|至)(?=.)", re.IGNORECASE
)
"""A period with its beginning and its end: what was so in it was so no longer afterwards."""
_LED_TO_IT = re.compile(
    r"\w\W+(?:ever )?(?:after|because|since|as|when) (?:I|we|he|she|they|it|my|our|the|his|her)\b"
    r"(?: \w+)* $"
    r"|\bon an? [\w -]{2,24} diet\b.*$"
    r"|(?:所以|因此|于是|以后|一直)[^，。]*$",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[,，;；、:：]|\b(?:and|but|so|because)\b", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[。！？!?\n]+|\.(?=\s|$)")
_LONGEST_SENTENCE = 400


@dataclass(frozen=True)
class StatementTiming:
    """The times of a statement. None: the default of a statement without time."""

    time: TimeExpression | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None


def date_proposal(proposal: Proposal, request: ExtractionRequest) -> Proposal:
    """Date a proposal by the time beside its first quote with one; the quote need not hold it."""
    for citation in proposal.evidence:
        if not 1 <= citation.message <= len(request.messages):
            continue
        message = request.messages[citation.message - 1]
        said = UtteranceTime(message.occurred_at, request.time_zone)
        if found := _timing_of_quote(proposal, message.text, citation.quote, said):
            return proposal.model_copy(update=vars(found))
    return proposal


def _timing_of_quote(
    proposal: Proposal, text: str, quote: str, said: UtteranceTime
) -> StatementTiming | None:
    start = text.find(quote)
    if start < 0:
        return None
    sentence, offset = _sentence_around(text, start, start + len(quote))
    times = find_sentence_times(sentence, said)
    time = find_adjacent_time(times, sentence, start - offset, start - offset + len(quote))
    if time is None:
        return None
    return derive_timing(
        proposal.kind, proposal.attribute, time, sentence=sentence, said_at=said.at
    )


def _sentence_around(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the sentence or sentences around a stretch, and where they begin."""
    low = max(0, start - _LONGEST_SENTENCE)
    before = [match.end() for match in _SENTENCE_ENDS.finditer(text, low, start)]
    after = _SENTENCE_ENDS.search(text, end, end + _LONGEST_SENTENCE)
    begins = before[-1] if before else low
    return text[begins : after.start() if after else end + _LONGEST_SENTENCE], begins


def find_adjacent_time(
    expressions: Sequence[TimeExpression], sentence: str, start: int, end: int
) -> TimeExpression | None:
    """Return the time in the clause from start to end, or the one that opens the sentence."""
    near = [
        (max(expression.start - end, start - expression.end, 0), expression)
        for expression in expressions
        if _is_beside(expression, sentence, start, end)
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _is_beside(expression: TimeExpression, sentence: str, start: int, end: int) -> bool:
    if expression.start < end and start < expression.end:
        return True
    if expression.end <= start:
        opening = not sentence[: expression.start].strip()
        between = sentence[expression.end : start]
        return _CLAUSE_ENDS.search(between.lstrip(" ,，") if opening else between) is None
    return _CLAUSE_ENDS.search(sentence, end, expression.start) is None


def derive_timing(
    kind: Kind, attribute: str | None, time: TimeExpression, *, sentence: str, said_at: datetime
) -> StatementTiming:
    """Derive the times of a statement of this kind, made in this sentence."""
    if not kind.times.has_clock_time and _is_hour_alone(time):
        return StatementTiming(time)
    if time.recurrence is None and kind.times.is_occurrence:
        happening = _happening(time, said_at)
        in_a_period = _is_past_period(time, said_at) and _WAS_SO.search(sentence) is not None
        return replace(happening, valid_until=_last_of_span(time)) if in_a_period else happening
    if time.recurrence is None and kind is Kind.GOAL and time.starts_at is None:
        return StatementTiming(time, occurred_at=_last_moment(time))
    if time.recurrence is None and kind.times.is_state and attribute not in _DATES_OF_THEIR_OWN:
        return _holding(kind, time, sentence=sentence, said_at=said_at)
    return StatementTiming(time)


def _is_hour_alone(time: TimeExpression) -> bool:
    """Tell whether the time is an hour of every day: 四点以后, "after 2 pm"."""
    open_side = time.starts_at is None or time.ends_at is None
    return open_side and time.granularity is Granularity.INSTANT


def _happening(time: TimeExpression, said_at: datetime) -> StatementTiming:
    if time.starts_at is None:
        return StatementTiming(time, occurred_at=_last_moment(time))
    past = time.starts_at <= said_at
    return StatementTiming(
        time, occurred_at=time.starts_at, valid_from=time.starts_at if past else None
    )


def _holding(
    kind: Kind, time: TimeExpression, *, sentence: str, said_at: datetime
) -> StatementTiming:
    if time.starts_at is None or time.ends_at is None:
        until = None if time.ends_at is None else _last_moment(time)
        return StatementTiming(time, valid_from=time.starts_at, valid_until=until)
    over = time.ends_at <= said_at
    if over and _is_of_what_led_to_it(sentence, time):
        return StatementTiming(time)
    in_a_period = _is_past_period(time, said_at)
    if (
        not in_a_period
        and kind is not Kind.CONTEXT
        and (_CHANGE.search(sentence) or (over and not _WAS_SO.search(sentence)))
    ):
        return _changing(time, said_at)
    if (
        kind is Kind.CONTEXT
        and over
        and not in_a_period
        and _is_day(time)
        and not _WAS_SO.search(sentence)
    ):
        return StatementTiming(time, valid_from=time.starts_at)
    if kind is Kind.CONTEXT or over:
        return StatementTiming(time, valid_from=time.starts_at, valid_until=_last_of_span(time))
    return StatementTiming(time)


def _is_past_period(time: TimeExpression, said_at: datetime) -> bool:
    """Tell whether the words name a beginning and an end, and both are over."""
    if time.starts_at is None or time.ends_at is None or time.ends_at > said_at:
        return False
    return _FROM_TO.search(time.words) is not None


def _is_of_what_led_to_it(sentence: str, time: TimeExpression) -> bool:
    """Tell whether the time is of a cause: “on a low-salt diet after I was poorly last week”."""
    return _LED_TO_IT.search(sentence.partition(time.words)[0]) is not None


def _is_day(time: TimeExpression) -> bool:
    """Tell whether the time is one day, on which a state began: 昨天跑完膝盖疼."""
    return time.all_day and time.granularity is Granularity.DAY


def _changing(time: TimeExpression, said_at: datetime) -> StatementTiming:
    if time.starts_at is None or time.ends_at is None or time.starts_at > said_at:
        return StatementTiming(time, occurred_at=time.starts_at, valid_from=time.starts_at)
    over = min(max(time.ends_at - _LEAST, time.starts_at), said_at)
    return StatementTiming(time, occurred_at=time.starts_at, valid_from=over)


_LEAST = timedelta(milliseconds=1)


def _last_moment(time: TimeExpression) -> datetime | None:
    if time.ends_at is None or time.ends_at == time.starts_at:
        return time.starts_at
    return time.ends_at - _LEAST


def _last_of_span(time: TimeExpression) -> datetime | None:
    """Return the last moment of a span; None for an instant, until which no state can hold."""
    return _last_moment(time) if time.ends_at != time.starts_at else None
