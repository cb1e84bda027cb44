"""Split a memory into its statements, and merge statements into a memory.

The same statements give the same memory in any order. The memory says what the latest of them said,
unless one was written as a memory. It has their highest importance, and rests on all of their
evidence.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from palimpsest.model.field_rules import list_words
from palimpsest.model.memory import (
    WORD_RULES,
    Candidate,
    Evidence,
    Memory,
    MemoryOrCandidateT,
    MemoryStatement,
)
from palimpsest_language.attributes.attribute_names import (
    canonical_attribute,
    canonical_value,
    is_same_value,
    wider_values,
)
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.consolidation import evidence
from palimpsest_server.domain.consolidation.unite_memories import unite_fields

StatementMoment = tuple[datetime, int]
"""The moment from which a statement holds, and its place among those proposed with it.

The time of receipt is left out, because nothing may depend on the order of arrival."""

_SAID = tuple(
    name
    for name in MemoryStatement.model_fields
    if name not in ("valid_from", "position", "value", "occurred_at")
)
_DETAILS = tuple(
    name
    for name in MemoryStatement.model_fields
    if name in WORD_RULES and WORD_RULES[name].goes_with_evidence
)
_NOTES = ("time", "mentions", "replaces", "states")
"""Keys of `data` that describe the statement, and not its subject."""


def statement_moment(stated: Memory) -> StatementMoment:
    """Return the moment of a statement."""
    return (stated.valid_from, stated.evidence[0].position)


def statement_sort_key(stated: Memory) -> tuple[object, ...]:
    """Return a sort key: by time, then by place among the proposals, then by content."""
    return (
        *statement_moment(stated),
        # An end counts for the whole family, whatever attribute it names.
        "" if stated.ended else canonical_attribute(stated.attribute or ""),
        canonical_value(stated.value),
        stated.kind.value,
        evidence.has_authored_evidence(stated.evidence),
        stated.content,
        stated.summary,
        stated.value or "",
        json.dumps(stated.data, sort_keys=True, default=str),
        stated.importance,
        *(list_words(getattr(stated, name)) for name in _DETAILS),
    )


def replaced_value(stated: Memory | Candidate) -> str | None:
    """Return the value that a statement says it replaces; None if it says none."""
    replaced = stated.data.get("replaces")
    return canonical_value(replaced) or None if isinstance(replaced, str) else None


def stated_value(stated: Memory | Candidate) -> str:
    """Return the value that a statement states; its content if it was written by hand without a value."""
    return (
        canonical_value(stated.value)
        if stated.value is not None
        else f"({extract_gist(stated.content)})"
    )


def mentioned_values(stated: Memory | Candidate) -> set[str]:
    """Return the values that a statement mentions."""
    value = stated_value(stated)
    named = {value, *wider_values(stated.attribute or "", value)}
    if replaced := replaced_value(stated):
        named.add(replaced)
    return named


def copy_attribute(plain: MemoryOrCandidateT, stated: Memory | Candidate) -> MemoryOrCandidateT:
    """Copy subject, attribute and value to an equal statement that lacks them."""
    return plain.model_copy(
        update={
            "subject": stated.subject,
            "attribute": stated.attribute,
            "value": stated.value,
        }
    )


def split_into_statements(memory: Memory) -> list[Memory]:
    """Return the statements of a memory, each as the memory that it alone would be, with the same id."""
    by_moment: dict[StatementMoment, list[Evidence]] = {}
    for piece in evidence.deduplicate_evidence(evidence.stamp_evidence(memory)):
        by_moment.setdefault((piece.valid_from or memory.valid_from, piece.position), []).append(
            piece
        )
    said = {
        (statement.valid_from, statement.position): statement for statement in memory.statements
    }
    alone = len(by_moment) == 1
    return [
        _alone(memory, at, tuple(held), said.get(at), alone=alone) for at, held in by_moment.items()
    ]


def replace_evidence(stated: Memory, held: Sequence[Evidence]) -> Memory:
    """Return the statement with this evidence in place of its own."""
    received = [piece.received_at for piece in held if piece.received_at is not None]
    return stated.model_copy(
        update={
            "evidence": tuple(held),
            "recorded_at": min(received, default=stated.recorded_at),
            "confidence": max(piece.confidence or 0.0 for piece in held),
        }
    )


def merge_statements(holder: Memory, stated: Sequence[Memory]) -> Memory:
    """Return the memory that holds these statements of one value. Splitting it gives them again."""
    each = _once_a_moment(stated)
    spoken, data = _spoken(each), _data(each)
    memory = holder.model_copy(
        update={
            **{name: getattr(spoken, name) for name in (*_SAID, "value")},
            **unite_fields(each),
            # Pins belong to the holding memory, not to a statement.
            "pinned": holder.pinned,
            "data": {**data, **_notes(spoken.data)},
            "confidence": evidence.combine_confidence(
                piece
                for statement in each
                if strip_data_notes(statement.data) in ({}, data)
                for piece in statement.evidence
            ),
            "statements": (),
        }
    )
    if len(each) == 1:
        return memory
    moments = {(piece.valid_from, piece.position) for piece in memory.evidence}
    otherwise = tuple(
        _statement(statement)
        for statement in each
        if statement_moment(statement) in moments and _differs(statement, memory)
    )
    return memory.model_copy(update={"statements": otherwise})


def strip_data_notes(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data about the memory's subject, without notes on how it was said."""
    return {name: value for name, value in data.items() if name not in _NOTES}


