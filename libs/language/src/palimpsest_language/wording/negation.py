"""Negation: whether words deny something, and what they would say without that."""

import re
from functools import lru_cache

from palimpsest_language.wording.normalization import extract_gist

_NEGATION = re.compile(
    r"\b(?:do|does|am|is|are)? ?(?:not|never|no longer)\b|不再?|没有?|\bany ?more\b"
)


@lru_cache(maxsize=8192)
def is_negated(content: str) -> bool:
    return len(_NEGATION.findall(_plain(content))) % 2 == 1


@lru_cache(maxsize=8192)
def strip_negation(content: str) -> str:
    """Return the gist without negation: the same for a statement and its denial."""
    return extract_gist(_NEGATION.sub(" ", _plain(content)))


def _plain(content: str) -> str:
    return re.sub(r"n['’]t\b", " not", content.casefold())
