"""The state that a statement gives an attribute, and the states that it ends."""

from dataclasses import dataclass

from palimpsest.model.memory import Memory
from palimpsest_language.attributes.attribute_names import (
    PARTNER_ATTRIBUTES,
    attributes_ended_by,
    canonical_attribute,
    is_narrower_value,
    is_single_valued,
    is_without_partner,
)
from palimpsest_server.domain.consolidation.memory_statements import replaced_value, stated_value


@dataclass(frozen=True)
class AttributeState:
    """The state of an attribute: a value holds, or a value has ended."""

    value: str
    attribute: str | None = None
    """None if a value of any attribute of the family has ended."""
    kind: str | None = None
    """None if the attribute has one value at a time, which is the same value under any kind."""


def attribute_state(stated: Memory) -> AttributeState:
    value, attribute = stated_value(stated), canonical_attribute(stated.attribute or "")
    if stated.ended:
        return AttributeState(value)
    return AttributeState(
        value, attribute, None if is_single_valued(attribute) else stated.kind.value
    )


def is_state_ended_by(stated: Memory, other: AttributeState) -> bool:
    """Return whether a statement ends another state."""
    state = attribute_state(stated)
    if state.attribute is None:
        return other.attribute is not None and _is_of(other, state)
    if other.attribute is None:
        return _is_of(state, other)
    if _parts(state, other) or _parts(other, state):
        return True
    if other.value == state.value:
        return other.attribute in attributes_ended_by(state.attribute)
    if other.attribute == state.attribute and is_single_valued(state.attribute):
        return True
    return other.value == replaced_value(stated)


def _is_of(held: AttributeState, over: AttributeState) -> bool:
    """Return whether the ended value is the held one, or a wider one that includes it."""
    return held.value == over.value or is_narrower_value(
        held.attribute or "", held.value, over.value
    )


def _parts(state: AttributeState, other: AttributeState) -> bool:
    """Return whether one state says that there is no partner, and the other names one."""
    return (
        is_without_partner(state.attribute or "", state.value)
        and other.attribute in PARTNER_ATTRIBUTES
    )
