"""All times that the words of a proposal name, besides its own.

“I'll see her the week after next, flying on the 20th” has one time of its own. A later reader needs
both times, because “the 20th” alone does not tell the month.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest_language.clauses.clause_splitter import split_clauses
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times

MAX_MENTIONED_TIMES = 4
"""The most times kept beside a proposal's own."""
PROPOSALS_PER_STEP = 5
"""Proposals handled before the event loop gets a turn."""

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]+|\.(?=\s|$)|$)")
_ENDS = re.compile(r"[。！？!?\n]|\.(?=\s)")
_LEAST = timedelta(milliseconds=1)
_LONGEST_SENTENCE = 400
"""The most characters of a sentence; longer ones are pasted."""


async def add_mentioned_times(
    proposals: Iterable[Proposal], request: ExtractionRequest
) -> tuple[Proposal, ...]:
    """Add to each proposal the other times in the clauses of its evidence, in order."""
    found = []
    for place, proposal in enumerate(proposals):
        found.append(_with_its_own(proposal, request))
        if place % PROPOSALS_PER_STEP == 0:
            await asyncio.sleep(0)
    return tuple(found)


def format_time(time: TimeExpression, time_zone: str) -> dict[str, str]:
    """Describe a time: `words`, and `on` a day, `at` a moment, or `from` and `until` inclusive."""
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


def _with_its_own(proposal: Proposal, request: ExtractionRequest) -> Proposal:
    found: dict[tuple[object, ...], TimeExpression] = {}
    for citation in proposal.evidence:
        if 1 <= citation.message <= len(request.messages):
            message = request.messages[citation.message - 1]
            for time in _named(citation, message, request.time_zone):
                found.setdefault(_when(time), time)
    if proposal.time is not None:
        found.pop(_when(proposal.time), None)
        # The same words resolved in another month are the same time.
        own = proposal.time.words.casefold()
        found = {
            when: expression
            for when, expression in found.items()
            if expression.words.casefold() != own
        }
    if not found:
        return proposal
    return proposal.model_copy(update={"mentions": tuple(found.values())[:MAX_MENTIONED_TIMES]})


def _when(time: TimeExpression) -> tuple[object, ...]:
    return time.starts_at, time.ends_at


def _named(
    citation: MessageQuote, message: DialogueMessage, time_zone: str
) -> Iterator[TimeExpression]:
    """Yield the times that occur once, in the clauses of the quote."""
    quoted = message.text.find(citation.quote)
    if quoted < 0:
        return
    begins, ends = _sentences_around(message.text, quoted, quoted + len(citation.quote))
    around = message.text[begins:ends]
    times = list(_spoken(around, message, time_zone))
    if not times:
        return
    start, end = _whole_clauses(around, quoted - begins, quoted - begins + len(citation.quote))
    for at, time in times:
        if at < end and start < at + len(time.words):
            yield time


def _sentences_around(text: str, start: int, end: int) -> tuple[int, int]:
    """With the sentence before: a bare day may be of the month that it names."""
    low = max(0, start - 2 * _LONGEST_SENTENCE)
    before = [match.end() for match in _ENDS.finditer(text, low, start)][-2:]
    after = _ENDS.search(text, end, end + _LONGEST_SENTENCE)
    return (before[0] if len(before) > 1 else low), (
        after.end() if after else end + _LONGEST_SENTENCE
    )


def _whole_clauses(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole clauses that a stretch reaches into: a time in their other half counts."""
    low, high, at = start, end, 0
    for clause in split_clauses(text):
        place = text.find(clause.text, at)
        if place < 0:
            continue
        at = place + len(clause.text)
        if place < end and start < at:
            low, high = min(low, place), max(high, at)
    return low, high


def _spoken(
    text: str, message: DialogueMessage, time_zone: str
) -> Iterator[tuple[int, TimeExpression]]:
    """Yield the times of a text, each with the position of its words."""
    before: TimeExpression | None = None
    for sentence in _SENTENCE.finditer(text):
        if len(sentence[0]) > _LONGEST_SENTENCE:
            continue
        said = UtteranceTime(message.occurred_at, time_zone, time_of_message=before)
        for time in find_sentence_times(sentence[0], said):
            if time.recurrence is None:
                yield sentence.start() + time.start, time
                before = time
