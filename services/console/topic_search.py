"""Search all records on a topic by names, words and meaning, in every store."""

import json
from collections.abc import Iterable, Mapping, Sequence

from palimpsest.api.command_requests import TopicSearchResult
from palimpsest.events.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.events.skills import SkillRun
from palimpsest.model.bilingual_text import detect_language, has_chinese
from palimpsest.model.errors import TransientError
from palimpsest.model.field_rules import Words, list_words
from palimpsest.model.memory import WORD_RULES, Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import summary_id
from palimpsest.model.topic_match import TopicRelevance, TopicRelevanceReason
from palimpsest.model.user import Language
from palimpsest_language.attributes.attribute_names import canonical_attribute, canonical_subject
from palimpsest_language.question_intents.attribute_questions import (
    AttributeQuestion,
    find_attribute_question,
)
from palimpsest_language.topic_relevance import NAMED_RELEVANCE, assess_topic_relevance
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_ids
from palimpsest_server.domain.ranking.extract_features import is_filler_turn
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.gate_calibration import GateCalibrator
from palimpsest_server.embedders.topic_background import TOPIC_DEVIATIONS, TopicBackground
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.standing_questions import StandingQuestionStore
from palimpsest_server.stores.vectors import VectorQuery, VectorStore
from services.console.memory_purge import ModelExposure
from services.console.topic_hits import (
    TopicHits,
    UserContent,
    add_answered_question,
    add_dependents,
)
from services.console.visible_archive import VisibleArchive

MAXIMUM_NEAREST_RECORDS = 500
"""Records searched by meaning; those further away are not near."""

MAXIMUM_MEMORIES_PER_CHANGE_SET = 500

_CHINESE_QUESTIONS = ("{topic}是什么？", "{topic}是哪天？", "{topic}在哪里？")
_ENGLISH_QUESTIONS = ("What is {topic}?", "When is {topic}?", "Where is {topic}?")

_USER = canonical_subject(None)

_PAGE = 256


