"""Summarises the current conversation from its messages, while no stored summary does."""

from collections.abc import Sequence

from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import Language
from palimpsest_language.dialogue import detect_conversation_language, number_messages
from palimpsest_language.message_spans.own_messages import keep_own_words
from palimpsest_language.summaries.sentence_selection import summarize_in_sentences

WEIGHED_CHARACTERS = 2_000
"""Characters of each message that are weighed: a pasted page would take too long."""


def summarize_conversation_so_far(turns: Sequence[Turn], language: Language | None) -> str:
    """Return at most three of the user's most important sentences, without small talk."""
    messages = number_messages(turns)
    people = [
        message.model_copy(update={"text": message.text[:WEIGHED_CHARACTERS]})
        for message in keep_own_words(messages)
        if message.role is Role.USER
    ]
    return summarize_in_sentences(people, (), language or detect_conversation_language(messages))
