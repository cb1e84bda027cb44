"""How sure it is that something is about a topic: by what it names, by its words, by its meaning."""

from collections.abc import Iterable

from palimpsest.domain.evolution.wording import normalised
from palimpsest.domain.writing import has_chinese
from palimpsest.model.topic_match import Because, Sureness

NAMED = 1.0
SAID = 0.95
MEANT_AT_MOST = 0.9
"""Meaning alone is never as sure as words are."""


def sureness(
    topic: str, *, names: Iterable[str | None], texts: Iterable[str], relevance: float = 0.0
) -> Sureness:
    """How sure it is that this is about the topic.

    Args:
        topic: a name, or some words.
        names: what it is said to be about: entities, tags, subject, value.
        texts: what it says.
        relevance: of its nearest text, from `Gate.relevance`: 0 to 1, .7 where nine in ten that
            are as near matter.
    """
    wanted = normalised(topic)
    if any(normalised(name) == wanted for name in names if name):
        return Sureness(sure=NAMED, because=Because.NAMED)
    if any(_stands_in(wanted, normalised(text)) for text in texts):
        return Sureness(sure=SAID, because=Because.SAID)
    return Sureness(sure=min(relevance, MEANT_AT_MOST), because=Because.MEANT)


def _stands_in(topic: str, text: str) -> bool:
    """As whole words; Chinese has none, and is looked for as it is."""
    if has_chinese(topic):
        return topic.replace(" ", "") in text.replace(" ", "")
    return f" {topic} " in f" {text} "