class TopicSearch:
    """Searches, and changes nothing. Without vectors in this process it searches by words alone."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        said: VisibleArchive,
        questions: StandingQuestionStore,
        embedder: Embedder,
        vectors: VectorStore | None,
        *,
        context_messages: int,
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._said = said
        self._questions = questions
        self._embedder = embedder
        self._vectors = vectors
        self._gate = GateCalibrator(embedder)
        self._background = TopicBackground(embedder)
        self._context_messages = context_messages

    async def find(self, user_id: str, topic: str) -> TopicSearchResult:
        """Return all hits that may be on the topic, surest first."""
        kept = await self._kept(user_id)
        attribute = find_topic_attribute(topic)
        relevance = await self._relevance(topic, kept.scopes)
        topic_hits = TopicHits()
        # The name of an attribute is near to every text about such attributes, whoever they belong
        # to.
        near = {} if attribute is not None else relevance or {}
        await self._look(topic, attribute, kept, near, topic_hits)
        await add_dependents(kept, topic_hits)
        await self._look_at_questions(user_id, topic, attribute, kept, topic_hits)
        async for identity, event in self._said.requests(user_id):
            names, said = _said_in(event)
            if texts := [text for text in said if text]:
                how = assess_topic_relevance(topic, names=names, texts=texts)
                topic_hits.note("request", identity, how, texts[0])
        async for letter in self._said.dead_letters(user_id):
            how = assess_topic_relevance(topic, names=(), texts=[letter.body])
            topic_hits.note("dead_letter", letter.id, how, letter.reason)
        order = sorted(
            topic_hits.by_place.values(), key=lambda hit: (-hit.sure, hit.record, hit.id)
        )
        return TopicSearchResult(found=tuple(order), by_meaning=relevance is not None)

    async def shown_in(self, user_id: str, turn_ids: Iterable[str]) -> ModelExposure:
        """Return the windows in which a model was shown one of these turns, fresh or as context."""
        wanted = set(turn_ids)
        if not wanted:
            return ModelExposure()
        places: dict[str, list[int]] = {}
        async for turn in self._said.turns(user_id):
            if turn.id in wanted:
                numbers = places.setdefault(turn.session_id, [])
                numbers += [] if turn.sequence is None else [turn.sequence]
        return ModelExposure(
            window_ids=tuple(
                [
                    window.id
                    async for window in self._said.windows(user_id)
                    if any(
                        window.first_sequence - self._context_messages
                        <= sequence
                        <= window.last_sequence
                        for sequence in places.get(window.session_id, ())
                    )
                ]
            ),
            summary_ids=tuple(summary_id(user_id, place) for place in places),
        )

    async def _kept(self, user_id: str) -> UserContent:
        memories: list[Memory] = []
        erased = await self._said.erased(user_id)
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_PAGE):
                memories += [
                    memory
                    for memory in page
                    if memory.status is not Status.PURGED and memory.epoch >= erased.epoch
                ]
        return UserContent(
            memories,
            [turn async for turn in self._said.turns(user_id)],
            [summary async for summary in self._said.summaries(user_id)],
        )

    async def _look(
        self,
        topic: str,
        attribute: AttributeQuestion | None,
        kept: UserContent,
        relevance: Mapping[str, float],
        topic_hits: TopicHits,
    ) -> None:
        turns = {turn.id: turn for turn in kept.turns}
        async for memory in iterate_cooperatively(kept.memories):
            how = _of_memory(topic, memory, relevance.get(memory.id, 0.0))
            if attribute is not None and _tells(memory, attribute):
                how = TopicRelevance(sure=NAMED_RELEVANCE, because=TopicRelevanceReason.NAMED)
            topic_hits.note("memory", memory.id, how, memory.content)
            for identity in turns.keys() & evidence_turn_ids(memory):
                resting = TopicRelevance(sure=how.sure, because=TopicRelevanceReason.EVIDENCE)
                topic_hits.note("turn", identity, resting, turns[identity].full_text)
        async for turn in iterate_cooperatively(kept.turns):
            how = assess_topic_relevance(
                topic,
                names=[turn.speaker],
                texts=[turn.full_text],
                relevance=0.0 if is_filler_turn(turn) else relevance.get(turn.id, 0.0),
            )
            topic_hits.note("turn", turn.id, how, turn.full_text)
        async for summary in iterate_cooperatively(kept.summaries):
            texts = [summary.text, *summary.key_facts, summary.unresolved or ""]
            how = assess_topic_relevance(
                topic,
                names=summary.topics,
                texts=[*texts, summary.user_intent or ""],
                relevance=relevance.get(summary.id, 0.0),
            )
            topic_hits.note("summary", summary.id, how, summary.text)

    async def _look_at_questions(
        self,
        user_id: str,
        topic: str,
        attribute: AttributeQuestion | None,
        kept: UserContent,
        topic_hits: TopicHits,
    ) -> None:
        erased = await self._said.erased(user_id)
        for question in await self._questions.list(user_id):
            if question.epoch < erased.epoch:
                continue
            how = assess_topic_relevance(topic, names=(), texts=[question.query])
            if attribute is not None and _asks(question.query, attribute):
                how = TopicRelevance(sure=NAMED_RELEVANCE, because=TopicRelevanceReason.NAMED)
            topic_hits.note("question", question.id, how, question.query)
            add_answered_question(question, kept.memories, topic_hits)

    async def _relevance(self, topic: str, scopes: tuple[Scope, ...]) -> Mapping[str, float] | None:
        """Return the relevance of near memories by id.

        None if this process cannot search by meaning.
        """
        if self._vectors is None:
            return None
        if not scopes:
            return {}
        try:
            question = await self._embedder.embed_query(topic)
            gate = await self._gate()
            background = await self._background.measure(question.dense)
            hits = await self._vectors.search(
                VectorQuery(
                    scopes=scopes,
                    statuses=frozenset(Status),
                    dense=question.dense,
                    sparse=question.sparse,
                    limit=MAXIMUM_NEAREST_RECORDS,
                )
            )
        except TransientError:
            return None
        chinese = detect_language(topic) is Language.CHINESE
        return {
            hit.id: gate.relevance(hit.cosine, chinese=chinese)
            for hit in hits
            if hit.cosine is not None
            and (background is None or background.deviations(hit.cosine) >= TOPIC_DEVIATIONS)
        }


def _said_in(event: AcceptedRequest) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names and the texts of a request; nothing for a tombstone."""
    match event:
        case RememberRequested():
            return (*event.entities, *event.tags), (event.content, event.summary or "")
        case SummaryPublished():
            said = (event.user_intent, event.emotional_tone, event.unresolved)
            return event.topics, (event.text, *event.key_facts, *(each or "" for each in said))
        case SkillRun():
            return (event.skill_name,), (event.run().words, event.failure or "", *_words(event))
        case SessionStarted():
            return event.participants, (event.topic or "", *event.participants)
        case _:
            return (), ()


def _words(run: SkillRun) -> Iterable[str]:
    return (json.dumps(step, ensure_ascii=False) for step in run.workflow)


def _tells(memory: Memory, asked: AttributeQuestion) -> bool:
    """Return whether a memory holds the user's attribute that the topic names.

    Only the first attribute of the question is named; the others merely help to answer a question.
    """
    return (
        memory.attribute is not None
        and canonical_attribute(memory.attribute) == asked.attributes[0]
        and canonical_subject(memory.subject) == _USER
    )


def _asks(question: str, asked: AttributeQuestion) -> bool:
    found = find_attribute_question(question)
    return found is not None and found.attributes[0] == asked.attributes[0] and _is_own(found)


def _is_own(question: AttributeQuestion) -> bool:
    return canonical_subject(question.subject) == _USER


def find_topic_attribute(topic: str) -> AttributeQuestion | None:
    """Find the attribute of the user that a topic names: "my name", 我的生日."""
    forms = _CHINESE_QUESTIONS if has_chinese(topic) else _ENGLISH_QUESTIONS
    found = (find_attribute_question(form.format(topic=topic)) for form in forms)
    own = (one for one in found if one is not None and _is_own(one))
    return next(own, None)


def _of_memory(topic: str, memory: Memory, relevance: float) -> TopicRelevance:
    quotes = [evidence.quote for evidence in memory.evidence]
    return assess_topic_relevance(
        topic,
        names=[*memory.entities, *memory.tags, memory.subject, memory.value],
        texts=[memory.content, memory.summary, *_details(memory), *quotes],
        relevance=relevance,
    )


def _details(memory: Memory) -> Iterable[str]:
    """Yield the words of fields that hold a detail."""
    for name, rule in WORD_RULES.items():
        if rule is Words.DETAIL:
            yield from list_words(getattr(memory, name))
