"""What a conversation that goes on was about, before anybody has summed it up."""

from collections.abc import Sequence

from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import Language
from palimpsest_language.dialogue import detect_conversation_language, number_messages
from palimpsest_language.summaries.sentence_selection import summarize_in_sentences

WEIGHED_CHARACTERS = 2_000
"""Of each message: nobody waits for all of a pasted page to be weighed."""


def summarize_conversation_so_far(turns: Sequence[Turn], language: Language | None) -> str:
    """At most three of the user's own sentences, those that weigh most; nothing of small talk."""
    messages = number_messages(turns)
    people = [
        message.model_copy(update={"text": message.text[:WEIGHED_CHARACTERS]})
        for message in messages
        if message.role is Role.USER
    ]
    return summarize_in_sentences(people, (), language or detect_conversation_language(messages))
