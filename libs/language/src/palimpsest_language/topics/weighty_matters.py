"""Matters that weigh in a life: health, and changes such as a resignation or a divorce."""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("topics/weighty_matters")


def speaks_of_health(text: str) -> bool:
    """Return whether a statement tells of somebody's health: allergies, illness, treatment."""
    return _PHRASES["health"].search(text) is not None


def is_weighty_matter(text: str) -> bool:
    """Return whether a statement tells of health or of a change of a life."""
    return speaks_of_health(text) or _PHRASES["life_change"].search(text) is not None
