"""A rule: a pattern over one sentence, and its meaning when it fits."""

from collections.abc import Callable
from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

MatchGroups = dict[str, str]
"""The named groups that the pattern caught, `value` among them."""

RefineGroups = Callable[[MatchGroups], MatchGroups | None]
"""Refines the caught groups, and may add others (`attribute`, `verb`); None refuses the match."""

SPEAKER = "speaker"
"""The subject of a rule about the speaker."""

USER_SAYS = frozenset({Role.USER})
AGENT_SAYS = frozenset({Role.AGENT})
ANYONE_SAYS = frozenset({Role.USER, Role.AGENT})


@dataclass(frozen=True, kw_only=True)
class FactRule:
    """In a table, earlier rules win over later ones for the same words.

    `content` and `attribute` are templates over the groups, `{subject}` and
    `{possessive}` among them.
    """

    id: str
    kind: Kind
    pattern: LazyPattern
    content: str
    refine: RefineGroups
    attribute: str | None = None
    subject: str | None = SPEAKER
    said_by: frozenset[Role] = USER_SAYS
    ended: bool = False
    """True if the rule says that the value no longer holds."""
    names_entity: bool = False
    """True if the value is a name."""
