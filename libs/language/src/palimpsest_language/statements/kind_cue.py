"""Cues: words that tell of what kind a statement is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.facts.rule import AGENT_SAYS, ANYONE_SAYS, USER_SAYS
from palimpsest_language.rule_tables import put_pieces_in, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

SAID_BY = {"user": USER_SAYS, "agent": AGENT_SAYS, "anyone": ANYONE_SAYS}


class CueCondition(StrEnum):
    """A condition beside the words of a cue."""

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

    id: str
    kind: Kind
    pattern: LazyPattern
    needs: CueCondition = CueCondition.NOTHING
    said_by: frozenset[Role] = USER_SAYS


def read_kind_cues(table: str, pieces: Mapping[str, str]) -> tuple[KindCue, ...]:
    """Read a table of cues, with the pieces of patterns that code defines."""
    return tuple(
        KindCue(
            id=row.id,
            kind=Kind(row.columns["kind"]),
            pattern=LazyPattern(put_pieces_in(row.pattern, pieces), re.IGNORECASE),
            needs=CueCondition(row.columns.get("needs", "nothing")),
            said_by=SAID_BY[row.columns.get("said_by", "user")],
        )
        for row in read_rules(table)
    )
