"""What a sign is: words that tell of what kind a statement is."""

import re
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.facts.rule import USER_SAYS


class CueCondition(StrEnum):
    """What must stand beside the words of a sign."""

    NOTHING = "nothing"
    COMING = "coming"
    """A time to come."""
    COMING_DAY = "coming_day"
    """The same, exact to the day at least."""
    PAST = "past"
    """A time that is over, or today."""
    NUMBER = "number"


@dataclass(frozen=True, kw_only=True)
class KindCue:
    """In a table, the first that fits tells the kind."""

    kind: Kind
    pattern: re.Pattern[str]
    needs: CueCondition = CueCondition.NOTHING
    said_by: frozenset[Role] = USER_SAYS


def compile_any(*patterns: str) -> re.Pattern[str]:
    """One pattern for all of these, whatever the case. Apostrophes are straight ones by then."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
