"""Relevance of a memory or a message to a topic."""

from enum import StrEnum

from palimpsest.model.value_types import UnitInterval, Value


class TopicRelevanceReason(StrEnum):
    NAMED = "named"
    """It is about it: an entity, a tag, a subject or a value of that name."""
    SAID = "said"
    """The topic's words stand in it."""
    MEANT = "meant"
    """It means something near, as the embedding model sees it."""
    EVIDENCE = "evidence"
    """Something on the topic rests on it, or it tells of a message on the topic."""
    DEPENDS = "depends"
    """It goes on about something on the topic in the same talk, or answers to it."""
    REPEATS = "repeats"
    """An agent repeats in it what is on the topic."""


MINIMUM_SHOWN_RELEVANCE = 0.6
"""The least relevance that is shown; unrelated texts come as near as what lies below."""


class TopicRelevance(Value):
    sure: UnitInterval
    because: TopicRelevanceReason
