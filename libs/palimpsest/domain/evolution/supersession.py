"""What was stated of an attribute, as lines in time: what holds, since when, and what ended it.

Statements are put in the order of the time they hold from, whatever order they
arrive in, and gone through once:

- Neighbouring statements of one value are one memory.
- Of an attribute with one value at a time another value closes the one before.
- That a value no longer holds closes it; that it holds again closes that it did not.
- Whoever uses B "instead of A" no longer uses A; what is disliked is liked no more.

What is closed ends where the statement that closed it begins. So a late
statement never overrides a newer one, and any order of arrival ends in the same
lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from palimpsest.domain.evolution import evidence
from palimpsest.domain.evolution.attributes import (
    attribute_named,
    is_single_valued,
    opposite,
    value_named,
)
from palimpsest.domain.evolution.statements import (
    apart,
    moment,
    order,
    replaced_value,
    resting_on,
    together,
    values_named,
)
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Evidence, Memory, Status

REPLACED = "another value holds since"
ENDED = "it was said to hold no longer"
AGAIN = "it was said to hold again"

_OWN_REASONS = frozenset({REPLACED, ENDED, AGAIN})

_ENDLESS = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _State:
    """What a statement says: that an attribute has a value, or that a value is over."""

    value: str
    attribute: str | None = None
    """None: that the value is over, whichever attribute of the family it was of."""
    kind: str | None = None
    """None where one value holds at a time: whatever kind it is called, it is that one."""


@dataclass(eq=False)
class _Run:
    """Neighbouring statements of one state, and the memory that is to hold them."""

    state: _State
    holder: Memory
    stated: list[Memory]
    closed_by: "_Run | None" = None
    closed_at: datetime = _ENDLESS
    closes: list["_Run"] = field(default_factory=list)


def placed(line: Sequence[Memory], statement: Memory) -> list[Memory]:
    """The memories of the line with this statement in its place.

    `line` holds the active and superseded memories of one family of attributes of
    one subject in one scope; `statement` is the memory that it would be, were there
    no other. What the statement cannot touch is left out of the answer.
    """
    touched = _touched(line, statement)
    runs = _walked(touched, statement)
    holders = _named(runs)
    inside = {memory.id for memory in (*touched, *holders)}
    fixed = _closed_elsewhere(touched)
    names = {id(run): holder.id for run, holder in zip(runs, holders, strict=True)}
    return [
        _held(run, holder, names, inside, fixed_end=fixed.get(run.holder.id))
        for run, holder in zip(runs, holders, strict=True)
    ]


def belongs(memory: Memory) -> bool:
    """Whether a memory is part of its attribute's line.

    What was stated with an end is not: it does not contradict what holds before and after.
    """
    return memory.status is Status.SUPERSEDED or (
        memory.status is Status.ACTIVE and memory.valid_until is None
    )


def _touched(line: Iterable[Memory], statement: Memory) -> list[Memory]:
    """Whatever shares a value with the statement, or an attribute with one value, at any remove."""
    rest = sorted(line, key=_place)
    values, attributes = _reach([statement])
    touched: list[Memory] = []
    while True:
        near, far = list[Memory](), list[Memory]()
        for memory in rest:
            own_values, own_attributes = _reach(apart(memory) if memory.statements else [memory])
            is_near = own_values & values or own_attributes & attributes
            (near if is_near else far).append(memory)
        if not near:
            return sorted(touched, key=_place)
        more_values, more_attributes = _reach(one for each in near for one in apart(each))
        values, attributes = values | more_values, attributes | more_attributes
        touched, rest = [*touched, *near], far


def _reach(stated: Iterable[Memory]) -> tuple[set[str], set[str]]:
    values, attributes = set[str](), set[str]()
    for one in stated:
        values |= values_named(one)
        if not one.ended and is_single_valued(one.attribute or ""):
            attributes.add(attribute_named(one.attribute or ""))
    return values, attributes


def _place(memory: Memory) -> tuple[datetime, datetime, datetime, str]:
    return (memory.valid_from, memory.recorded_at, memory.valid_until or _ENDLESS, memory.id)


def _walked(line: Sequence[Memory], statement: Memory) -> list[_Run]:
    held = [(memory, one) for memory in line for one in apart(memory)]
    owners = {piece: memory for memory, one in held for piece in _pieces(one)}
    # What is placed a second time belongs to the memory that it became the first time.
    same = next((memory for memory in line if memory.id == statement.id), statement)
    held += [(_owner(one, owners, same), one) for one in apart(statement)]
    fixed = _closed_elsewhere(line)
    walk = _Walk()
    for memory, one in _distinct(sorted(held, key=lambda pair: order(pair[1]))):
        walk.take(memory, one, added=statement.id, fixed=fixed)
    return walk.runs


_Piece = tuple[_State, tuple[object, ...]]
"""A piece of evidence, and what it is evidence of."""


def _pieces(stated: Memory) -> list[_Piece]:
    state = _state(stated)
    return [(state, evidence.identity(one)) for one in stated.evidence]


def _owner(stated: Memory, owners: Mapping[_Piece, Memory], otherwise: Memory) -> Memory:
    """The memory that rests on this very evidence already."""
    return next((owners[piece] for piece in _pieces(stated) if piece in owners), otherwise)


def _distinct(ordered: Sequence[tuple[Memory, Memory]]) -> Iterator[tuple[Memory, Memory]]:
    """Each piece of evidence speaks once for a state: where it was stated first, as received first."""
    first: dict[_Piece, Evidence] = {}
    for _, one in ordered:
        for piece, held in zip(_pieces(one), one.evidence, strict=True):
            first[piece] = evidence.earlier(first.get(piece, held), held)
    seen: set[_Piece] = set()
    for memory, one in ordered:
        fresh = [piece for piece in _pieces(one) if piece not in seen]
        seen.update(fresh)
        if fresh:
            yield memory, resting_on(one, [first[piece] for piece in fresh])


class _Walk:
    """Through the statements of a line in the order of time."""

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self._open: dict[_State, _Run] = {}

    def take(
        self, memory: Memory, stated: Memory, *, added: str, fixed: dict[str, datetime]
    ) -> None:
        state = _state(stated)
        run = self._open.get(state)
        if run is None or not _continues(run, memory, stated, added=added, fixed=fixed):
            run = _Run(state, memory, [stated])
            self.runs.append(run)
            self._open[state] = run
        else:
            # Memories keep their ids: the added statement joins one that is there.
            run.holder = memory if run.holder.id == added else run.holder
            run.stated.append(stated)
        for other in [*self._open.values()]:
            if other is not run and _ends(state, stated, other.state):
                other.closed_by, other.closed_at = run, stated.valid_from
                run.closes.append(other)
                del self._open[other.state]


def _state(stated: Memory) -> _State:
    value, attribute = value_named(stated.value), attribute_named(stated.attribute or "")
    if stated.ended:
        return _State(value)
    return _State(value, attribute, None if is_single_valued(attribute) else stated.kind.value)


def _ends(state: _State, stated: Memory, other: _State) -> bool:
    """Whether one state ends with a statement of another."""
    if state.attribute is None:
        return other.attribute is not None and other.value == state.value
    if other.attribute is None:
        return other.value == state.value
    if other.value == state.value:
        return other.attribute == opposite(state.attribute)
    if other.attribute == state.attribute and is_single_valued(state.attribute):
        return True
    return other.value == replaced_value(stated)


def _continues(
    run: _Run, memory: Memory, stated: Memory, *, added: str, fixed: dict[str, datetime]
) -> bool:
    if stated.valid_from >= fixed.get(run.holder.id, _ENDLESS):
        return memory.id == run.holder.id
    return memory.id == run.holder.id or added in (memory.id, run.holder.id)


def _closed_elsewhere(line: Iterable[Memory]) -> dict[str, datetime]:
    """Memories that were ended by something that is no part of the line, and when."""
    line = list(line)
    inside = {memory.id for memory in line}
    return {
        memory.id: memory.valid_until
        for memory in line
        if memory.valid_until is not None
        and (memory.superseded_by not in inside or memory.status_reason not in _OWN_REASONS)
    }


def _named(runs: Sequence[_Run]) -> list[Memory]:
    """A memory that another value has split keeps its id for the first part."""
    seen: set[str] = set()
    named = []
    for run in runs:
        memory = run.holder
        if memory.id in seen:
            valid_from, position = moment(run.stated[0])
            part = derive("part", memory.id, valid_from.isoformat(), str(position))
            memory = memory.model_copy(update={"id": part, "version": 1, "supersedes": ()})
        seen.add(memory.id)
        named.append(memory)
    return named


def _held(
    run: _Run,
    holder: Memory,
    names: dict[int, str],
    inside: set[str],
    *,
    fixed_end: datetime | None,
) -> Memory:
    memory = holder if _unchanged(holder, run.stated) else together(holder, run.stated)
    before = tuple(one for one in memory.supersedes if one not in inside)
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


def _unchanged(holder: Memory, stated: Iterable[Memory]) -> bool:
    """Then it stays as it is, whatever somebody has set right in it."""
    held = {one for statement in stated for one in statement.evidence}
    return held == set(evidence.stamped(holder))


def _reason(run: _Run) -> str:
    if run.state.attribute is None:
        return AGAIN
    ended = run.closed_by is not None and run.closed_by.state.attribute is None
    return ENDED if ended else REPLACED
