"""What a statement says of a value, and which statements end what others say."""

from dataclasses import dataclass

from palimpsest.domain.evolution.attributes import (
    COUPLE,
    attribute_named,
    ended_by,
    is_alone,
    is_one_of,
    is_single_valued,
)
from palimpsest.domain.evolution.statements import replaced_value, stated_value
from palimpsest.domain.memory import Memory


@dataclass(frozen=True)
class State:
    """What a statement says: that an attribute has a value, or that a value is over."""

    value: str
    attribute: str | None = None
    """None: that the value is over, whichever attribute of the family it was of."""
    kind: str | None = None
    """None where one value holds at a time: whatever kind it is called, it is that one."""


def state_of(stated: Memory) -> State:
    value, attribute = stated_value(stated), attribute_named(stated.attribute or "")
    if stated.ended:
        return State(value)
    return State(value, attribute, None if is_single_valued(attribute) else stated.kind.value)


def ends(stated: Memory, other: State) -> bool:
    """Whether the other state ends with this statement."""
    state = state_of(stated)
    if state.attribute is None:
        return other.attribute is not None and _is_of(other, state)
    if other.attribute is None:
        return _is_of(state, other)
    if _parts(state, other) or _parts(other, state):
        return True
    if other.value == state.value:
        return other.attribute in ended_by(state.attribute)
    if other.attribute == state.attribute and is_single_valued(state.attribute):
        return True
    return other.value == replaced_value(stated)


def _is_of(held: State, over: State) -> bool:
    """Whether what is over is the value that was held, or what that is one of."""
    return held.value == over.value or is_one_of(held.attribute or "", held.value, over.value)


def _parts(one: State, other: State) -> bool:
    """Whether the one says that there is no partner, and the other who it is."""
    return is_alone(one.attribute or "", one.value) and other.attribute in COUPLE
