"""Detect the topics that a question shows by its words."""

import re
from collections.abc import Iterator

from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.topics.fact_questions import asks_for_a_fact
from palimpsest_language.topics.topic import QuestionTopic
from palimpsest_language.topics.topic_table import TOPICS
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

INSPECTED_CHARACTERS = 400
"""Characters of a question that are read, as many as the local model reads."""

_WORDS = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_VOWELS = "aeiou"


def detect_topics(question: str) -> tuple[QuestionTopic, ...]:
    """Return the topics of a question, in the order of the table; none where it asks for a fact.

    Secondary topics count only where no other is shown.
    """
    text = _folded(simplify_characters(question[:INSPECTED_CHARACTERS]))
    named = {topic.name for piece in _pieces(text) for topic in _TOPICS_BY_WORD.get(piece, ())}
    if not named or asks_for_a_fact(question):
        return ()
    shown = tuple(topic for topic in TOPICS if topic.name in named and is_enabled(topic.rule))
    for topic in shown:
        note_match(topic.rule)
    return tuple(topic for topic in shown if not topic.secondary) or shown


def _folded(text: str) -> str:
    """Fold case and drop possessive endings, of the table (Mother's Day) as of questions."""
    return text.lower().replace("’", "'").replace("'s", "")


def _pieces(text: str) -> Iterator[str]:
    """Yield its words, alone and up to three together, and all parts of its Chinese."""
    words = _WORDS.findall(text)
    for size in (1, 2, 3):
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
    for run in _HAN.findall(text):
        for size in (1, 2, 3, 4):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


def _forms(word: str) -> Iterator[str]:
    """Yield an English word or phrase, and its forms with the endings that it may take."""
    stem = word[:-1] if word.endswith(("e", "y")) else word
    yield word
    yield from (word + ending for ending in ("s", "es", "ed", "ing"))
    yield from (stem + ending for ending in ("ies", "ied", "ed", "ing"))
    if len(word) > 2 and word[-1] not in _VOWELS and word[-2] in _VOWELS:
        yield from (word + word[-1] + ending for ending in ("ed", "ing"))


def _by_word() -> dict[str, tuple[QuestionTopic, ...]]:
    found: dict[str, dict[str, QuestionTopic]] = {}
    for topic in TOPICS:
        english = map(_folded, topic.question_words)
        words = [form for word in english for form in _forms(word)]
        for word in (*words, *topic.chinese_question_words):
            found.setdefault(word, {})[topic.name] = topic
    return {word: tuple(topics.values()) for word, topics in found.items()}


_TOPICS_BY_WORD = _by_word()
