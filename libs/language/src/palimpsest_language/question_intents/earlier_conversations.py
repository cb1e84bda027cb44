"""Recognize questions about an earlier conversation with the assistant.

What was said between the two of them can be looked up; what was said to a
boss, a doctor or a mother is life, and a matter for memories like any other.
"""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = tuple(
    read_phrases(f"question_intents/{language}_earlier_conversations")
    for language in ("english", "chinese")
)


def refers_to_earlier_conversation(question: str) -> bool:
    """Return whether a question is about what user and assistant said to each other before."""
    text = question.replace("’", "'")
    return any(
        phrases["talk"].search(text) and not phrases["with_others"].search(text)
        for phrases in _PHRASES
    )
