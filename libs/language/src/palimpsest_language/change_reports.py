"""Statements that say that something is not as it was, and questions about how things are now.

“I'm not a morning person any more” takes the place of what was said before, though no attribute and
no value tells the two apart.
"""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("change_reports")


def reports_change(text: str) -> bool:
    """Tell whether a statement says that something changed, or was told wrong before."""
    return _PHRASES["reports_change"].search(text) is not None


def asks_about_present(question: str) -> bool:
    """Tell whether a question asks its speaker's own affairs as they are now."""
    return _PHRASES["asks_about_present"].search(question) is not None


def corrects(text: str) -> bool:
    """Tell whether a text begins as people do who set right what they said just before."""
    return _PHRASES["corrects"].search(text) is not None
