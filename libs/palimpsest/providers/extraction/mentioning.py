"""All the times that the words of a proposal name, besides the one that it is dated by.

“I'll see her the week after next, flying on the 20th” is dated once, and read months later
both of its times are wanted: whoever reads “the 20th” then cannot tell of which month.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest.domain.time_expressions.expression import TimeExpression
from palimpsest.providers.extraction.messages import ExtractionRequest, Message
from palimpsest.providers.extraction.provider import Citation, Proposal
from palimpsest.providers.extraction.rules.clauses.splitting import clauses
from palimpsest.providers.extraction.times import SaidWhen, times_in

MOST = 4
"""Times that are kept beside a proposal's own."""

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s|$)|$)")
_LEAST = timedelta(milliseconds=1)
_LONGEST_SENTENCE = 400
"""Characters. A longer one is pasted."""

_Spoken = dict[int, list[tuple[int, TimeExpression]]]
"""By the number of a message its times, each with where in the message its words begin."""


def with_mentions(
    proposals: Iterable[Proposal], request: ExtractionRequest
) -> tuple[Proposal, ...]:
    """The proposals with the other times that the clauses they rest on name, in the order of these."""
    spoken: _Spoken = {}
    return tuple(_with_its_own(each, request, spoken) for each in proposals)


def written_out(time: TimeExpression, time_zone: str) -> dict[str, str]:
    """For whoever reads it: `words`, and `on` a day, `at` a moment, or `from` and `until`, both included."""
    first, last = time.starts_at, time.ends_at
    if first is not None and first == last:
        return {"words": time.words, "at": _local(first, time_zone).isoformat(timespec="minutes")}
    days = {
        "from": None if first is None else _local(first, time_zone).date().isoformat(),
        "until": None if last is None else _local(last - _LEAST, time_zone).date().isoformat(),
    }
    if days["from"] and days["from"] == days["until"]:
        return {"words": time.words, "on": days["from"]}
    return {"words": time.words, **{side: day for side, day in days.items() if day}}


def _local(moment: datetime, time_zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(time_zone))


def _with_its_own(proposal: Proposal, request: ExtractionRequest, spoken: _Spoken) -> Proposal:
    found: dict[tuple[object, ...], TimeExpression] = {}
    for citation in proposal.evidence:
        if 1 <= citation.message <= len(request.messages):
            message = request.messages[citation.message - 1]
            for time in _named(citation, message, request.time_zone, spoken):
                found.setdefault(_when(time), time)
    if proposal.time is not None:
        found.pop(_when(proposal.time), None)
    if not found:
        return proposal
    return proposal.model_copy(update={"mentions": tuple(found.values())[:MOST]})


def _when(time: TimeExpression) -> tuple[object, ...]:
    return time.starts_at, time.ends_at


def _named(
    citation: Citation, message: Message, time_zone: str, spoken: _Spoken
) -> Iterator[TimeExpression]:
    start = message.text.find(citation.quote)
    if start < 0:
        return
    if message.number not in spoken:
        spoken[message.number] = list(_spoken(message, time_zone))
    if not spoken[message.number]:
        return
    start, end = _whole_clauses(message.text, start, start + len(citation.quote))
    for at, time in spoken[message.number]:
        if at < end and start < at + len(time.words):
            yield time


def _whole_clauses(text: str, start: int, end: int) -> tuple[int, int]:
    """The clauses that a stretch reaches into: what is said of their other half is dated there."""
    low, high, at = start, end, 0
    for clause in clauses(text):
        place = text.find(clause.text, at)
        if place < 0:
            continue
        at = place + len(clause.text)
        if place < end and start < at:
            low, high = min(low, place), max(high, at)
    return low, high


def _spoken(message: Message, time_zone: str) -> Iterator[tuple[int, TimeExpression]]:
    """What a message names that comes but once; a bare day is of the month named before it."""
    before: TimeExpression | None = None
    for sentence in _SENTENCE.finditer(message.text):
        if len(sentence[0]) > _LONGEST_SENTENCE:
            continue
        said = SaidWhen(message.occurred_at, time_zone, time_of_message=before)
        for time in times_in(sentence[0], said):
            if time.recurrence is None:
                yield sentence.start() + time.start, time
                before = time
