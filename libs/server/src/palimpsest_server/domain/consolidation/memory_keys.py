"""Keys that find the memories a candidate may repeat or replace."""

from collections.abc import Collection
from functools import lru_cache

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Candidate, Memory, memory_id
from palimpsest.model.scope import Scope
from palimpsest_language.attributes.attribute_names import (
    attribute_family,
    canonical_attribute,
    canonical_subject,
    canonical_value,
    has_exclusive_values,
    has_many_values,
    opposed_attributes,
)
from palimpsest_language.stances.stance import read_stance
from palimpsest_language.wording.negation import is_negated, strip_negation
from palimpsest_language.wording.normalization import extract_gist, normalize_wording
from palimpsest_language.wording.quantity_claims import parse_quantity_claim
from palimpsest_server.domain.consolidation.memory_statements import (
    mentioned_values,
    split_into_statements,
)
from palimpsest_server.domain.consolidation.plan_keys import plan_keys
from palimpsest_server.domain.memory_dates import find_meant_times


def content_key(memory: Memory | Candidate) -> str:
    """Return a key that is equal for wordings of one statement, of one kind, in one scope.

    The times that relative words mean are part of the key, because "tomorrow" said on another day is
    another statement. Without such words the key depends on the words alone. A memory that stands
    alone has the key of its id.
    """
    if memory.standalone:
        own = (
            memory.id if isinstance(memory, Memory) else memory_id(memory.scope.user_id, memory.id)
        )
        return derive_id("standalone", own)
    return _content_key(memory, extract_gist(memory.content))


def attribute_key(memory: Memory | Candidate) -> str | None:
    """Return a key of attribute, subject and scope; None without attribute and value.

    A memory corrected by hand keeps its attribute's timeline, even if the correction has no value.
    """
    if memory.standalone or memory.attribute is None:
        return None
    if memory.value is None and not _corrected_values(memory):
        return None
    return _attribute_key(memory, canonical_attribute(memory.attribute))


def attribute_keys_in_scope(scope: Scope, subject: str, attributes: Collection[str]) -> list[str]:
    """Return the attribute keys of these attributes of a subject in one scope."""
    return [_key(scope, subject, canonical_attribute(attribute)) for attribute in attributes]


def family_keys(memory: Memory | Candidate) -> list[str]:
    """Return the attribute keys of statements that this one may end or be ended by, its own included."""
    if memory.standalone or memory.attribute is None or memory.value is None:
        return []
    return [_attribute_key(memory, attribute) for attribute in attribute_family(memory.attribute)]


def value_keys(memory: Memory | Candidate) -> list[str]:
    """Return a key for each value that a statement mentions, in a family of attributes with many values.

    Such a statement affects only statements that share a key with it, directly or through others. The list
    is empty if an attribute of the family has one value at a time, because each statement then affects
    all others.
    """
    attribute, corrected = memory.attribute, _corrected_values(memory)
    if attribute is None or not has_many_values(attribute):
        return []
    if memory.value is None and not corrected:
        return []
    parts = (
        split_into_statements(memory)
        if isinstance(memory, Memory) and memory.statements
        else (memory,)
    )
    # Also as written, because older keys kept "drinking coffee" and "coffee" apart.
    named = {normalize_wording(part.value or "") for part in parts}.union(
        *map(mentioned_values, parts)
    )
    named |= set(map(canonical_value, corrected))
    place = (*_place(memory), canonical_subject(memory.subject), attribute_family(attribute)[0])
    return [derive_id("value", *place, value) for value in sorted(named)]


def _corrected_values(memory: Memory | Candidate) -> tuple[str, ...]:
    """Return the values before each correction, by which an old statement is recognised."""
    if not isinstance(memory, Memory):
        return ()
    return tuple(
        correction.value for correction in memory.corrections if correction.value is not None
    )


def claim_keys(memory: Memory | Candidate) -> list[str]:
    """Return keys that are equal for varying statements about one thing, and for its denials.

    A statement that asserts the thing has no claim key of its own: see `contradiction_keys`.
    """
    if memory.attribute is not None:
        return []
    if (found := parse_quantity_claim(memory.content, memory.data)) is not None:
        return [derive_id("varying", *_place(memory), found[0])]
    if memory.kind.properties.is_lasting and is_negated(memory.content):
        return [_denial(memory)]
    return []


def contradiction_keys(memory: Memory | Candidate) -> list[str]:
    """Return the keys under which contradicting statements without attribute are found."""
    if memory.attribute is not None:
        return []
    if parse_quantity_claim(memory.content, memory.data) is not None:
        return claim_keys(memory)
    if not memory.kind.properties.is_lasting:
        return []
    if is_negated(memory.content):
        return [_content_key(memory, strip_negation(memory.content))]
    return [_denial(memory)]


def attribute_contradiction_keys(memory: Memory | Candidate) -> list[str]:
    """Return the keys of attributes with values that may contradict this one."""
    if memory.attribute is None or memory.value is None:
        return []
    names = [canonical_attribute(memory.attribute)] * has_exclusive_values(memory.attribute)
    return [
        _attribute_key(memory, name) for name in (*names, *opposed_attributes(memory.attribute))
    ]


def stance_keys(memory: Memory | Candidate) -> list[str]:
    """Return keys of what a statement accepts or refuses, equal for all statements about the same thing."""
    if isinstance(memory, Memory) and memory.ended:
        return []
    stance = read_stance(memory.content, memory.attribute, memory.value)
    place = (*_place(memory), canonical_subject(memory.subject))
    topics = () if stance is None else sorted(stance.topics)
    return [derive_id("stance", *place, topic) for topic in topics]


KEY_RULES_VERSION = 8
"""Raised whenever `stored_keys` returns other keys for a memory, so that stored memories get the new keys.
Memories stored before this number existed have none."""


def stored_keys(memory: Memory | Candidate) -> list[str]:
    """Return the keys of values, claims and plans, stored beside those of content and attribute."""
    if memory.standalone:
        return []
    claims = (*claim_keys(memory), *stance_keys(memory))
    return [*value_keys(memory), *claims, *plan_keys(memory)]


def lookup_keys(memory: Memory | Candidate) -> list[str]:
    if memory.standalone:
        return [content_key(memory)]
    attribute = attribute_key(memory)
    own = [content_key(memory)] if attribute is None else [content_key(memory), attribute]
    return [*own, *claim_keys(memory), *stance_keys(memory), *plan_keys(memory)]


def _content_key(memory: Memory | Candidate, words: str) -> str:
    meant = find_meant_times(memory)
    return derive_id("content", *_place(memory), memory.kind.value, words, *meant)


def _denial(memory: Memory | Candidate) -> str:
    """Return the key of statements that deny this one, or that this one denies."""
    return derive_id("denial", *_place(memory), memory.kind.value, strip_negation(memory.content))


def _attribute_key(memory: Memory | Candidate, attribute: str) -> str:
    return _key(memory.scope, memory.subject, attribute)


@lru_cache(maxsize=8192)
def _key(scope: Scope, subject: str | None, attribute: str) -> str:
    """Return a cached key, because it is computed several times for one candidate."""
    place = (scope.user_id, scope.agent_id, scope.project_id)
    return derive_id("attribute", *place, canonical_subject(subject), attribute)


def _place(memory: Memory | Candidate) -> tuple[str, str | None, str | None]:
    scope = memory.scope
    return (scope.user_id, scope.agent_id, scope.project_id)
