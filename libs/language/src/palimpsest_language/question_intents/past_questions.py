"""Recognize questions about the past: about what no longer holds.

Words like "before", 之前 and "original" speak of what no longer holds only where the question
tells of a state that was: "before I leave" and 三点之前 are about what is to come.
"""

from palimpsest_language.phrase_tables import read_phrases

_PAST = tuple(
    read_phrases(f"question_intents/{language}_past_questions")["past"]
    for language in ("english", "chinese")
)


def asks_about_the_past(question: str) -> bool:
    """Return whether what no longer holds is asked for, as in "where did I use to live"."""
    return any(phrases.search(question) for phrases in _PAST)
