"""A question as the steps of recall pass it on: the request, its vectors, and its intent."""

from dataclasses import dataclass, replace
from typing import Self

from palimpsest.api.recall import RecallRequest, RecordType
from palimpsest_language.change_reports import asks_about_present
from palimpsest_language.question_intents.attribute_questions import AttributeQuestion
from palimpsest_language.question_intents.question_times import TimeSpan
from palimpsest_server.domain.ranking.term_overlap import TermRarities
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.topic_directions import TopicQuery
from services.recall.intents import (
    AttributeIntent,
    EarlierConversationIntent,
    GeneralIntent,
    Intent,
    is_within_times,
)


@dataclass(frozen=True, kw_only=True)
class QuestionTerms:
    """The words of a question with those of the messages before it, weighed."""

    vectors: QueryVectors
    word_count: int
    """Different words with a meaning; those of earlier messages count by their weight."""
    rarities: TermRarities | None
    """Rarity of each term of a Chinese question, by which the gate judges it; None for others."""

    @property
    def is_chinese(self) -> bool:
        return self.rarities is not None


@dataclass(frozen=True, kw_only=True)
class Question:
    request: RecallRequest
    records: frozenset[RecordType]
    """The types of records that may answer it."""
    terms: QuestionTerms
    times: tuple[TimeSpan, ...]
    """The times that it names."""
    visibility: Visibility
    intent: Intent

    @property
    def is_within_times(self) -> bool:
        """True where only what lies in its times can answer it."""
        return is_within_times(self.intent)

    @property
    def asks_about_present(self) -> bool:
        """True where it asks how things are now, and no later or earlier moment is named."""
        if self.visibility.looks_back or self.visibility.as_of is not None or self.times:
            return False
        if not isinstance(self.intent, GeneralIntent | AttributeIntent):
            return False
        return asks_about_present(self.request.query)

    @property
    def attribute(self) -> AttributeQuestion | None:
        match self.intent:
            case AttributeIntent(attribute=attribute):
                return attribute
            case EarlierConversationIntent(attribute=attribute):
                return attribute
        return None

    @property
    def topic_query(self) -> TopicQuery | None:
        match self.intent:
            case GeneralIntent(topic_query=query) | AttributeIntent(topic_query=query):
                return query
        return None

    def with_intent(self, intent: Intent) -> Self:
        """Return the same question, read with another intent."""
        within = self.times if is_within_times(intent) else ()
        return replace(self, intent=intent, visibility=replace(self.visibility, within=within))
