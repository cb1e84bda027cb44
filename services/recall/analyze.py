"""From a request to a question: what its words ask for, and its vectors."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecallRequest, RecordType
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.clock import Clock
from palimpsest.model.user import Language, UserState
from palimpsest_language.question_intents.attribute_questions import (
    AttributeQuestion,
    find_attribute_question,
)
from palimpsest_language.question_intents.earlier_conversations import (
    refers_to_earlier_conversation,
)
from palimpsest_language.question_intents.last_words import find_last_words_speaker
from palimpsest_language.question_intents.past_questions import asks_about_the_past
from palimpsest_language.question_intents.question_times import (
    asks_only_for_a_time,
    build_time_span,
    find_question_times,
    remove_times,
)
from palimpsest_language.question_intents.todo_questions import asks_for_todos
from palimpsest_server.domain.ranking.context_weights import (
    context_weights,
    weighed_dense,
    weighed_sparse,
)
from palimpsest_server.domain.ranking.term_overlap import TermRarities, merge_rarities
from palimpsest_server.embedders.embedder import Embedder, QueryVectors
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder, select_own_terms
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator
from palimpsest_server.stores.user_states import UserStates
from services.recall.metrics import RecallMetrics
from services.recall.question import Question

TIMES = 2
"""Of one question; each is a search of its own."""

LONG = 1_000
"""Characters from which on a question is looked through beside the loop: of 8,192 that are nothing
but times it takes half a second."""

_T = TypeVar("_T")
_MEMORIES = frozenset({RecordType.MEMORY})


class QuestionAnalyzer:
    def __init__(
        self,
        states: UserStates,
        embedder: Embedder,
        themes: TopicDirectionsCalibrator,
        metrics: RecallMetrics,
        clock: Clock,
    ) -> None:
        self._states = states
        self._embedder = embedder
        self._themes = themes
        self._metrics = metrics
        self._clock = clock

    async def analyze(self, request: RecallRequest, *, crowded: bool = False) -> Question:
        """The question of a request; `crowded` where many are asked at a time.

        Raises:
            TransientError: the embedder or what the user has settled is not to be had.
        """
        # Started together: the state is read, if it must be, while the question is embedded.
        state, (vectors, words) = await asyncio.gather(
            self._state(request.user_id), self._vectors(request, crowded=crowded)
        )
        now, query = self._clock(), request.query
        zone = state.settings.time_zone
        found = await _looked_through(
            query, lambda: find_question_times(query, now=now, time_zone=zone)
        )
        # What is done every morning lies in no one time.
        named = [one for one in found if not one.recurrence]
        spans = dict.fromkeys(map(build_time_span, named))
        times = tuple(span for span in spans if span != (None, None))[:TIMES]
        looks_back = asks_about_the_past(query)
        # Only memories have a kind.
        records = request.records if request.kinds is None else request.records & _MEMORIES
        by = find_last_words_speaker(query) if records >= DEFAULT_RECORD_TYPES else None
        besides = remove_times(query, named)
        to_do = _todos_are_wanted(request) and any(
            map(asks_for_todos, dict.fromkeys((query, besides)))
        )
        of_its_times = bool(times) and not to_do and asks_only_for_a_time(query, named)
        last_time = (
            records >= DEFAULT_RECORD_TYPES and by is None and refers_to_earlier_conversation(query)
        )
        # What was said, or held once, is no matter of what bounds an answer.
        bounded = RecordType.MEMORY in records and not (of_its_times or last_time or looks_back)
        return Question(
            request=request,
            scopes=request.scope.visible(request.layers),
            records=records,
            vectors=vectors,
            words=words,
            rarities=await _looked_through(query, lambda: _rarities(request, besides)),
            times=times,
            of_its_times=of_its_times,
            looks_back=looks_back,
            last_time=last_time,
            asked=None if looks_back else _asked(request),
            just_said_by=by,
            to_do=to_do,
            lead=await self._themes.lead(query) if bounded else None,
            state=state,
            now=now,
        )

    async def _state(self, user_id: str) -> UserState:
        with self._metrics.timed("state"):
            return (await self._states.of([user_id]))[user_id]

    async def _vectors(self, request: RecallRequest, *, crowded: bool) -> tuple[QueryVectors, int]:
        with self._metrics.timed("embed"):
            question = await self._embedder.embed_query(request.query, crowded=crowded)
            words = len(select_own_terms(question.sparse).indices)
            if not request.context:
                return question, words
            before = [
                await self._embedder.embed_query(text, crowded=crowded)
                for text in reversed(request.context)
            ]
        every = [question, *before]
        weights = (1.0, *context_weights(words, len(before)))
        sparse = weighed_sparse([one.sparse for one in every], weights)
        dense = weighed_dense([one.dense for one in every], weights)
        own = weighed_sparse([select_own_terms(one.sparse) for one in every], weights)
        return QueryVectors(dense=dense, sparse=sparse), max(words, round(sum(own.values)))


async def _looked_through(query: str, look: Callable[[], _T]) -> _T:
    return look() if len(query) < LONG else await asyncio.to_thread(look)


def _todos_are_wanted(request: RecallRequest) -> bool:
    """As they stand now; what was to be done at another time, the search tells."""
    of_their_kind = request.kinds is None or any(kind.properties.is_todo for kind in request.kinds)
    return RecordType.MEMORY in request.records and of_their_kind and request.as_of is None


def _asked(request: RecallRequest) -> AttributeQuestion | None:
    return find_attribute_question(request.query) if RecordType.MEMORY in request.records else None


def _rarities(request: RecallRequest, asked: str) -> TermRarities | None:
    """Of what is `asked` besides the times: when something was stands in no text."""
    if detect_language(request.query) is not Language.CHINESE:
        return None
    encoder = get_sparse_encoder()
    question = encoder.rarities(asked)
    if not request.context:
        return question
    before = [encoder.rarities(text) for text in reversed(request.context)]
    weights = (1.0, *context_weights(len(question.words), len(before)))
    return merge_rarities([question, *before], weights)
