"""Keys by which memories are found that a candidate may repeat or replace."""

from palimpsest.domain.evolution.attributes import (
    attribute_named,
    family,
    has_many_values,
    subject_named,
    value_named,
)
from palimpsest.domain.evolution.statements import apart, values_named
from palimpsest.domain.evolution.wording import gist, normalised
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Candidate, Memory


def content_key(memory: Memory | Candidate) -> str:
    """Equal for wordings of one statement, of one kind, in one scope."""
    return derive("content", *_place(memory), memory.kind.value, gist(memory.content))


def attribute_key(memory: Memory | Candidate) -> str | None:
    """Equal for one attribute of one subject in one scope; None without attribute and value.

    What was set right by hand stays in its attribute's line, though nobody said its value.
    """
    if memory.attribute is None or (memory.value is None and not _corrected_values(memory)):
        return None
    return _attribute_key(memory, attribute_named(memory.attribute))


def family_keys(memory: Memory | Candidate) -> list[str]:
    """The attribute keys of what this may end, or be ended by; its own among them."""
    if memory.attribute is None or memory.value is None:
        return []
    return [_attribute_key(memory, attribute) for attribute in family(memory.attribute)]


def value_keys(memory: Memory | Candidate) -> list[str]:
    """Equal for one value in a family of attributes that have many; of each value it speaks of.

    Statements of such attributes touch what shares a key with them, at any
    remove, and nothing else. None where an attribute of the family has one
    value at a time: there each statement touches all of them.
    """
    attribute, corrected = memory.attribute, _corrected_values(memory)
    if attribute is None or not has_many_values(attribute):
        return []
    if memory.value is None and not corrected:
        return []
    parts = apart(memory) if isinstance(memory, Memory) and memory.statements else (memory,)
    # As it is written too: so it was keyed while drinking coffee and coffee were two.
    named = {normalised(one.value or "") for one in parts}.union(*map(values_named, parts))
    named |= set(map(value_named, corrected))
    place = (*_place(memory), subject_named(memory.subject), family(attribute)[0])
    return [derive("value", *place, value) for value in sorted(named)]


def _corrected_values(memory: Memory | Candidate) -> tuple[str, ...]:
    """By what it said before it is known again when that is told once more."""
    if not isinstance(memory, Memory):
        return ()
    return tuple(one.value for one in memory.corrections if one.value is not None)


def keys(memory: Memory | Candidate) -> list[str]:
    attribute = attribute_key(memory)
    return [content_key(memory)] if attribute is None else [content_key(memory), attribute]


def _attribute_key(memory: Memory | Candidate, attribute: str) -> str:
    return derive("attribute", *_place(memory), subject_named(memory.subject), attribute)


def _place(memory: Memory | Candidate) -> tuple[str, str | None, str | None]:
    scope = memory.scope
    return (scope.user_id, scope.agent_id, scope.project_id)
