"""Sensitive topics of a statement, by rules: health, money, beliefs, intimacy, law."""

from palimpsest.model.user import SensitiveTopic
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.topics.weighty_matters import speaks_of_health

_PHRASES = read_phrases("topics/sensitive_topics")


def find_sensitive_topics(text: str) -> frozenset[SensitiveTopic]:
    """Return the sensitive topics that a statement is on."""
    found = {
        topic
        for topic in SensitiveTopic
        if topic is not SensitiveTopic.HEALTH and _PHRASES[topic.value].search(text) is not None
    }
    return frozenset(found | {SensitiveTopic.HEALTH} if speaks_of_health(text) else found)
