"""Input and results of the plan rules of each language."""

from enum import StrEnum
from typing import NamedTuple

from palimpsest.model.kinds import select_kinds

PLAN_KINDS = frozenset(select_kinds(lambda kind: kind.times.may_tell_plan))
"""Kinds that may state a plan."""


class PlanText(NamedTuple):
    """The parts of a memory that the plan rules read."""

    content: str
    subject: str | None = None
    recurs: bool = False
    """True if its understood time recurs: every Thursday."""
    to_come: bool = False
    """True if its time was ahead when it was said."""


class PlanEnding(StrEnum):
    """The way in which a plan ends, as the stored reason."""

    CALLED_OFF = "it was called off"
    GIVEN_UP = "it was given up"
    """A habit was given up."""
    MOVED = "it was given another time"
    SET_RIGHT = "its time was set right"
    SAID_WRONG = "it was said to be wrong"
    """The statement that holds in its place was told with it."""
    TOLD_ANEW = "it was told anew"
    """The same was told with another number or another time."""
    HAS_NEW_VALUE = "it has another value now"
    """The same was told with another value, as the present state."""
    STATES_OLD_VALUE = "it states a value that holds no longer"
    """Another statement of its words had the value for its own, and has ended."""
    PLANNED_AGAIN = "it was planned again"
    """The ended memory is the earlier cancellation."""


CHANGING_ENDINGS = frozenset({PlanEnding.MOVED, PlanEnding.TOLD_ANEW, PlanEnding.HAS_NEW_VALUE})
"""Endings after which the plan goes on; the ending memory is a plan itself."""