def _alone(
    memory: Memory,
    at: StatementMoment,
    held: tuple[Evidence, ...],
    said: MemoryStatement | None,
    *,
    alone: bool,
) -> Memory:
    valid_from, _ = at
    update: dict[str, Any] = {
        "valid_from": valid_from,
        "occurred_at": memory.occurred_at if alone else valid_from,
        "statements": (),
    }
    if said is not None:
        update |= {name: getattr(said, name) for name in (*_SAID, "occurred_at")}
        # The memory's value may have been corrected since.
        if is_same_value(said.value, memory.value):
            update["value"] = said.value
    return replace_evidence(memory.model_copy(update=update), held)


def _once_a_moment(stated: Iterable[Memory]) -> list[Memory]:
    """Keep one statement for each moment, by time: the last one, with all evidence."""
    by_moment: dict[StatementMoment, Memory] = {}
    for statement in sorted(stated, key=statement_sort_key):
        before = by_moment.get(statement_moment(statement))
        if before is not None:
            speaks = statement if _authority(statement) >= _authority(before) else before
            held = evidence.deduplicate_evidence([*before.evidence, *statement.evidence])
            recorded_at = min(statement.recorded_at, before.recorded_at)
            statement = speaks.model_copy(  # noqa: PLW2901
                update={"evidence": held, "recorded_at": recorded_at}
            )
        by_moment[statement_moment(statement)] = statement
    return list(by_moment.values())


def _authority(stated: Memory) -> bool:
    return evidence.has_authored_evidence(stated.evidence)


def _spoken(each: Sequence[Memory]) -> Memory:
    """Return the statement that speaks for all: the latest one written as a memory, else the latest."""
    return next((statement for statement in reversed(each) if _authority(statement)), each[-1])


def _data(each: Sequence[Memory]) -> dict[str, Any]:
    """Return the latest data of the statements; empty if none has data."""
    having = [statement for statement in each if strip_data_notes(statement.data)]
    return strip_data_notes(_spoken(having).data) if having else {}


def _notes(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name in _NOTES}


def _differs(statement: Memory, memory: Memory) -> bool:
    return statement.occurred_at != statement.valid_from or any(
        getattr(statement, name) != getattr(memory, name) for name in (*_SAID, "value")
    )


def _statement(stated: Memory) -> MemoryStatement:
    valid_from, position = statement_moment(stated)
    return MemoryStatement(
        valid_from=valid_from,
        position=position,
        **{name: getattr(stated, name) for name in (*_SAID, "value", "occurred_at")},
    )
