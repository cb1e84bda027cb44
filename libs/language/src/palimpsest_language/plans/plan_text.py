"""The input and the answers of a language's rules on plans."""

from enum import StrEnum
from typing import NamedTuple

from palimpsest.model.kinds import select_kinds

PLAN_KINDS = frozenset(select_kinds(lambda kind: kind.times.may_tell_plan))
"""What a plan may be told as."""


class PlanText(NamedTuple):
    """The parts of a memory by which its words are judged."""

    content: str
    subject: str | None = None
    recurs: bool = False
    """By the time that was understood of it: every Thursday."""
    to_come: bool = False
    """It has a time that was yet to come when it was said."""


class PlanEnding(StrEnum):
    """The way in which something ends; the reason that is kept with it."""

    CALLED_OFF = "it was called off"
    GIVEN_UP = "it was given up"
    """A habit: whenever it would be next."""
    MOVED = "it was given another time"
    SET_RIGHT = "its time was set right"
    SAID_WRONG = "it was said to be wrong"
    """What holds in its place was told with it."""
    TOLD_ANEW = "it was told anew"
    """With another number, or another time."""
    PLANNED_AGAIN = "it was planned again"
    """What ends is what had called it off."""


CHANGING_ENDINGS = frozenset({PlanEnding.MOVED, PlanEnding.TOLD_ANEW})
"""It is to be all the same, and what says so is a plan itself."""
