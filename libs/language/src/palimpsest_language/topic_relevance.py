"""Assess how sure it is that something is about a topic: by names, words and meaning."""

from collections.abc import Iterable

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.topic_match import TopicRelevance, TopicRelevanceReason
from palimpsest_language.wording.normalization import normalize_wording

NAMED_RELEVANCE = 1.0
WORDS_RELEVANCE = 0.95
MAXIMUM_MEANING_RELEVANCE = 0.9
"""Meaning alone is never as sure as words are."""


def assess_topic_relevance(
    topic: str, *, names: Iterable[str | None], texts: Iterable[str], relevance: float = 0.0
) -> TopicRelevance:
    """Assess how sure it is that something is about the topic.

    Args:
        topic: a name, or some words.
        names: what it is said to be about: entities, tags, subject, value.
        texts: what it says.
        relevance: of its nearest text, from `Gate.relevance`: 0 to 1, .7 where nine in ten that
            are as near matter.
    """
    wanted = normalize_wording(topic)
    if any(normalize_wording(name) == wanted for name in names if name):
        return TopicRelevance(sure=NAMED_RELEVANCE, because=TopicRelevanceReason.NAMED)
    if any(_stands_in(wanted, normalize_wording(text)) for text in texts):
        return TopicRelevance(sure=WORDS_RELEVANCE, because=TopicRelevanceReason.SAID)
    return TopicRelevance(
        sure=min(relevance, MAXIMUM_MEANING_RELEVANCE), because=TopicRelevanceReason.MEANT
    )


def _stands_in(topic: str, text: str) -> bool:
    """Return whether the topic stands in a text, as whole words; Chinese is searched as it is."""
    if has_chinese(topic):
        return topic.replace(" ", "") in text.replace(" ", "")
    return f" {topic} " in f" {text} "
