"""What a conversation that goes on was about, before anybody has summed it up."""

from collections.abc import Sequence

from palimpsest.domain.turn import Role, Turn
from palimpsest.domain.user import Language
from palimpsest.providers.extraction.dialogue import conversation_language, numbered
from palimpsest.providers.extraction.summaries.choosing import told_in_sentences

MOST_CHARACTERS = 2_000
"""Of each message: nobody waits for all of a pasted page to be weighed."""


def so_far(turns: Sequence[Turn], language: Language | None) -> str:
    """At most three of the user's own sentences, those that weigh most; nothing of small talk."""
    messages = numbered(turns)
    people = [
        message.model_copy(update={"text": message.text[:MOST_CHARACTERS]})
        for message in messages
        if message.role is Role.USER
    ]
    return told_in_sentences(people, (), language or conversation_language(messages))
