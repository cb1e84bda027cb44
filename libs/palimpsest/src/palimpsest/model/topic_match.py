"""Relevance of a memory or a message to a topic."""

from enum import StrEnum

from palimpsest.model.value_types import UnitInterval, Value


class TopicRelevanceReason(StrEnum):
    NAMED = "named"
    """An entity, a tag, a subject or a value has the topic's name."""
    SAID = "said"
    """The text contains the topic's words."""
    MEANT = "meant"
    """The meaning is near, by the embedding model."""
    EVIDENCE = "evidence"
    """A record on the topic rests on it, or it summarises a message on the topic, or it is a question that
    only records on the topic answered."""
    DEPENDS = "depends"
    """It continues or answers a message on the topic in the same conversation."""
    REPEATS = "repeats"
    """An agent repeats content on the topic."""


MINIMUM_SHOWN_RELEVANCE = 0.6
"""The least relevance that is shown; below it unrelated texts are as near."""


class TopicRelevance(Value):
    sure: UnitInterval
    because: TopicRelevanceReason
