"""Fields of a memory that hold words, by the rules declared at the fields."""

from collections.abc import Callable
from typing import Any

from palimpsest.model.memory import WORD_RULES

FIELDS_GONE_WITH_EVIDENCE = tuple(
    name for name, rule in WORD_RULES.items() if rule.goes_with_evidence
)
FIELDS_GONE_WHEN_REWORDED = tuple(
    name for name, rule in WORD_RULES.items() if rule.goes_when_reworded
)


def keep_words(value: Any, holds: Callable[[str], bool]) -> Any:
    """Return the value of a field without the words for which `holds` is false.

    Args:
        value: a text, a tuple of texts, or None.
        holds: tells whether a text may stay.
    """
    if isinstance(value, tuple):
        return tuple(word for word in value if holds(word))
    return value if value is None or holds(value) else None
