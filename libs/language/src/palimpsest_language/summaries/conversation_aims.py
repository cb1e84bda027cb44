"""The aim of a user in a conversation, and what is still open at its end, in their own words."""

from collections.abc import Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.question_intents.fillers import is_filler

_PHRASES = read_phrases("summaries/conversation_aims")


def find_aim(sentences: Sequence[str]) -> str | None:
    """Return the first sentence that asks for something or states an aim; None if none does."""
    return next(
        (sentence for sentence in sentences if not is_filler(sentence) and _says("aim", sentence)),
        None,
    )


def find_undecided(sentences: Sequence[str]) -> str | None:
    """Return the last sentence that leaves something open; None where a later one settles it."""
    for sentence in reversed(sentences):
        if _says("undecided", sentence):
            return sentence
        if _says("settled", sentence):
            return None
    return None


def _says(sign: str, sentence: str) -> bool:
    text = sentence if has_chinese(sentence) else sentence.replace("’", "'")
    return _PHRASES[sign].search(text) is not None
