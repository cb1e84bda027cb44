"""Statements that are plainly of the person, whatever the work: of the body, or as an aside."""

from palimpsest_language.clauses.sentences import find_sentence_bounds
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("personal_statements")


def is_of_person(quote: str, text: str) -> bool:
    """Tell whether quoted words of a message tell of the speaker in any work.

    They do if they tell of the body or its senses, or if they are an aside in the first person:
    "by the way, I have two kids". Words of the work itself belong to the work.
    """
    if _says("of_work", quote):
        return False
    if _says("of_body", quote):
        return True
    return _says("being", quote) and _says("aside", _sentence_around(quote, text))


def _sentence_around(quote: str, text: str) -> str:
    """Return the quote with the rest of the sentences that it begins and ends in."""
    start = text.find(quote)
    if start < 0:
        return quote
    return text[slice(*find_sentence_bounds(text, start, start + len(quote)))]


def _says(sign: str, words: str) -> bool:
    return _PHRASES[sign].search(words) is not None
