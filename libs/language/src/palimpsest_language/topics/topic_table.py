"""Table of the topics of everyday life, in both languages."""

from palimpsest_language.topics.activity_topics import ACTIVITY_TOPICS
from palimpsest_language.topics.household_topics import HOUSEHOLD_TOPICS

TOPICS = (*HOUSEHOLD_TOPICS, *ACTIVITY_TOPICS)
