"""Intents of a question: the kind of answer that it asks for.

A question has exactly one. Most are answered by a search; two ask for a list, and fall back to a
search where the list is empty. Whether a question looks back at what no longer holds goes with
any intent, and stands in its `Visibility`.
"""

from dataclasses import dataclass

from palimpsest.model.turn import Role
from palimpsest_language.question_intents.attribute_questions import AttributeQuestion
from palimpsest_server.embedders.topic_directions import TopicQuery


@dataclass(frozen=True)
class GeneralIntent:
    """Asks about some matter: what is nearest answers it."""

    topic_query: TopicQuery | None = None
    """Finds memories that constrain the answer; None where the question shows no topic."""


@dataclass(frozen=True)
class AttributeIntent:
    """Asks for an attribute of somebody: memories of that attribute answer it."""

    attribute: AttributeQuestion
    topic_query: TopicQuery | None = None


@dataclass(frozen=True)
class TimeIntent:
    """Asks what lies in the times that it names, whatever that is."""


@dataclass(frozen=True)
class EarlierConversationIntent:
    """Asks about an earlier conversation: its summary answers it."""

    within_times: bool = False
    """True where the question asks for all that was said in the times that it names."""
    attribute: AttributeQuestion | None = None
    """The attribute it asks to be reminded of, as in "do you remember where I live?"."""


SearchIntent = GeneralIntent | AttributeIntent | TimeIntent | EarlierConversationIntent


@dataclass(frozen=True)
class LastWordsIntent:
    """Asks what somebody said a moment ago: their newest turns answer it."""

    speaker: Role
    otherwise: SearchIntent
    """The intent where they said nothing."""


@dataclass(frozen=True)
class TodoIntent:
    """Asks for all that is still to be done: the open todos answer it."""

    otherwise: SearchIntent
    """The intent where no todo is open."""


Intent = SearchIntent | LastWordsIntent | TodoIntent


def is_within_times(intent: Intent) -> bool:
    """Return whether only what lies in the question's times can answer it."""
    match intent:
        case LastWordsIntent(otherwise=otherwise) | TodoIntent(otherwise=otherwise):
            return is_within_times(otherwise)
        case EarlierConversationIntent(within_times=within_times):
            return within_times
        case TimeIntent():
            return True
        case _:
            return False
