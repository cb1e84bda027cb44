"""Intents of a question: the kind of answer that it asks for.

A question has exactly one intent. A search answers most intents. Two ask for a list, and fall back
to a search if the list is empty. Any intent may look back at what no longer holds; that is part of
the question's `Visibility`.
"""

from dataclasses import dataclass
from typing import ClassVar

from palimpsest.api.recall import QuestionIntent
from palimpsest.model.turn import Role
from palimpsest_language.question_intents.attribute_questions import AttributeQuestion
from palimpsest_server.embedders.topic_directions import TopicQuery


@dataclass(frozen=True)
class GeneralIntent:
    """Asks about something in general: the nearest memories and messages answer it."""

    name: ClassVar = QuestionIntent.GENERAL
    topic_query: TopicQuery | None = None
    """Finds memories that constrain the answer; None if the question has no topic."""


@dataclass(frozen=True)
class AttributeIntent:
    """Asks for an attribute of somebody: memories of that attribute answer it."""

    name: ClassVar = QuestionIntent.ATTRIBUTE
    attribute: AttributeQuestion
    topic_query: TopicQuery | None = None


@dataclass(frozen=True)
class TimeIntent:
    """Asks for everything in the times that the question names."""

    name: ClassVar = QuestionIntent.TIME


@dataclass(frozen=True)
class EarlierConversationIntent:
    """Asks about an earlier conversation: its summary answers it."""

    name: ClassVar = QuestionIntent.EARLIER_CONVERSATION
    within_times: bool = False
    """True if the question asks for everything that was said in the times it names."""
    attribute: AttributeQuestion | None = None
    """The attribute that the question asks to be reminded of, as in "do you remember where I
    live?".
    """


SearchIntent = GeneralIntent | AttributeIntent | TimeIntent | EarlierConversationIntent


@dataclass(frozen=True)
class LastWordsIntent:
    """Asks what somebody said a moment ago: their newest turns answer it."""

    name: ClassVar = QuestionIntent.LAST_WORDS
    speaker: Role
    otherwise: SearchIntent
    """The intent if the speaker has said nothing."""


@dataclass(frozen=True)
class TodoIntent:
    """Asks for all unfinished tasks: the open todos answer it."""

    name: ClassVar = QuestionIntent.TODOS
    otherwise: SearchIntent
    """The intent if no todo is open."""


Intent = SearchIntent | LastWordsIntent | TodoIntent


def is_within_times(intent: Intent) -> bool:
    """Return whether only items within the question's times can answer it."""
    match intent:
        case LastWordsIntent(otherwise=otherwise) | TodoIntent(otherwise=otherwise):
            return is_within_times(otherwise)
        case EarlierConversationIntent(within_times=within_times):
            return within_times
        case TimeIntent():
            return True
        case _:
            return False
