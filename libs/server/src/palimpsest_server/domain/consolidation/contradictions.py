"""Relate two memories that cannot both be true, if neither replaces the other.

| statement | contradicting statement |
| --- | --- |
| that something is liked | that it is avoided, or disliked |
| a day, an hour, an amount of something | another one of the same |
| something in plain words | the same words with a "not" |
| that something is taken or done, in any words | that it is refused, or its whole sort |

Statements contradict each other only if both come from people or both from agents. An event that
was over before the other statement is another occasion, and no contradiction.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Protocol

from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest.model.memory_times import ends_at, last_said_at
from palimpsest.model.turn import Role
from palimpsest_language.attributes.attribute_names import (
    canonical_attribute,
    canonical_subject,
    canonical_value,
    has_exclusive_values,
    is_same_value,
    opposed_attributes,
)
from palimpsest_language.stances.stance import Stance, are_opposed, read_stance
from palimpsest_language.wording.negation import is_negated, strip_negation
from palimpsest_language.wording.quantity_claims import parse_quantity_claim
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_contradiction_keys,
    claim_keys,
    contradiction_keys,
    stance_keys,
)
from palimpsest_server.domain.consolidation.overlay import Overlay

CONTRADICTION_STRENGTH = 0.8
"""Strength of the relation, which is found by words that may be misread."""

MAXIMUM_CONTRADICTIONS = 20
"""Maximum relations of one memory that are found by words. Statements that contradict more are counters
and price lists, and each of thousands would name all others."""


class AttributeClaim(Protocol):
    """A statement with a subject and an attribute."""

    @property
    def subject(self) -> str | None: ...
    @property
    def attribute(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...


def relate_contradictions(known: Overlay, memory_id: str) -> None:
    """Relate a memory in `known` to the memories that contradict it, in both directions.

    `known` must hold the stored memories under the keys of contradicting statements. At most
    `MAXIMUM_CONTRADICTIONS` relations are kept for one memory.
    """
    new = known.get(memory_id)
    if new is None or new.status is not Status.ACTIVE:
        return
    keys = dict.fromkeys(
        [
            *claim_keys(new),
            *contradiction_keys(new),
            *attribute_contradiction_keys(new),
            *stance_keys(new),
        ]
    )
    beside = {memory.id: memory for key in keys for memory in known.with_key(key)}
    for other in sorted(beside.values(), key=lambda memory: memory.id):
        if not _has_room(new):
            break
        if _has_room(other) and is_contradiction(new, other):
            new = _related(new, other.id)
            known.put(_related(other, new.id))
    known.put(new)


def _has_room(memory: Memory) -> bool:
    against = sum(relation.type is RelationType.CONTRADICTS for relation in memory.relations)
    return against < MAXIMUM_CONTRADICTIONS


def is_contradiction(memory: Memory, other: Memory) -> bool:
    """Return whether both memories hold and cannot both be true."""
    if memory.id == other.id or memory.scope != other.scope:
        return False
    if (memory.said_by is Role.AGENT) != (other.said_by is Role.AGENT):
        return False
    if any(
        each.status is not Status.ACTIVE or each.ended or each.valid_until
        for each in (memory, other)
    ):
        return False
    if are_opposed(_read_stance(memory), _read_stance(other)):
        return canonical_subject(memory.subject) == canonical_subject(other.subject)
    if memory.attribute is not None or other.attribute is not None:
        return is_attribute_conflict(memory, other)
    return _differ_in_words(memory, other)


def _read_stance(memory: Memory) -> Stance | None:
    return read_stance(memory.content, memory.attribute, memory.value)


def find_unrelated_contradictions(memories: Iterable[Memory]) -> list[tuple[Memory, Memory]]:
    """Find pairs that contradict each other and are not related yet.

    Only memories that share a stance key are compared: a few of possibly thousands.
    """
    by_key: dict[str, list[Memory]] = {}
    for memory in sorted(memories, key=lambda each: each.id):
        for key in stance_keys(memory):
            by_key.setdefault(key, []).append(memory)
    pairs = {
        (one.id, other.id): (one, other)
        for together in by_key.values()
        for one, other in combinations(together, 2)
        if not _has(one.relations, other.id) and is_contradiction(one, other)
    }
    return list(pairs.values())


def relate_pair(memory: Memory, other: Memory) -> tuple[Memory, Memory]:
    """Return both memories, each related to the other."""
    return _related(memory, other.id), _related(other, memory.id)


def contradiction_subject(memory: AttributeClaim) -> tuple[str, ...] | None:
    """Return a key equal for all values that may contradict each other; None if none can contradict."""
    if memory.attribute is None or not memory.value:
        return None
    name = canonical_attribute(memory.attribute)
    if has_exclusive_values(name):
        return (name, canonical_subject(memory.subject))
    if opposed_attributes(name):
        return ("taste", canonical_subject(memory.subject), canonical_value(memory.value))
    return None


def is_attribute_conflict(memory: AttributeClaim, other: AttributeClaim) -> bool:
    """Return whether two values of one subject exclude each other."""
    if memory.attribute is None or other.attribute is None or not (memory.value and other.value):
        return False
    name, other_name = canonical_attribute(memory.attribute), canonical_attribute(other.attribute)
    alike = name == other_name
    if not (has_exclusive_values(name) if alike else other_name in opposed_attributes(name)):
        return False
    if is_same_value(memory.value, other.value) == alike:
        return False
    return canonical_subject(memory.subject) == canonical_subject(other.subject)


def _differ_in_words(memory: Memory, other: Memory) -> bool:
    ours, theirs = (
        parse_quantity_claim(memory.content, memory.data),
        parse_quantity_claim(other.content, other.data),
    )
    if ours is not None and theirs is not None:
        said, otherwise = dict(ours[1]), dict(theirs[1])
        differs = any(said[sort] != otherwise[sort] for sort in said.keys() & otherwise.keys())
        return ours[0] == theirs[0] and differs and not _is_another_occasion(memory, other)
    return (
        memory.kind is other.kind
        and is_negated(memory.content) != is_negated(other.content)
        and strip_negation(memory.content) == strip_negation(other.content)
    )


def _is_another_occasion(memory: Memory, other: Memory) -> bool:
    earlier, later = sorted((memory, other), key=last_said_at)
    over = ends_at(earlier)
    return over is not None and over <= last_said_at(later)


def _related(memory: Memory, other_id: str) -> Memory:
    """Add the relation, in an order that does not depend on the order of the statements."""
    if _has(memory.relations, other_id):
        return memory
    against_it = Relation(
        type=RelationType.CONTRADICTS, memory_id=other_id, strength=CONTRADICTION_STRENGTH
    )
    rest = [
        relation for relation in memory.relations if relation.type is not RelationType.CONTRADICTS
    ]
    known = [relation for relation in memory.relations if relation.type is RelationType.CONTRADICTS]
    ordered = sorted([*known, against_it], key=lambda relation: relation.memory_id)
    return memory.model_copy(update={"relations": (*rest, *ordered)})


def _has(relations: Iterable[Relation], memory_id: str) -> bool:
    return any(
        relation.type is RelationType.CONTRADICTS and relation.memory_id == memory_id
        for relation in relations
    )
