"""Statements of a line gone through in the order of time, and the runs of one state that they make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from palimpsest.domain.evolution import evidence
from palimpsest.domain.evolution.news import Placed, in_place, is_outdated
from palimpsest.domain.evolution.statements import apart, order, resting_on
from palimpsest.domain.evolution.states import State, ends, state_of
from palimpsest.domain.evolution.switching import replaced_in
from palimpsest.domain.memory import Evidence, Memory

REPLACED = "another value holds since"
ENDED = "it was said to hold no longer"
AGAIN = "it was said to hold again"

_OWN_REASONS = frozenset({REPLACED, ENDED, AGAIN})

ENDLESS = datetime.max.replace(tzinfo=UTC)


@dataclass(eq=False)
class Run:
    """Neighbouring statements of one state, and the memory that is to hold them."""

    state: State
    holder: Memory
    stated: list[Memory]
    since: datetime
    outdated: bool
    """Whether it had ended when the first of them was said."""
    closed_by: "Run | None" = None
    closed_at: datetime = ENDLESS
    closes: list["Run"] = field(default_factory=list)


def walked(line: Sequence[Memory], statement: Memory) -> "Walk":
    """Through the statements of the line's memories, with these added."""
    held = [(memory, one) for memory in line for one in apart(memory)]
    owners = {piece: memory for memory, one in held for piece in _pieces(one)}
    # What is placed a second time belongs to the memory that it became the first time.
    same = next((memory for memory in line if memory.id == statement.id), statement)
    held += [(_owner(one, owners, same), one) for one in apart(statement)]
    fixed = closed_elsewhere(line)
    over = {
        memory.id: fixed[memory.id] for memory in line if memory.id in fixed if is_outdated(memory)
    }
    distinct = [*_distinct(sorted(held, key=lambda pair: order(pair[1])))]
    named, as_said = _with_replaced_named(distinct)
    walk = Walk(as_said)
    for placed in in_place(named, over):
        walk.take(placed, added=statement.id, fixed=fixed)
    return walk


_Piece = tuple[State, tuple[object, ...]]
"""A piece of evidence, and what it is evidence of."""


def _pieces(stated: Memory) -> list[_Piece]:
    state = state_of(stated)
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


def _with_replaced_named(
    held: Sequence[tuple[Memory, Memory]],
) -> tuple[list[tuple[Memory, Memory]], dict[int, Memory]]:
    """Those that replace what they don't name with that named, and how each of them was said."""
    replaced = replaced_in(one for _, one in held)
    named: list[tuple[Memory, Memory]] = []
    as_said: dict[int, Memory] = {}
    for memory, one in held:
        value = replaced.get(id(one))
        data = one.data if value is None else {**one.data, "replaces": value}
        told = one if value is None else one.model_copy(update={"data": data})
        named.append((memory, told))
        as_said[id(told)] = one
    return named, as_said


class Walk:
    """Through the statements of a line in the order of time."""

    def __init__(self, as_said: Mapping[int, Memory]) -> None:
        self._as_said = as_said
        self.runs: list[Run] = []
        self.joined: dict[str, Memory] = {}
        """Memories of which statements became part of another one's run."""
        self._open: dict[State, Run] = {}

    def take(self, placed: Placed, *, added: str, fixed: dict[str, datetime]) -> None:
        memory, stated = placed.memory, placed.stated
        state, said = state_of(stated), self._as_said[id(stated)]
        run = self._open.get(state)
        if run is None or not _continues(run, placed, added=added, fixed=fixed):
            run = Run(state, memory, [said], placed.since, placed.outdated)
            self.runs.append(run)
            self._open[state] = run
        else:
            # Memories keep their ids: the added statement joins one that is there.
            run.holder = memory if run.holder.id == added else run.holder
            run.stated.append(said)
            if memory.id not in (run.holder.id, added):
                self.joined[memory.id] = memory
        for other in [*self._open.values()]:
            if other is not run and ends(stated, other.state):
                other.closed_by, other.closed_at = run, placed.since
                run.closes.append(other)
                del self._open[other.state]


def _continues(run: Run, placed: Placed, *, added: str, fixed: dict[str, datetime]) -> bool:
    memory, holder = placed.memory, run.holder
    if placed.since >= fixed.get(holder.id, ENDLESS):
        return memory.id == holder.id
    if memory.id == holder.id or added in (memory.id, holder.id):
        return True
    if memory.id in fixed or holder.id in fixed:
        return False
    # What stood between the two was found to stand elsewhere, or one of them was.
    moved = run.outdated or placed.outdated or is_outdated(memory)
    return moved or holder.valid_until is not None


def closed_elsewhere(line: Iterable[Memory]) -> dict[str, datetime]:
    """Memories that were ended by something that is no part of the line, and when."""
    line = list(line)
    inside = {memory.id for memory in line}
    return {
        memory.id: memory.valid_until
        for memory in line
        if memory.valid_until is not None
        and (memory.superseded_by not in inside or memory.status_reason not in _OWN_REASONS)
    }
