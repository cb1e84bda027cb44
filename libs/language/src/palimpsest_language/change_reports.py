"""Statements of a change, and questions about the present.

“I'm not a morning person any more” replaces an earlier statement, though the two share no attribute
and no value.
"""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("change_reports")


def reports_change(text: str) -> bool:
    """Tell whether a statement says that something changed, or was wrong before."""
    return _PHRASES["reports_change"].search(text) is not None


def asks_about_present(question: str) -> bool:
    """Tell whether a question is about the speaker's present situation."""
    return _PHRASES["asks_about_present"].search(question) is not None


def corrects(text: str) -> bool:
    """Tell whether a text begins like a correction of the message before."""
    return _PHRASES["corrects"].search(text) is not None
