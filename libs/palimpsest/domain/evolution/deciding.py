"""What becomes of a candidate, and of a command about a memory, given what is known."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from palimpsest.domain.evolution import evidence, supersession
from palimpsest.domain.evolution.attributes import same_value
from palimpsest.domain.evolution.contradicting import set_against
from palimpsest.domain.evolution.duplicates import reinforced
from palimpsest.domain.evolution.endings import says_it_ended
from palimpsest.domain.evolution.keys import attribute_key, content_key, family_keys
from palimpsest.domain.evolution.moves import may_move, moved
from palimpsest.domain.evolution.news import is_news
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.plans.ending import end_plans, moves_what_is_to_be_done
from palimpsest.domain.evolution.statements import about, facts
from palimpsest.domain.evolution.understanding import understood
from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Memory, Status, memory_id


class Outcome(StrEnum):
    ADDED = "added"
    DUPLICATE = "duplicate"
    """Known, with this very evidence: nothing changed."""
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    """Added, and it took the place of what held before."""
    REPLACED = "replaced"
    """Known, and now said in these words or with these data."""
    ADDED_AS_PAST = "added as past"
    """Added, and something newer holds already."""
    FORGOTTEN = "forgotten"
    UNSAID = "said without what is not to be remembered"
    COMPLETED = "done"
    """What was to be done is."""
    REOPENED = "to be done after all"
    WAITING = "waits for a yes"
    REJECTED_BEFORE = "was rejected before"
    CORRECTED_SINCE = "was set right since"
    """Somebody has written something else for it after it was said."""
    NO_EVIDENCE = "no evidence"
    """Nothing was quoted for it, so nothing is kept."""
    UNKNOWN = "no such memory"
    NOT_ALLOWED = "not allowed from its status"


def decide(
    known: Overlay, candidate: Candidate, *, received_at: datetime, epoch: int, position: int = 0
) -> Outcome:
    """Put into `known` what the candidate changes in it.

    Args:
        known: must hold what the stores hold under the candidate's keys and its id; where its
            attribute has many values, at least what `Nearby` asks for.
        candidate: what was proposed.
        received_at: when its cause was received.
        epoch: of its cause.
        position: among what was proposed together; of one moment the later one holds.
    """
    if not candidate.evidence:
        return Outcome.NO_EVIDENCE
    stated = statement(candidate, received_at=received_at, epoch=epoch, position=position)
    if moves_what_is_to_be_done(known, stated):
        stated = stated.model_copy(update={"kind": Kind.ACTION_ITEM})
    outcome = _decided(known, stated)
    if outcome in (Outcome.ADDED, Outcome.SUPERSEDED):
        set_against(known, stated.id)
        outcome = _with_plans(known, stated, outcome)
    return outcome


def _with_plans(known: Overlay, stated: Memory, outcome: Outcome) -> Outcome:
    """What became of it, once plans have ended that it ends, or it with what ends it."""
    end_plans(known, stated.id)
    own = known.get(stated.id)
    if own is None or own.status is not Status.SUPERSEDED:
        return Outcome.SUPERSEDED if own is not None and own.supersedes else outcome
    return Outcome.ADDED_AS_PAST


def _decided(known: Overlay, stated: Memory) -> Outcome:
    if stated.attribute is None or stated.value is None:
        return _decide_by_content(known, stated)
    if stated.valid_until is None:
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


def statement(
    candidate: Candidate, *, received_at: datetime, epoch: int, position: int = 0
) -> Memory:
    """The memory that a candidate would be, were there no other."""
    candidate = understood(candidate)
    fields = candidate.model_dump(exclude={"id", "confirmed"})
    memory = Memory.model_validate(
        {
            **fields,
            **_ending(candidate),
            "id": memory_id(candidate.scope.user_id, candidate.id),
            "recorded_at": received_at,
            "status": Status.ACTIVE,
            "epoch": epoch,
        }
    )
    held = [
        one.model_copy(update={"position": position, "news": is_news(memory, one)})
        for one in evidence.stamped(memory)
    ]
    return memory.model_copy(update={"evidence": evidence.united(held)})


def _ending(candidate: Candidate) -> dict[str, Any]:
    """Of what says that something is over: since when, which is not until when it says so."""
    if candidate.attribute is None or candidate.value is None:
        return {"ended": False}
    if not candidate.ended and (
        candidate.valid_until is not None or not says_it_ended(candidate.content, candidate.value)
    ):
        return {}
    since = candidate.valid_until or candidate.valid_from
    return {"ended": True, "valid_from": since, "valid_until": None}


def _decide_by_content(known: Overlay, stated: Memory) -> Outcome:
    memory = _same_words(known, stated)
    return _add(known, stated) if memory is None else _reinforce(known, memory, stated)


def _decide_by_value(known: Overlay, stated: Memory) -> Outcome:
    """What held for a while only: it ends nothing, and only the very same is the same."""
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
    return _reinforce(known, about(plain, stated), stated)


def _decide_by_line(known: Overlay, stated: Memory) -> Outcome:
    line = _line(known, stated)
    if any(_is_corrected(memory, stated) for memory in line):
        return Outcome.CORRECTED_SINCE
    plain = _same_words(known, stated)
    if (
        plain is not None
        and plain.attribute is None
        and not any(
            same_value(memory.value, stated.value) and memory.ended == stated.ended
            for memory in line
        )
    ):
        # The same words were known, but not that they are about this attribute.
        _place(known, line, about(plain, stated))
        line = _line(known, stated)
    changes = _place(known, line, stated)
    own = next((after for _, after in changes if after.id == stated.id), None)
    if own is None:
        return _reinforced(changes)
    if own.status is Status.SUPERSEDED:
        return Outcome.ADDED_AS_PAST
    return Outcome.SUPERSEDED if own.supersedes else Outcome.ADDED


def _is_corrected(memory: Memory, stated: Memory) -> bool:
    """Whether this is what was said, before it was set right, of what the memory says now."""
    said = max(one.said_at or stated.valid_from for one in stated.evidence)
    return any(
        one.value is not None and said <= one.at and same_value(one.value, stated.value)
        for one in memory.corrections
    ) and not same_value(memory.value, stated.value)


def _reinforced(changes: Sequence[tuple[Memory | None, Memory]]) -> Outcome:
    """What became of memories to which nothing was added but what they rest on."""
    replaced = any(
        before is not None and _said(before) != _said(after) for before, after in changes
    )
    if replaced:
        return Outcome.REPLACED
    return Outcome.REINFORCED if changes else Outcome.DUPLICATE


def _said(memory: Memory) -> tuple[str, dict[str, Any]]:
    return (gist(memory.content), facts(memory.data))


def _line(known: Overlay, stated: Memory) -> list[Memory]:
    return [
        memory
        for key in family_keys(stated)
        for memory in known.with_key(key)
        if supersession.belongs(memory)
    ]


def _place(
    known: Overlay, line: list[Memory], stated: Memory
) -> list[tuple[Memory | None, Memory]]:
    """Put the line with this in its place into `known`; what this has changed, before and after."""
    before = {memory.id: memory for memory in line}
    placed = supersession.placed(line, stated)
    changes = [
        (before.get(memory.id), memory) for memory in placed if before.get(memory.id) != memory
    ]
    for _, after in changes:
        known.put(after)
    return changes


def _same_words(known: Overlay, stated: Memory) -> Memory | None:
    same = [
        memory
        for memory in known.with_key(content_key(stated))
        if memory.status is Status.ACTIVE and memory.valid_until == stated.valid_until
    ]
    return _first(same) if same else None


def _first(memories: list[Memory]) -> Memory:
    return min(memories, key=lambda memory: (memory.recorded_at, memory.id))


def _add(known: Overlay, stated: Memory) -> Outcome:
    known.put(stated)
    return Outcome.ADDED


def _reinforce(known: Overlay, memory: Memory, stated: Memory) -> Outcome:
    after = reinforced(memory, stated)
    if after == known.get(memory.id):
        return Outcome.DUPLICATE
    known.put(after)
    return Outcome.REINFORCED
