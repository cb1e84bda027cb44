"""The themes that a question shows by its words."""

import re
from collections.abc import Iterator

from palimpsest_language.topics.fact_questions import asks_for_a_fact
from palimpsest_language.topics.topic import Topic
from palimpsest_language.topics.topic_table import TOPICS
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

INSPECTED_CHARACTERS = 400
"""Characters of a question, as many as the local model reads of one."""

_WORDS = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_VOWELS = "aeiou"


def detect_topics(question: str) -> tuple[Topic, ...]:
    """In the order of the table; the faint only where no other is shown. None of what asks for a fact."""
    text = _folded(simplify_characters(question[:INSPECTED_CHARACTERS]))
    named = {theme.name for piece in _pieces(text) for theme in _THEMES_BY_WORD.get(piece, ())}
    if not named or asks_for_a_fact(question):
        return ()
    shown = tuple(theme for theme in TOPICS if theme.name in named)
    return tuple(theme for theme in shown if not theme.faint) or shown


def _folded(text: str) -> str:
    """Without the endings of what belongs to somebody: Mother's Day is in the table as anything else."""
    return text.lower().replace("’", "'").replace("'s", "")


def _pieces(text: str) -> Iterator[str]:
    """Its words, alone and up to three together, and the parts of what is Chinese."""
    words = _WORDS.findall(text)
    for size in (1, 2, 3):
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
    for run in _HAN.findall(text):
        for size in (1, 2, 3, 4):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


def _forms(word: str) -> Iterator[str]:
    """Of an English word or phrase: as it stands, and with the endings that it may take."""
    stem = word[:-1] if word.endswith(("e", "y")) else word
    yield word
    yield from (word + ending for ending in ("s", "es", "ed", "ing"))
    yield from (stem + ending for ending in ("ies", "ied", "ed", "ing"))
    if len(word) > 2 and word[-1] not in _VOWELS and word[-2] in _VOWELS:
        yield from (word + word[-1] + ending for ending in ("ed", "ing"))


def _by_word() -> dict[str, tuple[Topic, ...]]:
    found: dict[str, dict[str, Topic]] = {}
    for theme in TOPICS:
        english = (_folded(word.replace("_", " ")) for word in theme.asked.split())
        words = [form for word in english for form in _forms(word)]
        for word in (*words, *theme.asked_in_chinese.split()):
            found.setdefault(word, {})[theme.name] = theme
    return {word: tuple(themes.values()) for word, themes in found.items()}


_THEMES_BY_WORD = _by_word()
