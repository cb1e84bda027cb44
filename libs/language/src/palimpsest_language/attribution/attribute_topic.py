"""What one has one of at a time, as it is spoken of: words of the topic, and what can be its value."""

import re
from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern


@dataclass(frozen=True, kw_only=True)
class AttributeTopic:
    attribute: str
    kind: Kind
    cue: re.Pattern[str]
    """What a statement about it has in it."""
    values: tuple[LazyPattern, ...]
    """Each with a group `value`: names that can be nothing else, or whatever stands at a certain place."""
    is_own: bool = False
    """Whoever speaks of it so speaks of themselves, even if they do not say so."""


@dataclass(frozen=True, kw_only=True)
class TopicLanguage:
    """How a language speaks of what one has, and what it says of others, of the past, or of nobody."""

    topics: tuple[AttributeTopic, ...]
    vetoes: re.Pattern[str]
    """Statements in which nothing is said to hold for the speaker now."""
    left_before: re.Pattern[str]
    """What stands before a value that holds no longer, or does not hold."""
    left_behind: re.Pattern[str]
    """What stands behind one."""
    holds_now: re.Pattern[str]
    """Of two values the one beside these words holds."""
    about_speaker: re.Pattern[str]
    """Statements without it are of nobody, unless they leave the speaker out."""


def join_alternatives(words: str) -> str:
    """Of names separated by `|`, over any number of lines, the longest first."""
    names = sorted((" ".join(name.split()) for name in words.split("|")), key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", r"[ -]?") for name in names if name)
