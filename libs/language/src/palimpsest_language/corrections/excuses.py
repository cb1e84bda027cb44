"""Excuses behind a correction: "it's the 27th, always mix those up", 是周四，老是记混."""

from palimpsest_language.phrase_tables import read_phrases

_EXCUSES = read_phrases("corrections/excuses")["excuse_behind"]


def leave_excuses_out(text: str) -> str:
    """Return the text without excuses at the end of its sentences."""
    return _EXCUSES.sub("", text)


def widen_spent_words(spent: str, text: str) -> str:
    """Return the words of a cue with the excuse that stands behind them in the text."""
    begins = text.find(spent)
    match = _EXCUSES.search(text[begins + len(spent) :]) if begins >= 0 else None
    return spent + match[0] if match is not None and match.start() == 0 else spent
