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
    COMPLETED = "done"
    """What was to be done is."""
    REOPENED = "to be done after all"
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
    memory = _same_words(known, stated)
    return _add(known, stated) if memory is None else _reinforce(known, memory, stated)


def _decide_by_value(known: Overlay, stated: Memory) -> Outcome:
    """Several values may stand beside each other: only the same one is the same."""
    same = [
        memory
        for memory in known.with_key(attribute_key(stated) or "")
        if memory.status is Status.ACTIVE
        and memory.kind is stated.kind
        and same_value(memory.value, stated.value)
        and memory.valid_until == stated.valid_until
    ]
    if same:
        return _reinforce(known, _first(same), stated)
    plain = _same_words(known, stated)
    if plain is None or plain.attribute is not None:
        return _add(known, stated)
    return _reinforce(known, _about(plain, stated), stated)


def _decide_by_line(known: Overlay, stated: Memory) -> Outcome:
    line = _line(known, stated)
    plain = _same_words(known, stated)
    if (
        plain is not None
        and plain.attribute is None
        and not any(same_value(memory.value, stated.value) for memory in line)
    ):
        # The same words were known, but not that they are about this attribute.
        _place(known, line, _about(plain, stated))
        line = _line(known, stated)
    changed = _place(known, line, stated)
    own = next((memory for memory in changed if memory.id == stated.id), None)
    if own is None:
        return Outcome.REINFORCED if changed else Outcome.DUPLICATE
    if own.status is Status.SUPERSEDED:
        return Outcome.ADDED_AS_PAST
    return Outcome.SUPERSEDED if own.supersedes else Outcome.ADDED


def _line(known: Overlay, stated: Memory) -> list[Memory]:
    return [
        memory
        for memory in known.with_key(attribute_key(stated) or "")
        if supersession.belongs(memory)
    ]


def _place(known: Overlay, line: list[Memory], stated: Memory) -> list[Memory]:
    """Put the line with this in its place into `known`; answers what this has changed."""
    before = {memory.id: memory for memory in line}
    placed = supersession.placed(line, stated)
    changed = [memory for memory in placed if before.get(memory.id) != memory]
    for memory in changed:
        known.put(memory)
    return changed


def _same_words(known: Overlay, stated: Memory) -> Memory | None:
    same = [
        memory
        for memory in known.with_key(content_key(stated))
        if memory.status is Status.ACTIVE and memory.valid_until == stated.valid_until
    ]
    return _first(same) if same else None


def _first(memories: list[Memory]) -> Memory:
    return min(memories, key=lambda memory: (memory.recorded_at, memory.id))


def _about(plain: Memory, stated: Memory) -> Memory:
    """The memory, now that it is known what it is about."""
    return plain.model_copy(
        update={
            "subject": stated.subject,
            "attribute": stated.attribute,
            "value": stated.value,
        }
    )


def _add(known: Overlay, stated: Memory) -> Outcome:
    known.put(stated)
    return Outcome.ADDED


def _reinforce(known: Overlay, memory: Memory, stated: Memory) -> Outcome:
    after = reinforced(memory, stated)
    if after == known.get(memory.id):
        return Outcome.DUPLICATE
    known.put(after)
    return Outcome.REINFORCED
