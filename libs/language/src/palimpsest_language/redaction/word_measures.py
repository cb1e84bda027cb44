"""Tell whether words in the place of a secret are one, or only go on with the sentence."""

from palimpsest_language.phrase_tables import read_phrases

_PLAIN = read_phrases("redaction/plain_words")
_FOUR_LETTERS = _PLAIN["four_letters"]
_OF_SENTENCES = _PLAIN["of_sentences"]
"""Words that a sentence has and a passphrase of dice hardly ever."""
_MOST_PLAIN_GROUPS = 1


def measure_app_password(candidate: str, _following: str) -> int:
    """Four groups of four letters, as Google and Apple make them: words are none."""
    plain = sum(1 for _ in _FOUR_LETTERS.finditer(candidate))
    return len(candidate) if plain <= _MOST_PLAIN_GROUPS else 0


def measure_word_passphrase(candidate: str, _following: str) -> int:
    """Four to eight words that make no sentence."""
    return 0 if _OF_SENTENCES.search(candidate) else len(candidate)
