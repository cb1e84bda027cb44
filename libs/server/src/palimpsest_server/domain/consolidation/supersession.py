"""Timelines of an attribute: its values, the start of each, and what ended each.

Statements are sorted by the time from which they hold, whatever order they
arrive in, and processed once:

- Neighbouring statements of one value form one memory.
- If an attribute has one value at a time, another value closes the one before.
- A statement that a value no longer holds closes it; that it holds again closes that end.
- "B instead of A" closes A. So does a switch to B, if it can be told what A was. A dislike
  closes a like.
- A change that happened before somebody still held the old value as the present, and was told only
  after that, is `news`.

A closed value ends where the statement that closed it begins. So a late
statement never overrides a newer one, and any order of arrival gives the same
timelines.
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
    """Return the memories of the timeline with this statement in its place.

    `line` holds the active and superseded memories of one family of attributes of
    one subject in one scope. `statement` is the memory that it would be if there were
    no other. Memories that the statement cannot affect are left out of the result.
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
    """Return whether a memory is part of its attribute's timeline.

    A statement with an end of its own is not: it does not contradict what holds before and after.
    """
    return memory.status is Status.SUPERSEDED or (
        memory.status is Status.ACTIVE and memory.valid_until is None
    )


def _touched(line: Iterable[Memory], statement: Memory) -> list[Memory]:
    """Collect the memories that share a value or a single-valued attribute, directly or through others."""
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
    """Return the memory of each run. A memory split by another value keeps its id for its first part."""
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
    """Archive a memory that continues another memory's value; the other has its evidence now."""
    return memory.model_copy(
        update={
            "status": Status.ARCHIVED,
            "status_reason": JOINED_REASON,
            "supersedes": (),
            "superseded_by": None,
        }
    )


def _stating(run: Interval, holder: Memory) -> Memory:
    """Return the memory that states the run's value, from the time at which the run begins."""
    if not _unchanged(holder, run.stated):
        return merge_statements(holder, run.stated).model_copy(update={"valid_from": run.since})
    if not run.outdated and not is_outdated(holder):
        return holder
    since = run.since if is_outdated(holder) else min(run.since, holder.valid_from)
    return holder if since == holder.valid_from else holder.model_copy(update={"valid_from": since})


def _unchanged(holder: Memory, stated: Iterable[Memory]) -> bool:
    """Return whether the memory has the same evidence, so that manual corrections of it stay."""
    held = {piece for statement in stated for piece in statement.evidence}
    return held == set(evidence.stamp_evidence(holder))


def _reason(run: Interval) -> str:
    if run.state.attribute is None:
        return HELD_AGAIN_REASON
    ended = run.closed_by is not None and run.closed_by.state.attribute is None
    return ENDED_REASON if ended else REPLACED_REASON
