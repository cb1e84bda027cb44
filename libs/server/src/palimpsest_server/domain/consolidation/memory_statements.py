"""A memory taken apart into the statements that it is made of, and put together again.

Whatever the order in which statements came, the same ones together are the same
memory: it says what the latest of them said, unless somebody wrote it down as a
memory; it is as important as the most important, and rests on all evidence.
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

The time of receipt is no part of it, because nothing may depend on the order of arrival.
"""

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
_NOTES = ("time", "mentions", "replaces")
"""Keys of `data` that say something of the statement and are not what it is about."""


def statement_moment(stated: Memory) -> StatementMoment:
    """Return the moment of a statement."""
    return (stated.valid_from, stated.evidence[0].position)


def statement_sort_key(stated: Memory) -> tuple[object, ...]:
    """Return a sort key: by time, then by the order in which they were proposed, then by content."""
    return (
        *statement_moment(stated),
        # What is over is over for the whole family, whichever attribute it was called.
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
    """The value that this one took the place of, where that was said."""
    replaced = stated.data.get("replaces")
    return canonical_value(replaced) or None if isinstance(replaced, str) else None


def stated_value(stated: Memory | Candidate) -> str:
    """The value that it states; what was written by hand without one states what it says."""
    return (
        canonical_value(stated.value)
        if stated.value is not None
        else f"({extract_gist(stated.content)})"
    )


def mentioned_values(stated: Memory | Candidate) -> set[str]:
    """The values that one statement speaks of."""
    value = stated_value(stated)
    named = {value, *wider_values(stated.attribute or "", value)}
    if replaced := replaced_value(stated):
        named.add(replaced)
    return named


def copy_attribute(plain: MemoryOrCandidateT, stated: Memory | Candidate) -> MemoryOrCandidateT:
    """Copy subject, attribute and value to a statement of the same that lacked them."""
    return plain.model_copy(
        update={
            "subject": stated.subject,
            "attribute": stated.attribute,
            "value": stated.value,
        }
    )


def split_into_statements(memory: Memory) -> list[Memory]:
    """Its statements, each as the memory that it would be alone, under the memory's id."""
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
    """The statement with this evidence and no other."""
    received = [piece.received_at for piece in held if piece.received_at is not None]
    return stated.model_copy(
        update={
            "evidence": tuple(held),
            "recorded_at": min(received, default=stated.recorded_at),
            "confidence": max(piece.confidence or 0.0 for piece in held),
        }
    )


def merge_statements(holder: Memory, stated: Sequence[Memory]) -> Memory:
    """The memory that holds these statements of one value; with those alone it says the same again."""
    each = _once_a_moment(stated)
    spoken, data = _spoken(each), _data(each)
    memory = holder.model_copy(
        update={
            **{name: getattr(spoken, name) for name in (*_SAID, "value")},
            **unite_fields(each),
            # A statement is never pinned by itself: the memory that holds it is.
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
    """The data that a memory is about, without what only notes how it was said."""
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
        # The memory's value may have been set right since.
        if is_same_value(said.value, memory.value):
            update["value"] = said.value
    return replace_evidence(memory.model_copy(update=update), held)


def _once_a_moment(stated: Iterable[Memory]) -> list[Memory]:
    """Keep one statement a moment, in the order of time: the last one, with all evidence."""
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
    """Return the statement that speaks for all: the latest, or one written as a memory."""
    return next((statement for statement in reversed(each) if _authority(statement)), each[-1])


def _data(each: Sequence[Memory]) -> dict[str, Any]:
    """The latest that there is. Statements of other data than that speak for it no more."""
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
