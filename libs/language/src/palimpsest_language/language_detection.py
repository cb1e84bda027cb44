"""Detects the language that somebody writes in, if the message shows it."""

import re

from palimpsest.model.bilingual_text import detect_language, has_chinese
from palimpsest.model.user import Language

FEWEST_WORDS = 2
"""The least ordinary words that make a text English: names and commands exist in every language."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_WORD = re.compile(r"(?<![\w./\\@:#$-])[A-Za-z]+(?:['’][a-z]+)?(?![\w/\\@:=(-]|\.\w)")

_SAID_IN_EVERY_LANGUAGE = frozenset(
    """
    ok okay okey k hi hello hey bye yes no yeah yep nope lol haha hahaha emm emmm hmm um wow oh ah
    thx thanks sorry please nice good cool great done test go vs
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
"""English words that are used within Chinese too."""


def detect_written_language(text: str) -> Language | None:
    """Return the language of a text with Chinese characters or ordinary English words."""
    if _ordinary_words(text) >= FEWEST_WORDS:
        return detect_language(text)
    return Language.CHINESE if has_chinese(text) else None


def _ordinary_words(text: str) -> int:
    return sum(_ordinary_in(sentence) for sentence in _SENTENCE.findall(text))


def _ordinary_in(sentence: str) -> int:
    """Return the ordinary words; a capitalised first word counts if another one follows."""
    found: list[str] = _WORD.findall(sentence)
    words = [word for word in found if word.lower() not in _SAID_IN_EVERY_LANGUAGE]
    small = [word for word in words if word.islower() or word == "I"]
    opening = [word for word in words[:1] if word[1:].islower() and _opens(sentence, word)]
    return len({*small, *opening}) if small else 0


def _opens(sentence: str, word: str) -> bool:
    return sentence.lstrip(" \t\"'“‘(").startswith(word)
