"""Build a timeline: sort the statements by time, and merge those of one state into intervals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from palimpsest.model.memory import Evidence, Memory
from palimpsest_server.domain.consolidation import evidence
from palimpsest_server.domain.consolidation.attribute_states import (
    AttributeState,
    attribute_state,
    is_state_ended_by,
)
from palimpsest_server.domain.consolidation.implicit_replacements import find_implicit_replacements
from palimpsest_server.domain.consolidation.memory_statements import (
    replace_evidence,
    split_into_statements,
    statement_sort_key,
)
from palimpsest_server.domain.consolidation.retroactive_changes import (
    PlacedStatement,
    is_outdated,
    place_statements,
)

REPLACED_REASON = "another value holds since"
ENDED_REASON = "it was said to hold no longer"
HELD_AGAIN_REASON = "it was said to hold again"

_OWN_REASONS = frozenset({REPLACED_REASON, ENDED_REASON, HELD_AGAIN_REASON})

ENDLESS = datetime.max.replace(tzinfo=UTC)


@dataclass(eq=False)
class Interval:
    """Neighbouring statements of one state, and the memory that holds them."""

    state: AttributeState
    holder: Memory
    stated: list[Memory]
    since: datetime
    outdated: bool
    """True if the interval had ended when the first of its statements was said."""
    closed_by: "Interval | None" = None
    closed_at: datetime = ENDLESS
    closes: list["Interval"] = field(default_factory=list)


def build_timeline(line: Sequence[Memory], statement: Memory) -> "Timeline":
    """Build the timeline of a line's memories with another statement added."""
    held = [(memory, stated) for memory in line for stated in split_into_statements(memory)]
    owners = {piece: memory for memory, stated in held for piece in _pieces(stated)}
    # A statement that is placed again belongs to the memory that it became the first time.
    same = next((memory for memory in line if memory.id == statement.id), statement)
    held += [(_owner(stated, owners, same), stated) for stated in split_into_statements(statement)]
    fixed = find_external_ends(line)
    over = {
        memory.id: fixed[memory.id] for memory in line if memory.id in fixed if is_outdated(memory)
    }
    distinct = [*_distinct(sorted(held, key=lambda pair: statement_sort_key(pair[1])))]
    named, as_said = _with_replaced_named(distinct)
    walk = Timeline(as_said)
    for placed in place_statements(named, over):
        walk.take(placed, added=statement.id, fixed=fixed)
    return walk


_Piece = tuple[AttributeState, tuple[object, ...]]
"""A state, and the identity of a piece of evidence for it."""


def _pieces(stated: Memory) -> list[_Piece]:
    state = attribute_state(stated)
    return [(state, evidence.evidence_identity(piece)) for piece in stated.evidence]


def _owner(stated: Memory, owners: Mapping[_Piece, Memory], otherwise: Memory) -> Memory:
    """Return the memory that already rests on this evidence; `otherwise` if there is none."""
    return next((owners[piece] for piece in _pieces(stated) if piece in owners), otherwise)


def _distinct(ordered: Sequence[tuple[Memory, Memory]]) -> Iterator[tuple[Memory, Memory]]:
    """Yield statements with each piece of evidence once for a state: where first stated, as first received."""
    first: dict[_Piece, Evidence] = {}
    for _, statement in ordered:
        for piece, held in zip(_pieces(statement), statement.evidence, strict=True):
            first[piece] = evidence.pick_earlier(first.get(piece, held), held)
    seen: set[_Piece] = set()
    for memory, statement in ordered:
        fresh = [piece for piece in _pieces(statement) if piece not in seen]
        seen.update(fresh)
        if fresh:
            yield memory, replace_evidence(statement, [first[piece] for piece in fresh])


def _with_replaced_named(
    held: Sequence[tuple[Memory, Memory]],
) -> tuple[list[tuple[Memory, Memory]], dict[int, Memory]]:
    """Name the replaced value in statements that leave it out, and keep each as it was said."""
    replaced = find_implicit_replacements(statement for _, statement in held)
    named: list[tuple[Memory, Memory]] = []
    as_said: dict[int, Memory] = {}
    for memory, statement in held:
        value = replaced.get(id(statement))
        data = statement.data if value is None else {**statement.data, "replaces": value}
        told = statement if value is None else statement.model_copy(update={"data": data})
        named.append((memory, told))
        as_said[id(told)] = statement
    return named, as_said


class Timeline:
    """Processes the statements of a line in the order of time."""

    def __init__(self, as_said: Mapping[int, Memory]) -> None:
        self._as_said = as_said
        self.runs: list[Interval] = []
        self.joined: dict[str, Memory] = {}
        """Memories with statements that became part of another memory's interval."""
        self._open: dict[AttributeState, Interval] = {}

    def take(self, placed: PlacedStatement, *, added: str, fixed: dict[str, datetime]) -> None:
        memory, stated = placed.memory, placed.stated
        state, said = attribute_state(stated), self._as_said[id(stated)]
        run = self._open.get(state)
        if run is None or not _continues(run, placed, added=added, fixed=fixed):
            run = Interval(state, memory, [said], placed.since, placed.outdated)
            self.runs.append(run)
            self._open[state] = run
        else:
            # Memories keep their ids: the added statement joins an existing memory.
            run.holder = memory if run.holder.id == added else run.holder
            run.stated.append(said)
            if memory.id not in (run.holder.id, added):
                self.joined[memory.id] = memory
        for other in [*self._open.values()]:
            if other is not run and is_state_ended_by(stated, other.state):
                other.closed_by, other.closed_at = run, placed.since
                run.closes.append(other)
                del self._open[other.state]


def _continues(
    run: Interval, placed: PlacedStatement, *, added: str, fixed: dict[str, datetime]
) -> bool:
    memory, holder = placed.memory, run.holder
    if placed.since >= fixed.get(holder.id, ENDLESS):
        return memory.id == holder.id
    if memory.id == holder.id or added in (memory.id, holder.id):
        return True
    if memory.id in fixed or holder.id in fixed:
        return False
    # The statement between the two moved elsewhere, or one of the two moved.
    moved = run.outdated or placed.outdated or is_outdated(memory)
    return moved or holder.valid_until is not None


def find_external_ends(line: Iterable[Memory]) -> dict[str, datetime]:
    """Return the ends of memories that were ended by something outside the line, by memory id."""
    line = list(line)
    inside = {memory.id for memory in line}
    return {
        memory.id: memory.valid_until
        for memory in line
        if memory.valid_until is not None
        and (memory.superseded_by not in inside or memory.status_reason not in _OWN_REASONS)
    }
