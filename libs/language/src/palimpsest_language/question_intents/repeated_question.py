"""Recognize messages that say no more than the question itself.

A chat service stores what is asked before it asks for it: nothing is nearer to a
question than itself, and nothing answers it less.
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
