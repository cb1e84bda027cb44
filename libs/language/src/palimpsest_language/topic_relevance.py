"""Estimates how relevant a text is to a topic: by names, words and meaning."""

import re
from collections.abc import Iterable, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.topic_match import TopicRelevance, TopicRelevanceReason
from palimpsest_language.wording.normalization import normalize_wording

NAMED_RELEVANCE = 1.0
WORDS_RELEVANCE = 0.95
MAXIMUM_MEANING_RELEVANCE = 0.9
"""The most relevance by meaning alone, which is never as sure as words."""

_OWNED_ZH = re.compile(r"(?:我|用户)的(.+)")


def assess_topic_relevance(
    topic: str, *, names: Iterable[str | None], texts: Iterable[str], relevance: float = 0.0
) -> TopicRelevance:
    """Estimate the relevance of a record to the topic.

    Args:
        topic: a name, or some words.
        names: the names in the record: entities, tags, subject, value.
        texts: the texts of the record.
        relevance: of its nearest text, from `Gate.relevance`: 0 to 1; at .7 nine in ten matter.
    """
    wanted = normalize_wording(topic)
    if any(normalize_wording(name) == wanted for name in names if name):
        return TopicRelevance(sure=NAMED_RELEVANCE, because=TopicRelevanceReason.NAMED)
    spoken = [normalize_wording(text) for text in texts]
    if any(_stands_in(each, text) for each in _reword_owned(wanted) for text in spoken):
        return TopicRelevance(sure=WORDS_RELEVANCE, because=TopicRelevanceReason.SAID)
    return TopicRelevance(
        sure=min(relevance, MAXIMUM_MEANING_RELEVANCE), because=TopicRelevanceReason.MEANT
    )


def _reword_owned(topic: str) -> Sequence[str]:
    """Return what is the user's also as it is told of them: "my weight", "the user's weight".

    The owner stays: the name of a cat is not "my name".
    """
    if owned := _OWNED_ZH.fullmatch(topic):
        return [f"{owner}{owned[1]}" for owner in ("我的", "我", "用户的", "用户")]
    return (topic, f"user s {topic[3:]}") if topic.startswith("my ") else (topic,)


def _stands_in(topic: str, text: str) -> bool:
    """Return whether the topic stands in a text, as whole words; Chinese is searched as it is."""
    if has_chinese(topic):
        return topic.replace(" ", "") in text.replace(" ", "")
    return f" {topic} " in f" {text} "
