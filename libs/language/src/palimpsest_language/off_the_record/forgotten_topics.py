"""Requests to forget what was said on a topic, and the messages that are on it.

A message is on a topic that it names, or that it speaks of in the words of a table: whoever weighs
82 kilos speaks of their weight.
"""

from palimpsest_language.phrase_tables import read_phrases

_REQUESTS = read_phrases("off_the_record/topic_requests")["forgets_topic"]
_TOPICS = read_phrases("off_the_record/topic_words")

MIN_NAME_CHARACTERS = 2
"""A shorter topic is not looked for as a word."""


def find_forgotten_topic(text: str) -> str | None:
    """The topic that the text asks to forget, in its words; None without such a request."""
    found = _REQUESTS.search(text)
    return None if found is None else found["topic"].strip() or None


def is_on_topic(text: str, topic: str) -> bool:
    """Tell whether a text says something on a topic."""
    lowered, name = text.casefold(), topic.casefold()
    if len(name) >= MIN_NAME_CHARACTERS and name in lowered:
        return True
    return any(
        words.search(topic) is not None and words.search(text) is not None
        for words in _TOPICS.values()
    )
