"""Plans told again with another time, by their first message and a later one. Pure.

“The dentist is on Wednesday.” “No, Thursday.” The memory made from both rests on both messages, and
repeats the earlier statement except for its time.
"""

from datetime import datetime, timedelta

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.memory_times import ends_at, is_recurring, starts_at, time_phrase
from palimpsest_language.plans.plan_text import PLAN_KINDS
from palimpsest_language.wording.normalization import extract_gist

_ONE_MILLISECOND = timedelta(milliseconds=1)


def first_telling_message(memory: Memory | Candidate) -> str | None:
    """Return the first message of a plan with a time; None for any other memory."""
    if memory.kind not in PLAN_KINDS or memory.attribute is not None or is_recurring(memory):
        return None
    if _span(memory) is None or not (said := _messages(memory)):
        return None
    return min(said, key=lambda message: (said[message], message))


def is_retold(memory: Memory | Candidate) -> bool:
    """Tell whether the memory rests on a later message too."""
    return len({*_messages(memory).values()}) > 1


def is_time_correction(later: Memory | Candidate, earlier: Memory | Candidate) -> bool:
    """Tell whether the later memory repeats the earlier one with another time."""
    first = first_telling_message(earlier)
    if first is None or first_telling_message(later) != first or not is_retold(later):
        return False
    if max(_messages(later).values()) <= max(_messages(earlier).values()):
        return False
    if later.kind is not earlier.kind and earlier.kind is Kind.ACTION_ITEM:
        # Otherwise a todo would be dropped, and its reminder with it.
        return False
    return _without_time(earlier) <= _words(later.content) and not _overlap(later, earlier)


def _messages(memory: Memory | Candidate) -> dict[str, datetime]:
    """Return when each message of its evidence was said."""
    return {
        f"{len(evidence.session_id)} {evidence.session_id} {evidence.message_id}": evidence.said_at
        for evidence in memory.evidence
        if evidence.session_id is not None
        and evidence.message_id is not None
        and evidence.said_at is not None
    }


def _without_time(memory: Memory | Candidate) -> frozenset[str]:
    return _words(memory.content) - _words(time_phrase(memory) or "")


def _words(text: str) -> frozenset[str]:
    return frozenset(extract_gist(text).split())


def _overlap(one: Memory | Candidate, other: Memory | Candidate) -> bool:
    """Tell whether both times may be the same, more or less exact."""
    first, second = _span(one), _span(other)
    if first is None or second is None:
        return True
    return first[0] <= second[1] and second[0] <= first[1]


def _span(memory: Memory | Candidate) -> tuple[datetime, datetime] | None:
    """Return its first and last moment; for a deadline the last alone."""
    starts, ends = starts_at(memory), ends_at(memory)
    if ends is None or ends == starts:
        return None if starts is None else (starts, starts)
    last = ends - _ONE_MILLISECOND
    return (starts or last, last)
