"""Analyzes a request into a question: its vectors, the times it names, and its intent."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecallRequest, RecordType
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.clock import Clock
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import Language, UserState
from palimpsest_language.question_intents.question_times import is_span_over
from palimpsest_language.question_intents.question_wording import QuestionWording, read_wording
from palimpsest_language.question_intents.repeated_question import normalize_question
from palimpsest_server.domain.ranking.context_weights import (
    compute_context_weights,
    weigh_dense_vectors,
    weigh_sparse_vectors,
)
from palimpsest_server.domain.ranking.term_overlap import TermRarities, merge_rarities
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.embedders.embedder import Embedder, QueryVectors
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder, select_own_terms
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator
from palimpsest_server.stores.user_states import UserStates
from services.recall.intents import (
    AttributeIntent,
    EarlierConversationIntent,
    GeneralIntent,
    Intent,
    LastWordsIntent,
    SearchIntent,
    TimeIntent,
    TodoIntent,
    is_within_times,
)
from services.recall.metrics import RecallMetrics
from services.recall.question import Question, QuestionTerms

MAXIMUM_TIMES = 2
"""The most times of one question that are searched; each needs a search of its own."""

LONG_QUESTION_CHARACTERS = 1_000
"""Longer questions are analyzed in a thread: 8,192 characters of nothing but times take half a
second."""

_T = TypeVar("_T")
_MEMORIES = frozenset({RecordType.MEMORY})
_TURNS = frozenset({RecordType.TURN})


class QuestionAnalyzer:
    def __init__(
        self,
        states: UserStates,
        embedder: Embedder,
        topics: TopicDirectionsCalibrator,
        metrics: RecallMetrics,
        clock: Clock,
    ) -> None:
        self._states = states
        self._embedder = embedder
        self._topics = topics
        self._metrics = metrics
        self._clock = clock

    async def analyze(self, request: RecallRequest, *, crowded: bool = False) -> Question:
        """Analyze a request.

        Args:
            request: the request.
            crowded: whether many questions are asked at the same time.

        Raises:
            TransientError: the embedder or the user's settings are not available.
        """
        # Started together: the state is read while the question is embedded.
        state, (vectors, word_count) = await asyncio.gather(
            self._read_state(request.user_id), self._embed(request, crowded=crowded)
        )
        now, query, time_zone = self._clock(), request.query, state.settings.time_zone
        wording = await _run(query, lambda: read_wording(query, now=now, time_zone=time_zone))
        rarities = await _run(query, lambda: _find_rarities(request, wording))
        times = wording.times[:MAXIMUM_TIMES]
        over = tuple(span for span in times if is_span_over(span, now))
        # Only memories have a kind, and are named.
        every = request.kinds is None and request.memory_ids is None
        records = request.records if every else request.records & _MEMORIES
        intent = await self._find_intent(request, records, wording, times_are_over=bool(over))
        return Question(
            request=request,
            records=records,
            terms=QuestionTerms(vectors=vectors, word_count=word_count, rarities=rarities),
            times=times,
            visibility=Visibility(
                scopes=request.scope.visible(request.layers),
                kinds=request.kinds,
                memory_ids=request.memory_ids,
                now=now,
                as_of=request.as_of,
                past=wording.asks_about_the_past,
                state=state,
                since=request.since,
                until=request.until,
                within=times if is_within_times(intent) else (),
                then=over,
                # A request for messages alone may look for that very message, to see whether it is
                # found yet.
                question="" if request.records == _TURNS else normalize_question(query),
            ),
            intent=intent,
        )

    async def _find_intent(
        self,
        request: RecallRequest,
        records: frozenset[RecordType],
        wording: QuestionWording,
        *,
        times_are_over: bool,
    ) -> Intent:
        todos = wording.asks_for_todos and _includes_todos(request)
        speaker = wording.last_words_speaker if records >= DEFAULT_RECORD_TYPES else None
        intent = await self._find_search_intent(
            request,
            records,
            wording,
            only_times=wording.asks_only_for_times and not todos,
            earlier=wording.refers_to_earlier_conversation
            and records >= DEFAULT_RECORD_TYPES
            and speaker is None,
        )
        if request.policy is not PolicyName.DEFAULT:
            return intent
        if speaker is not None:
            return LastWordsIntent(speaker, otherwise=intent)
        return TodoIntent(otherwise=intent) if todos and not times_are_over else intent

    async def _find_search_intent(
        self,
        request: RecallRequest,
        records: frozenset[RecordType],
        wording: QuestionWording,
        *,
        only_times: bool,
        earlier: bool,
    ) -> SearchIntent:
        past = wording.asks_about_the_past
        tells_attributes = RecordType.MEMORY in request.records and not past
        attribute = wording.attribute if tells_attributes else None
        if earlier:
            return EarlierConversationIntent(within_times=only_times, attribute=attribute)
        if only_times:
            return TimeIntent()
        # A past statement does not constrain the answer.
        constrained = RecordType.MEMORY in records and not past
        topic_query = await self._topics.find_query(request.query) if constrained else None
        if attribute is not None:
            return AttributeIntent(attribute, topic_query)
        return GeneralIntent(topic_query)

    async def _read_state(self, user_id: str) -> UserState:
        with self._metrics.timed("state"):
            return (await self._states.of([user_id]))[user_id]

    async def _embed(self, request: RecallRequest, *, crowded: bool) -> tuple[QueryVectors, int]:
        """Return the vectors of the question with what came before it, and its number of words."""
        with self._metrics.timed("embed"):
            question = await self._embedder.embed_query(request.query, crowded=crowded)
            words = len(select_own_terms(question.sparse).indices)
            if not request.context:
                return question, words
            before = [
                await self._embedder.embed_query(text, crowded=crowded)
                for text in reversed(request.context)
            ]
        texts = [question, *before]
        weights = (1.0, *compute_context_weights(words, len(before)))
        sparse = weigh_sparse_vectors([text.sparse for text in texts], weights)
        dense = weigh_dense_vectors([text.dense for text in texts], weights)
        own = weigh_sparse_vectors([select_own_terms(text.sparse) for text in texts], weights)
        return QueryVectors(dense=dense, sparse=sparse), max(words, round(sum(own.values)))


async def _run(query: str, look: Callable[[], _T]) -> _T:
    """Run a step in a thread beside the event loop if the question is long."""
    return look() if len(query) < LONG_QUESTION_CHARACTERS else await asyncio.to_thread(look)


def _includes_todos(request: RecallRequest) -> bool:
    """Return whether open todos may answer; todos of another time are found by the search."""
    of_their_kind = request.kinds is None or any(kind.properties.is_todo for kind in request.kinds)
    return RecordType.MEMORY in request.records and of_their_kind and request.as_of is None


def _find_rarities(request: RecallRequest, wording: QuestionWording) -> TermRarities | None:
    """Return the rarities of terms in a Chinese question, without its times: no text repeats those."""
    if detect_language(request.query) is not Language.CHINESE:
        return None
    encoder = get_sparse_encoder()
    question = encoder.rarities(wording.without_times)
    if not request.context:
        return question
    before = [encoder.rarities(text) for text in reversed(request.context)]
    weights = (1.0, *compute_context_weights(len(question.words), len(before)))
    return merge_rarities([question, *before], weights)
