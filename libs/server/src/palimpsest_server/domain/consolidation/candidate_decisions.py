"""Decide on a candidate, and on commands about a memory, given the known memories."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest_language.attributes.attribute_names import is_same_value
from palimpsest_language.attributes.implied_attributes import infer_attribute
from palimpsest_language.wording.end_phrases import has_ended_value
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.consolidation import evidence, supersession
from palimpsest_server.domain.consolidation.contradictions import relate_contradictions
from palimpsest_server.domain.consolidation.duplicates import reinforce_memory
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_key,
    content_key,
    family_keys,
)
from palimpsest_server.domain.consolidation.memory_statements import (
    copy_attribute,
    strip_data_notes,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.plan_endings import end_plans, is_todo_rescheduled
from palimpsest_server.domain.consolidation.retroactive_changes import is_recent_change
from palimpsest_server.domain.consolidation.status_transitions import (
    change_status,
    is_transition_allowed,
)


class ConsolidationOutcome(StrEnum):
    ADDED = "added"
    DUPLICATE = "duplicate"
    """Known with the same evidence: nothing changed."""
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    """Added, and it replaced a value that held before."""
    REPLACED = "replaced"
    """Known, and now with these words or data."""
    ADDED_AS_PAST = "added as past"
    """Added, but a newer value holds already."""
    FORGOTTEN = "forgotten"
    UNSAID = "said without what is not to be remembered"
    COMPLETED = "done"
    """A todo was completed."""
    REOPENED = "to be done after all"
    WAITING = "waits for a yes"
    WITHHELD_TOPIC = "on a topic that is not to be remembered"
    REJECTED_BEFORE = "was rejected before"
    CORRECTED_SINCE = "was set right since"
    """Somebody corrected the statement after it was said."""
    NO_EVIDENCE = "no evidence"
    """The candidate has no evidence, so it is not stored."""
    UNKNOWN = "no such memory"
    NOT_ALLOWED = "not allowed from its status"


_KEPT_WHEN_REWRITTEN = ("recorded_at", "pinned", "relations", "version")
"""Fields of a memory that stands alone which are not rewritten under its key."""


def decide_candidate(
    known: Overlay, candidate: Candidate, *, received_at: datetime, epoch: int, position: int = 0
) -> ConsolidationOutcome:
    """Put the changes that follow from a candidate into `known`.

    Args:
        known: must hold the stored memories under the candidate's keys and id; for an attribute with
            many values, at least those that `MemoryLookup` asks for.
        candidate: the proposed memory.
        received_at: when the candidate's cause was received.
        epoch: the epoch of its cause.
        position: the place among candidates proposed together; of one moment the later one holds.
    """
    if not candidate.evidence:
        return ConsolidationOutcome.NO_EVIDENCE
    stated = build_memory(candidate, received_at=received_at, epoch=epoch, position=position)
    if stated.standalone:
        return _write_standalone(known, stated)
    if is_todo_rescheduled(known, stated):
        stated = stated.model_copy(update={"kind": Kind.ACTION_ITEM})
    outcome = _decided(known, stated)
    if outcome in (ConsolidationOutcome.ADDED, ConsolidationOutcome.SUPERSEDED):
        relate_contradictions(known, stated.id)
        outcome = _with_plans(known, stated, outcome)
    return outcome


def _write_standalone(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    """Add a memory that stands alone, or rewrite it; what people did to it stays."""
    memory = known.get(stated.id)
    if memory is None:
        return _add(known, stated)
    stands = memory.status is Status.ACTIVE
    kept = {
        name: getattr(memory, name) for name in (_KEPT_WHEN_REWRITTEN if stands else ("version",))
    }
    written = stated.model_copy(update=kept)
    if memory == written:
        return ConsolidationOutcome.DUPLICATE
    known.put(written)
    return ConsolidationOutcome.REPLACED


def _with_plans(
    known: Overlay, stated: Memory, outcome: ConsolidationOutcome
) -> ConsolidationOutcome:
    """End the plans that the statement ends, or the statement itself, and return the outcome."""
    end_plans(known, stated.id)
    own = known.get(stated.id)
    if own is None or own.status is not Status.SUPERSEDED:
        return ConsolidationOutcome.SUPERSEDED if own is not None and own.supersedes else outcome
    return ConsolidationOutcome.ADDED_AS_PAST


def _decided(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    if stated.attribute is None or stated.value is None:
        return _decide_by_content(known, stated)
    if stated.valid_until is None:
        return _decide_by_line(known, stated)
    return _decide_by_value(known, stated)


def forget_memory(known: Overlay, forgotten_id: str, *, reason: str) -> ConsolidationOutcome:
    memory = known.get(forgotten_id)
    if memory is None:
        return ConsolidationOutcome.UNKNOWN
    if not is_transition_allowed(memory, Status.FORGOTTEN):
        return ConsolidationOutcome.NOT_ALLOWED
    known.put(change_status(memory, Status.FORGOTTEN, reason=reason))
    return ConsolidationOutcome.FORGOTTEN


def build_memory(
    candidate: Candidate, *, received_at: datetime, epoch: int, position: int = 0
) -> Memory:
    """Build the memory that a candidate would be if there were no other."""
    candidate = candidate if candidate.standalone else infer_attribute(candidate)
    fields = candidate.model_dump(exclude={"id", "confirmed", "sensitive"})
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
        piece.model_copy(update={"position": position, "news": is_recent_change(memory, piece)})
        for piece in evidence.stamp_evidence(memory)
    ]
    return memory.model_copy(update={"evidence": evidence.merge_evidence(held)})


def _ending(candidate: Candidate) -> dict[str, Any]:
    """Return the fields of a statement of an end: it holds from that end on, and has no end itself."""
    if candidate.attribute is None or candidate.value is None:
        return {"ended": False}
    if not candidate.ended and (
        candidate.valid_until is not None or not has_ended_value(candidate.content, candidate.value)
    ):
        return {}
    since = candidate.valid_until or candidate.valid_from
    return {"ended": True, "valid_from": since, "valid_until": None}


def _decide_by_content(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    memory = _same_words(known, stated)
    return _add(known, stated) if memory is None else _reinforce(known, memory, stated)


def _decide_by_value(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    """Decide a value of limited time: it ends nothing, and only an equal value repeats it."""
    same = [
        memory
        for memory in known.with_key(attribute_key(stated) or "")
        if memory.status is Status.ACTIVE
        and memory.kind is stated.kind
        and is_same_value(memory.value, stated.value)
        and memory.valid_until == stated.valid_until
    ]
    if same:
        return _reinforce(known, _first(same), stated)
    plain = _same_words(known, stated)
    if plain is None or plain.attribute is not None:
        return _add(known, stated)
    return _reinforce(known, copy_attribute(plain, stated), stated)


def _decide_by_line(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    line = _line(known, stated)
    if any(_is_corrected(memory, stated) for memory in line):
        return ConsolidationOutcome.CORRECTED_SINCE
    plain = _same_words(known, stated)
    if (
        plain is not None
        and plain.attribute is None
        and not any(
            is_same_value(memory.value, stated.value) and memory.ended == stated.ended
            for memory in line
        )
    ):
        # The same words were known, but not as a value of this attribute.
        _place(known, line, copy_attribute(plain, stated))
        line = _line(known, stated)
    changes = _place(known, line, stated)
    own = next((after for _, after in changes if after.id == stated.id), None)
    if own is None:
        return _reinforced(changes)
    if own.status is Status.SUPERSEDED:
        return ConsolidationOutcome.ADDED_AS_PAST
    return ConsolidationOutcome.SUPERSEDED if own.supersedes else ConsolidationOutcome.ADDED


def _is_corrected(memory: Memory, stated: Memory) -> bool:
    """Return whether a statement repeats what the memory said before it was corrected."""
    said = max(piece.said_at or stated.valid_from for piece in stated.evidence)
    return any(
        correction.value is not None
        and said <= correction.at
        and is_same_value(correction.value, stated.value)
        for correction in memory.corrections
    ) and not is_same_value(memory.value, stated.value)


def _reinforced(changes: Sequence[tuple[Memory | None, Memory]]) -> ConsolidationOutcome:
    """Return the outcome for memories that gained nothing but evidence."""
    replaced = any(
        before is not None and _said(before) != _said(after) for before, after in changes
    )
    if replaced:
        return ConsolidationOutcome.REPLACED
    return ConsolidationOutcome.REINFORCED if changes else ConsolidationOutcome.DUPLICATE


def _said(memory: Memory) -> tuple[str, dict[str, Any]]:
    return (extract_gist(memory.content), strip_data_notes(memory.data))


def _line(known: Overlay, stated: Memory) -> list[Memory]:
    return [
        memory
        for key in family_keys(stated)
        for memory in known.with_key(key)
        if supersession.is_in_timeline(memory)
    ]


def _place(
    known: Overlay, line: list[Memory], stated: Memory
) -> list[tuple[Memory | None, Memory]]:
    """Put a statement into its timeline in `known`; return the changed memories, before and after."""
    before = {memory.id: memory for memory in line}
    placed = supersession.insert_into_timeline(line, stated)
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


def _add(known: Overlay, stated: Memory) -> ConsolidationOutcome:
    known.put(stated)
    return ConsolidationOutcome.ADDED


def _reinforce(known: Overlay, memory: Memory, stated: Memory) -> ConsolidationOutcome:
    after = reinforce_memory(memory, stated)
    if after == known.get(memory.id):
        return ConsolidationOutcome.DUPLICATE
    known.put(after)
    return ConsolidationOutcome.REINFORCED
