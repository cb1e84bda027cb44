"""What a statement says of a value, and which statements end what others say."""

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
    """What a statement says: that an attribute has a value, or that a value is over."""

    value: str
    attribute: str | None = None
    """None: that the value is over, whichever attribute of the family it was of."""
    kind: str | None = None
    """None where one value holds at a time: whatever kind it is called, it is that one."""


def attribute_state(stated: Memory) -> AttributeState:
    value, attribute = stated_value(stated), canonical_attribute(stated.attribute or "")
    if stated.ended:
        return AttributeState(value)
    return AttributeState(
        value, attribute, None if is_single_valued(attribute) else stated.kind.value
    )


def is_state_ended_by(stated: Memory, other: AttributeState) -> bool:
    """Whether the other state ends with this statement."""
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
    """Whether what is over is the value that was held, or what that is one of."""
    return held.value == over.value or is_narrower_value(
        held.attribute or "", held.value, over.value
    )


def _parts(one: AttributeState, other: AttributeState) -> bool:
    """Whether the one says that there is no partner, and the other who it is."""
    return (
        is_without_partner(one.attribute or "", one.value) and other.attribute in PARTNER_ATTRIBUTES
    )
