"""Timelines of an attribute: the values it had, since when, and what ended each.

Statements are put in the order of the time they hold from, whatever order they
arrive in, and gone through once:

- Neighbouring statements of one value are one memory.
- Of an attribute with one value at a time another value closes the one before.
- That a value no longer holds closes it; that it holds again closes that it did not.
- Whoever uses B "instead of A" no longer uses A, nor who was switched to B, where it can be told
  what A was; what is disliked is liked no more.
- What had changed before somebody still held the old as the present, and was told only
  after that, is `news`.

What is closed ends where the statement that closed it begins. So a late
statement never overrides a newer one, and any order of arrival ends in the same
lines.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, Status
from palimpsest_language.attributes.attribute_names import (
    MARITAL_STATUS,
    PARTNER_ATTRIBUTES,
    canonical_attribute,
    has_alternating_values,
    is_single_valued,
)
from palimpsest_server.domain.consolidation import evidence
from palimpsest_server.domain.consolidation.memory_statements import (
    mentioned_values,
    merge_statements,
    split_into_statements,
    statement_moment,
)
from palimpsest_server.domain.consolidation.retroactive_changes import is_outdated
from palimpsest_server.domain.consolidation.timeline import (
    ENDED_REASON,
    ENDLESS,
    HELD_AGAIN_REASON,
    REPLACED_REASON,
    Interval,
    build_timeline,
    find_external_ends,
)

JOINED_REASON = "another memory says it without a break"


def insert_into_timeline(line: Sequence[Memory], statement: Memory) -> list[Memory]:
    """The memories of the line with this statement in its place.

    `line` holds the active and superseded memories of one family of attributes of
    one subject in one scope; `statement` is the memory that it would be, were there
    no other. What the statement cannot touch is left out of the answer.
    """
    touched = _touched(line, statement)
    walk = build_timeline(touched, statement)
    runs = walk.runs
    holders = _named(runs)
    inside = {memory.id for memory in (*touched, *holders)}
    fixed = find_external_ends(touched)
    names = {id(run): holder.id for run, holder in zip(runs, holders, strict=True)}
    held = [
        _held(run, holder, names, inside, fixed_end=fixed.get(run.holder.id))
        for run, holder in zip(runs, holders, strict=True)
    ]
    taken_in = walk.joined.keys() - {holder.id for holder in holders}
    return [*held, *(_taken_in(walk.joined[each]) for each in sorted(taken_in))]


def is_in_timeline(memory: Memory) -> bool:
    """Tell whether a memory is part of its attribute's timeline.

    What was stated with an end is not: it does not contradict what holds before and after.
    """
    return memory.status is Status.SUPERSEDED or (
        memory.status is Status.ACTIVE and memory.valid_until is None
    )


def _touched(line: Iterable[Memory], statement: Memory) -> list[Memory]:
    """Collect the memories that share a value or a single-valued attribute, at any remove."""
    rest = sorted(line, key=_place)
    values, attributes = _reach([statement])
    touched: list[Memory] = []
    while True:
        near, far = list[Memory](), list[Memory]()
        for memory in rest:
            own_values, own_attributes = _reach(
                split_into_statements(memory) if memory.statements else [memory]
            )
            is_near = own_values & values or own_attributes & attributes
            (near if is_near else far).append(memory)
        if not near:
            return sorted(touched, key=_place)
        more_values, more_attributes = _reach(
            statement for each in near for statement in split_into_statements(each)
        )
        values, attributes = values | more_values, attributes | more_attributes
        touched, rest = [*touched, *near], far


def _reach(stated: Iterable[Memory]) -> tuple[set[str], set[str]]:
    values, attributes = set[str](), set[str]()
    for statement in stated:
        values |= mentioned_values(statement)
        name = canonical_attribute(statement.attribute or "")
        if has_alternating_values(name) or (not statement.ended and is_single_valued(name)):
            attributes.add(name)
        if not statement.ended and name in (*PARTNER_ATTRIBUTES, MARITAL_STATUS):
            attributes.add(MARITAL_STATUS)
    return values, attributes


def _place(memory: Memory) -> tuple[datetime, datetime, datetime, str]:
    return (memory.valid_from, memory.recorded_at, memory.valid_until or ENDLESS, memory.id)


def _named(runs: Sequence[Interval]) -> list[Memory]:
    """A memory that another value has split keeps its id for the first part."""
    seen: set[str] = set()
    named = []
    for run in runs:
        memory = run.holder
        if memory.id in seen:
            valid_from, position = statement_moment(run.stated[0])
            part = derive_id("part", memory.id, valid_from.isoformat(), str(position))
            memory = memory.model_copy(update={"id": part, "version": 1, "supersedes": ()})
        seen.add(memory.id)
        named.append(memory)
    return named


def _held(
    run: Interval,
    holder: Memory,
    names: dict[int, str],
    inside: set[str],
    *,
    fixed_end: datetime | None,
) -> Memory:
    memory = _stating(run, holder)
    before = tuple(memory_id for memory_id in memory.supersedes if memory_id not in inside)
    closes = tuple(dict.fromkeys(names[id(other)] for other in run.closes))
    if (*before, *closes) != memory.supersedes:
        memory = memory.model_copy(update={"supersedes": (*before, *closes)})
    if fixed_end is not None and fixed_end <= run.closed_at:
        return memory
    if run.closed_by is not None:
        return memory.model_copy(
            update={
                "status": Status.SUPERSEDED,
                "status_reason": _reason(run),
                "valid_until": run.closed_at,
                "superseded_by": names[id(run.closed_by)],
            }
        )
    if memory.status is Status.SUPERSEDED:
        return memory.model_copy(
            update={
                "status": Status.ACTIVE,
                "status_reason": None,
                "valid_until": None,
                "superseded_by": None,
            }
        )
    return memory


def _taken_in(memory: Memory) -> Memory:
    """It goes on what another memory says, which has its evidence now."""
    return memory.model_copy(
        update={
            "status": Status.ARCHIVED,
            "status_reason": JOINED_REASON,
            "supersedes": (),
            "superseded_by": None,
        }
    )


def _stating(run: Interval, holder: Memory) -> Memory:
    """The memory that says what the run states, from when on that held."""
    if not _unchanged(holder, run.stated):
        return merge_statements(holder, run.stated).model_copy(update={"valid_from": run.since})
    if not run.outdated and not is_outdated(holder):
        return holder
    since = run.since if is_outdated(holder) else min(run.since, holder.valid_from)
    return holder if since == holder.valid_from else holder.model_copy(update={"valid_from": since})


def _unchanged(holder: Memory, stated: Iterable[Memory]) -> bool:
    """Then it stays as it is, whatever somebody has set right in it."""
    held = {piece for statement in stated for piece in statement.evidence}
    return held == set(evidence.stamp_evidence(holder))


def _reason(run: Interval) -> str:
    if run.state.attribute is None:
        return HELD_AGAIN_REASON
    ended = run.closed_by is not None and run.closed_by.state.attribute is None
    return ENDED_REASON if ended else REPLACED_REASON
