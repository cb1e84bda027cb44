"""Referents: tell statements that point to something else from those that name it."""

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.small_talk import is_passing

_PHRASES = read_phrases("statements/referents")
_DANGLING, _UNDECIDED = _PHRASES["dangling"], _PHRASES["undecided"]


def lacks_referent(content: str) -> bool:
    """Tell whether a statement says nothing without what was said around it.

    “The user doesn't need it anymore”, 用户现在住那儿: of what, and where, it does not hold.
    """
    return _DANGLING.search(content.strip()) is not None


def is_worth_keeping(content: str) -> bool:
    """Tell whether a statement is understood by itself, and of more than the weather of a day."""
    return not lacks_referent(content) and not is_passing(content)


def is_undecided(content: str) -> bool:
    """Tell whether a statement says that something is not decided yet."""
    return _UNDECIDED.search(content) is not None
