"""Place statements in time when a newer one reports a change that had happened before.

"I live in Boston" has no date: the speaker holds it as the present, and it holds from then on. Later the
speaker says "I moved to Seattle last month", which has the date of the change. That date may lie before the
day on which Boston was said. The later word on the present counts, so Boston had ended already. It is
placed before the change, where it held on the last day at least.

Nothing else moves:

- A statement with a date of its own holds from that date, whenever it was said.
- A change that began more than half a year before it was told ("in 2019 I moved to
  Boston") is a story of the past, and moves nothing.
- A change after which another value is known to hold, by its date, moves nothing.

The place of a statement follows from all statements together, so it does not depend on
the order in which they came.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, takewhile

from palimpsest.model.memory import Evidence, Memory
from palimpsest.model.value_types import to_instant
from palimpsest_server.domain.consolidation.attribute_states import (
    attribute_state,
    is_state_ended_by,
)
from palimpsest_server.domain.consolidation.memory_statements import (
    statement_moment,
    statement_sort_key,
)

RETROACTIVE_PERIOD = timedelta(days=183)
"""Longest time between a change and its report. "Last month" and "this spring" are recent; after "last
year" and "in 2019" anything may have followed."""

_PASSING = re.compile(
    r"\b(?:but|and|then|until)\b.{0,40}(?:\b(?:moved|went|came|gone|been|am|are|is)|['’](?:m|re)) back\b"
    r"|\bfor (?:an?|one|two|three|four|five|six|a few|a couple of|some|several|\d+) (?:days?|weeks?|months?)\b"
    r"|(?:又|后来|然后).{0,3}回|[住待呆].{0,6}[了过].{0,4}(?:天|周|星期|礼拜|个月)",
    re.IGNORECASE,
)
"""Words for a change that was reversed or temporary, which tells nothing about now."""

_JUST = re.compile(r"\bjust\b|刚", re.IGNORECASE)
"""Words for a change at this moment, which is its date."""

MINIMUM_HELD_PERIOD = timedelta(days=1)
"""Shortest period for which a value held that had ended before it was said."""


@dataclass(frozen=True)
class PlacedStatement:
    """A statement in its place, and the memory that it belongs to."""

    memory: Memory
    stated: Memory
    since: datetime
    """The moment from which it holds: its own moment, unless it was outdated when said."""
    outdated: bool


def place_statements(
    held: Sequence[tuple[Memory, Memory]], over: dict[str, datetime]
) -> list[PlacedStatement]:
    """Return the statements with their memories, in the order of the time from which they hold.

    Args:
        held: memories and statements, in the order of the statements' own times.
        over: the ends of memories that had ended before all their statements, by memory id.
    """
    ends_at = _outdated([statement for _, statement in held])
    placed: list[PlacedStatement] = []
    for memory, statement in held:
        end = min(
            (end for end in (ends_at.get(id(statement)), over.get(memory.id)) if end), default=None
        )
        placed.append(
            PlacedStatement(
                memory, statement, end or statement.valid_from, outdated=end is not None
            )
        )
    # Of one moment, statements that had ended by then come before those that began.
    placed.sort(
        key=lambda placed: (placed.since, not placed.outdated, statement_sort_key(placed.stated))
    )
    return _begun(placed)


def is_recent_change(stated: Memory, said: Evidence) -> bool:
    """Return whether these words report their statement as a recent change."""
    began = min(stated.occurred_at, stated.valid_from)
    at = said.said_at
    recent = at is not None and stated.valid_from < at and at - began <= RETROACTIVE_PERIOD
    return recent and _PASSING.search(said.quote) is None


def is_outdated(memory: Memory) -> bool:
    """Return whether the memory is known to have ended before anybody stated it."""
    said = [piece.valid_from or memory.valid_from for piece in memory.evidence]
    until, first = memory.valid_until, min(said, default=memory.valid_from)
    return until is not None and until <= first and memory.valid_from < first


def _outdated(stated: Sequence[Memory]) -> dict[int, datetime]:
    """Return when each outdated statement had ended, by the id of the statement object."""
    at_a_date = {
        (attribute_state(statement), statement_moment(statement))
        for statement in stated
        if _is_dated(statement)
    }
    dated = [
        statement
        for statement in stated
        if (attribute_state(statement), statement_moment(statement)) in at_a_date
    ]
    undated = [
        statement
        for statement in stated
        if (attribute_state(statement), statement_moment(statement)) not in at_a_date
    ]
    found: dict[int, datetime] = {}
    moved: list[tuple[Memory, datetime]] = []
    for statement in reversed(undated):
        end = _end(statement, dated, moved)
        if end is not None:
            found[id(statement)] = end
            moved.append((statement, end))
    return found


def _end(
    undated: Memory, dated: Sequence[Memory], moved: Sequence[tuple[Memory, datetime]]
) -> datetime | None:
    """Return the earliest change that makes the statement outdated; each may lead to an earlier one."""
    state = attribute_state(undated)
    against = [
        place
        for place, statement in enumerate(dated)
        if _is_told_after(statement, undated) and is_state_ended_by(statement, state)
    ]
    # A statement that replaced it was outdated itself, so this one is older.
    end = min(
        (end for statement, end in moved if is_state_ended_by(statement, state)),
        default=undated.valid_from,
    )
    found = end if end < undated.valid_from else None
    while True:
        before = (place for place in reversed(against) if dated[place].valid_from < end)
        change = next((place for place in before if _stands(place, dated, end)), None)
        if change is None:
            return found
        found = end = dated[change].valid_from


def _is_dated(stated: Memory) -> bool:
    """Return whether the statement has a date, and is not only said as the present."""
    return any(
        piece.said_at != stated.valid_from or _JUST.search(piece.quote) for piece in stated.evidence
    )


def _is_told_after(change: Memory, undated: Memory) -> bool:
    return any(
        piece.news and piece.said_at is not None and undated.valid_from < piece.said_at
        for piece in change.evidence
    )


def _stands(change: int, dated: Sequence[Memory], until: datetime) -> bool:
    """Return whether no dated statement is known to have ended the change before then."""
    state = attribute_state(dated[change])
    later = takewhile(
        lambda statement: statement.valid_from < until, islice(dated, change + 1, None)
    )
    return not any(is_state_ended_by(statement, state) for statement in later)


def _begun(placed: Sequence[PlacedStatement]) -> list[PlacedStatement]:
    """Let outdated statements begin a day before their end, but after the statement before them."""
    begun: list[PlacedStatement] = []
    for statement in placed:
        since = statement.since
        if statement.outdated:
            since -= MINIMUM_HELD_PERIOD
            if begun and since <= (before := begun[-1].since):
                since = max(before, to_instant(before + (statement.since - before) / 2))
        begun.append(
            PlacedStatement(statement.memory, statement.stated, since, outdated=statement.outdated)
        )
    return begun
