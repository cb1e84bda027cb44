"""What becomes of a candidate, and of a command about a memory, given what is known."""

from datetime import datetime
from enum import StrEnum

from palimpsest.domain.evolution import evidence, supersession
from palimpsest.domain.evolution.attributes import is_single_valued, same_value
from palimpsest.domain.evolution.duplicates import reinforced
from palimpsest.domain.evolution.keys import attribute_key, content_key
from palimpsest.domain.evolution.moves import may_move, moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.memory import Candidate, Memory, Status, memory_id


class Outcome(StrEnum):
    ADDED = "added"
    DUPLICATE = "duplicate"
    """Known, with this very evidence: nothing changed."""
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    """Added, and it took the place of what held before."""
    ADDED_AS_PAST = "added as past"
    """Added, and something newer holds already."""
    FORGOTTEN = "forgotten"
    NO_EVIDENCE = "no evidence"
    """Nothing was quoted for it, so nothing is kept."""
    UNKNOWN = "no such memory"
    NOT_ALLOWED = "not allowed from its status"


def decide(known: Overlay, candidate: Candidate, *, received_at: datetime, epoch: int) -> Outcome:
    """Put into `known` what the candidate changes in it.

    `known` must hold what the stores hold under the candidate's keys and its id.
    """
    if not candidate.evidence:
        return Outcome.NO_EVIDENCE
    stated = statement(candidate, received_at=received_at, epoch=epoch)
    if stated.attribute is None or stated.value is None:
        return _decide_by_content(known, stated)
    if is_single_valued(stated.attribute) and stated.valid_until is None:
        return _decide_by_line(known, stated)
    return _decide_by_value(known, stated)


def forget(known: Overlay, forgotten_id: str, *, reason: str) -> Outcome:
    memory = known.get(forgotten_id)
    if memory is None:
        return Outcome.UNKNOWN
    if not may_move(memory, Status.FORGOTTEN):
        return Outcome.NOT_ALLOWED
    known.put(moved(memory, Status.FORGOTTEN, reason=reason))
    return Outcome.FORGOTTEN


def statement(candidate: Candidate, *, received_at: datetime, epoch: int) -> Memory:
    """The memory that a candidate would be, were there no other."""
    fields = candidate.model_dump(exclude={"id", "confirmed"})
    memory = Memory.model_validate(
        {
            **fields,
            "id": memory_id(candidate.scope.user_id, candidate.id),
            "recorded_at": received_at,
            "status": Status.ACTIVE,
            "epoch": epoch,
        }
    )
    return memory.model_copy(update={"evidence": evidence.united(evidence.stamped(memory))})


def _decide_by_content(known: Overlay, stated: Memory) -> Outcome:
    same = [
        memory
        for memory in known.with_key(content_key(stated))
        if memory.status is Status.ACTIVE and _same_end(memory, stated)
    ]
    if not same:
        return _add(known, stated)
    memory = min(same, key=lambda one: (one.recorded_at, one.id))
    if memory.attribute is None or memory.value is None or not is_single_valued(memory.attribute):
        return _reinforce(known, memory, stated)
    # The words of a memory with a line of its own state what it states.
    adopted = {"subject": memory.subject, "attribute": memory.attribute, "value": memory.value}
    return _decide_by_line(known, stated.model_copy(update=adopted))


def _decide_by_value(known: Overlay, stated: Memory) -> Outcome:
    """Several values may stand beside each other: only the same one is the same."""
    same = [
        memory
        for memory in known.with_key(attribute_key(stated) or "")
        if memory.status is Status.ACTIVE
        and memory.kind is stated.kind
        and same_value(memory.value, stated.value)
        and _same_end(memory, stated)
    ]
    if not same:
        return _add(known, stated)
    return _reinforce(known, min(same, key=lambda one: (one.recorded_at, one.id)), stated)


def _decide_by_line(known: Overlay, stated: Memory) -> Outcome:
    line = [
        memory
        for memory in known.with_key(attribute_key(stated) or "")
        if supersession.belongs(memory)
    ]
    before = {memory.id: memory for memory in line}
    changed = [
        memory for memory in supersession.placed(line, stated) if before.get(memory.id) != memory
    ]
    for memory in changed:
        known.put(memory)
    own = next((memory for memory in changed if memory.id == stated.id), None)
    if own is None:
        return Outcome.REINFORCED if changed else Outcome.DUPLICATE
    if own.status is Status.SUPERSEDED:
        return Outcome.ADDED_AS_PAST
    return Outcome.SUPERSEDED if own.supersedes else Outcome.ADDED


def _add(known: Overlay, stated: Memory) -> Outcome:
    known.put(stated)
    return Outcome.ADDED


def _reinforce(known: Overlay, memory: Memory, stated: Memory) -> Outcome:
    after = reinforced(memory, stated)
    if after == memory:
        return Outcome.DUPLICATE
    known.put(after)
    return Outcome.REINFORCED


def _same_end(one: Memory, other: Memory) -> bool:
    return one.valid_until == other.valid_until
