"""The words of a memory with the dates that they mean.

"Tomorrow" means the day after it was said, not the day after it is read. Code that shows the words
of a memory to a model or a person takes them from here.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from pydantic import ValidationError

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Evidence, Memory
from palimpsest.model.memory_times import StatedTime, read_moment, read_stated_time
from palimpsest.model.todo import Todo
from palimpsest_language.time_expressions.dated_words import (
    DatedText,
    NamedDays,
    find_relative_times,
    write_dates,
)
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime


def write_memory_dates(memory: Memory, time_zone: str) -> DatedText:
    """Return the content of a memory with its dates, in days of this time zone."""
    return write_statement_dates(
        memory.content,
        kind=memory.kind,
        time=read_stated_time(memory.data),
        said_at=find_said_at(memory.evidence, otherwise=memory.valid_from),
        time_zone=time_zone,
    )


def write_statement_dates(
    text: str, *, kind: Kind, time: StatedTime | None, said_at: datetime, time_zone: str
) -> DatedText:
    """Return a text of a memory with its dates; `time` applies to the words that it has."""
    return write_dates(
        text,
        UtteranceTime(said_at, time_zone),
        _known_times(time),
        names=_meaning_of_names(kind),
    )


def write_message_dates(text: str, *, said_at: datetime, time_zone: str) -> DatedText:
    """Return the words of a message with their dates."""
    return write_dates(text, UtteranceTime(said_at, time_zone))


def write_todo_dates(todo: Todo, time_zone: str) -> DatedText:
    """Return the content of a todo with its dates."""
    said = UtteranceTime(todo.created_at, time_zone)
    return write_dates(todo.content, said, names=NamedDays.ONE)


def find_said_at(evidence: Iterable[Evidence], *, otherwise: datetime) -> datetime:
    """Return when the words were last said."""
    return max((piece.said_at for piece in evidence if piece.said_at), default=otherwise)


def find_meant_times(memory: Memory | Candidate) -> tuple[str, ...]:
    """Return the times that the relative words of a memory mean, in order, in UTC.

    The same words on another day mean other times. Words without relative times mean none. A todo
    also means the moment that was stated for it.
    """
    said_at = find_said_at(memory.evidence, otherwise=memory.valid_from)
    time = read_stated_time(memory.data)
    due = read_moment(memory.data, "due_at") if memory.kind.properties.is_todo else None
    meant = _find_meant_times(memory.content, memory.kind, time, said_at)
    return meant if due is None else (*meant, f"due {due}")


def mean_other_times(memory: Memory, other: Memory) -> bool:
    """Return whether both memories have relative words that mean no common time."""
    meant, others = find_meant_times(memory), find_meant_times(other)
    return bool(meant) and bool(others) and set(meant).isdisjoint(others)


@lru_cache(maxsize=8192)
def _find_meant_times(
    content: str, kind: Kind, time: StatedTime | None, said_at: datetime
) -> tuple[str, ...]:
    """Return cached times, because they are computed several times for one candidate."""
    expressions = find_relative_times(
        content,
        UtteranceTime(said_at, "UTC"),
        _known_times(time),
        names=_meaning_of_names(kind),
    )
    return tuple(f"{found_time.starts_at}/{found_time.ends_at}" for found_time in expressions)


def _known_times(time: StatedTime | None) -> dict[str, TimeExpression]:
    if time is None or not time.words:
        return {}
    try:
        known = TimeExpression.model_validate({"start": 0, **time.model_dump()})
    except ValidationError:
        return {}
    return {time.words.casefold(): known}


def _meaning_of_names(kind: Kind) -> NamedDays:
    if kind.times.is_occurrence or kind.properties.is_todo:
        return NamedDays.ONE
    return NamedDays.EVERY if kind.times.is_habitual else NamedDays.UNSAID
