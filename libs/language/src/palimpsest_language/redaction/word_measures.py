"""Tells whether words in the place of a secret are one, or only continue the sentence."""

import re

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.redaction.secret_measures import measure_mixed_value

_PLAIN = read_phrases("redaction/plain_words")
_FOUR_LETTERS = _PLAIN["four_letters"]
_OF_SENTENCES = _PLAIN["of_sentences"]
"""Words that are common in sentences and rare in passphrases."""
_MOST_PLAIN_GROUPS = 1
_STRONG = re.compile(r"(?=.*[A-Za-z])(?:.*[!@#$%^&*+=?~]|(?=.*[a-z]).*[A-Z])")


def measure_app_password(candidate: str, _following: str) -> int:
    """Measure an app password of four groups of four letters, as Google and Apple make them."""
    plain = sum(1 for _ in _FOUR_LETTERS.finditer(candidate))
    return len(candidate) if plain <= _MOST_PLAIN_GROUPS else 0


def measure_word_passphrase(candidate: str, _following: str) -> int:
    """Measure four to eight words that make no sentence."""
    return 0 if _OF_SENTENCES.search(candidate) else len(candidate)


def measure_strong_value(candidate: str, following: str) -> int:
    """Measure letters and digits with a mark or capitals: chosen to be hard to guess."""
    length = measure_mixed_value(candidate, following)
    return length if _STRONG.match(candidate[:length]) else 0
