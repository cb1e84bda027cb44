"""Recognizes messages that only repeat the question.

A chat service stores a question before it asks it. Nothing is nearer to a question than itself, and
nothing answers it less.
"""

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_ENDS = "?!.,;:~…。、，；：？！ "


def normalize_question(text: str) -> str:
    """Return a text without case, width, spaces and marks at its end."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACES.sub("", folded).rstrip(_ENDS)


def repeats_question(text: str, question: str) -> bool:
    """Return whether a text is the question, which is given by `normalize_question`."""
    return bool(question) and normalize_question(text) == question
