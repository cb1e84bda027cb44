"""An attribute with one value at a time: what was stated of it, as a line without gaps.

Statements are put in the order of the time they hold from, whatever order they
arrive in; neighbours of one value are one memory, and each memory ends where
the next begins. So a late statement never overrides a newer one, and any order
of arrival ends in the same line.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from palimpsest.domain.evolution import evidence
from palimpsest.domain.evolution.attributes import same_value
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Evidence, Memory, Status

REPLACED = "another value holds since"

_ENDLESS = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Statement:
    """What was stated at one time, and the memory that it was taken from."""

    memory: Memory
    evidence: tuple[Evidence, ...]

    @property
    def time(self) -> tuple[datetime, datetime]:
        first = self.evidence[0]
        return (
            first.valid_from or self.memory.valid_from,
            first.received_at or self.memory.recorded_at,
        )


@dataclass(frozen=True)
class _Run:
    """Neighbouring statements of one value, and the memory that is to hold them."""

    memory: Memory
    statements: tuple[_Statement, ...]


def placed(line: Sequence[Memory], statement: Memory) -> list[Memory]:
    """The whole line with this statement in its place.

    `line` holds the active and superseded memories of one subject and one
    single-valued attribute in one scope; `statement` is the memory that it
    would be, were there no other.
    """
    known = [one for memory in sorted(line, key=_place) for one in _statements(memory, memory)]
    # What is placed a second time belongs to the memory that it became the first time.
    holder = next((memory for memory in line if memory.id == statement.id), statement)
    # A stable sort: of equal times, what came later stands later.
    ordered = sorted([*known, *_statements(statement, holder)], key=lambda one: one.time)
    runs = _runs(ordered, statement, closed_elsewhere=_closed_elsewhere(line))
    memories = [_held(run) for run in _named(runs)]
    inside = {memory.id for memory in memories}
    linked = [
        _followed(memory, following, inside)
        for memory, following in pairwise([*memories, None])
        if memory is not None
    ]
    return [
        _following(memory, previous, inside)
        for previous, memory in pairwise([None, *linked])
        if memory is not None
    ]


def belongs(memory: Memory) -> bool:
    """Whether a memory is part of its attribute's line.

    What was stated with an end is not: it does not contradict what holds before and after.
    """
    return memory.status is Status.SUPERSEDED or (
        memory.status is Status.ACTIVE and memory.valid_until is None
    )


def _place(memory: Memory) -> tuple[datetime, datetime, datetime]:
    return (memory.valid_from, memory.recorded_at, memory.valid_until or _ENDLESS)


def _statements(memory: Memory, holder: Memory) -> list[_Statement]:
    by_time: dict[tuple[datetime | None, datetime | None], list[Evidence]] = {}
    for one in evidence.united(evidence.stamped(memory)):
        by_time.setdefault((one.valid_from, one.received_at), []).append(one)
    return [_Statement(holder, tuple(held)) for held in by_time.values()]


def _closed_elsewhere(line: Iterable[Memory]) -> dict[str, datetime]:
    """Memories that were ended by something that is no longer part of the line, and when."""
    inside = {memory.id for memory in line}
    return {
        memory.id: memory.valid_until
        for memory in line
        if memory.valid_until is not None and memory.superseded_by not in inside
    }


def _runs(
    ordered: Sequence[_Statement], added: Memory, *, closed_elsewhere: dict[str, datetime]
) -> list[_Run]:
    runs: list[_Run] = []
    for statement in ordered:
        last = runs[-1] if runs else None
        if last is None or not _continues(last, statement, added, closed_elsewhere):
            runs.append(_Run(statement.memory, (statement,)))
            continue
        # Memories keep their ids: the added statement joins one that is there.
        holder = statement.memory if last.memory.id == added.id else last.memory
        runs[-1] = _Run(holder, (*last.statements, statement))
    return runs


def _continues(
    run: _Run, statement: _Statement, added: Memory, closed_elsewhere: dict[str, datetime]
) -> bool:
    if not same_value(run.memory.value, statement.memory.value):
        return False
    if statement.time[0] >= closed_elsewhere.get(run.memory.id, _ENDLESS):
        return statement.memory.id == run.memory.id
    return statement.memory.id == run.memory.id or added.id in (statement.memory.id, run.memory.id)


def _named(runs: Sequence[_Run]) -> list[_Run]:
    """A memory that another value has split keeps its id for the first part."""
    seen: set[str] = set()
    named = []
    for run in runs:
        memory = run.memory
        if memory.id in seen:
            valid_from, received_at = run.statements[0].time
            part = derive("part", memory.id, valid_from.isoformat(), received_at.isoformat())
            memory = memory.model_copy(
                update={"id": part, "version": 1, "supersedes": (), "occurred_at": valid_from}
            )
        seen.add(memory.id)
        named.append(_Run(memory, run.statements))
    return named


def _held(run: _Run) -> Memory:
    together = evidence.united(one for held in run.statements for one in held.evidence)
    return run.memory.model_copy(
        update={
            "evidence": together,
            "confidence": evidence.confidence(together),
            "importance": max(one.memory.importance for one in run.statements),
            "valid_from": run.statements[0].time[0],
            "recorded_at": min(one.time[1] for one in run.statements),
        }
    )


def _followed(memory: Memory, following: Memory | None, inside: set[str]) -> Memory:
    ended = memory.valid_until if memory.superseded_by not in inside else None
    if ended is not None and (following is None or ended <= following.valid_from):
        return memory
    if following is None:
        return memory
    return memory.model_copy(
        update={
            "status": Status.SUPERSEDED,
            "status_reason": REPLACED,
            "valid_until": following.valid_from,
            "superseded_by": following.id,
        }
    )


def _following(memory: Memory, previous: Memory | None, inside: set[str]) -> Memory:
    before = tuple(one for one in memory.supersedes if one not in inside)
    if previous is not None and previous.superseded_by == memory.id:
        before = (*before, previous.id)
    return (
        memory if before == memory.supersedes else memory.model_copy(update={"supersedes": before})
    )
