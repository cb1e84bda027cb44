"""A question as the steps of recall use it: the request, its vectors, and its intent."""

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
    """The words of a question and of earlier messages, with weights."""

    vectors: QueryVectors
    word_count: int
    """The number of different content words; words of earlier messages count by their weight."""
    rarities: TermRarities | None
    """Rarity of each term of a Chinese question, for the gate; None for other languages."""

    @property
    def is_chinese(self) -> bool:
        return self.rarities is not None


@dataclass(frozen=True, kw_only=True)
class Question:
    request: RecallRequest
    records: frozenset[RecordType]
    """Types of records that may answer the question."""
    terms: QuestionTerms
    times: tuple[TimeSpan, ...]
    """The times that the question names."""
    visibility: Visibility
    intent: Intent

    @property
    def is_within_times(self) -> bool:
        """True if only items within the question's times can answer it."""
        return is_within_times(self.intent)

    @property
    def asks_about_present(self) -> bool:
        """True if the question is about the present and names no other moment."""
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
        """Return the same question with another intent."""
        within = self.times if is_within_times(intent) else ()
        return replace(self, intent=intent, visibility=replace(self.visibility, within=within))
