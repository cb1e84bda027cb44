"""Search everything on a topic by names, words and meaning, wherever it is kept."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.api.command_requests import TopicSearchHit, TopicSearchResult
from palimpsest.events.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.events.skills import SkillRun
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.errors import TransientError
from palimpsest.model.field_rules import Words, list_words
from palimpsest.model.memory import WORD_RULES, Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.topic_match import (
    MINIMUM_SHOWN_RELEVANCE,
    TopicRelevance,
    TopicRelevanceReason,
)
from palimpsest.model.turn import Turn
from palimpsest.model.user import Language
from palimpsest_language.topic_relevance import assess_topic_relevance
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_ids
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.gate_calibration import GateCalibrator
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_archive import UserArchive
from palimpsest_server.stores.vectors import VectorQuery, VectorStore
from services.console.memory_purge import ModelExposure

MAXIMUM_NEAREST_RECORDS = 500
"""Looked at by meaning; what stands further back is not near."""

EXCERPT_CHARACTERS = 120

MAXIMUM_MEMORIES_PER_CHANGE_SET = 500

_PAGE = 256


@dataclass(frozen=True)
class UserContent:
    """All data of a user that may be on a topic."""

    memories: list[Memory]
    turns: list[Turn]
    summaries: list[SessionSummary]

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return tuple(
            {
                *(memory.scope for memory in self.memories),
                *(turn.scope for turn in self.turns),
                *(summary.scope for summary in self.summaries),
            }
        )


@dataclass
class _Found:
    by_place: dict[tuple[str, str], TopicSearchHit] = field(default_factory=dict)

    def note(self, record: str, identity: str, how: TopicRelevance, text: str) -> None:
        known = self.by_place.get((record, identity))
        if how.sure < MINIMUM_SHOWN_RELEVANCE or (known is not None and known.sure >= how.sure):
            return
        self.by_place[record, identity] = TopicSearchHit.model_validate(
            {
                "record": record,
                "id": identity,
                "sure": how.sure,
                "because": how.because,
                "beginning": " ".join(text.split())[:EXCERPT_CHARACTERS],
            }
        )


class TopicSearch:
    """Looks, and changes nothing. Without vectors in this process it looks at words alone."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        said: UserArchive,
        embedder: Embedder,
        vectors: VectorStore | None,
        *,
        context_messages: int,
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._said = said
        self._embedder = embedder
        self._vectors = vectors
        self._gate = GateCalibrator(embedder)
        self._context_messages = context_messages

    async def find(self, user_id: str, topic: str) -> TopicSearchResult:
        """Return all hits that may be on the topic, surest first."""
        kept = await self._kept(user_id)
        relevance = await self._relevance(topic, kept.scopes)
        found = _Found()
        await self._look(topic, kept, relevance or {}, found)
        async for identity, event in self._said.requests(user_id):
            names, said = _said_in(event)
            if texts := [text for text in said if text]:
                how = assess_topic_relevance(topic, names=names, texts=texts)
                found.note("request", identity, how, texts[0])
        async for letter in self._said.dead_letters(user_id):
            how = assess_topic_relevance(topic, names=(), texts=[letter.body])
            found.note("dead_letter", letter.id, how, letter.reason)
        order = sorted(found.by_place.values(), key=lambda one: (-one.sure, one.record, one.id))
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
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_PAGE):
                memories += [one for one in page if one.status is not Status.PURGED]
        return UserContent(
            memories,
            [turn async for turn in self._said.turns(user_id)],
            [summary async for summary in self._said.summaries(user_id)],
        )

    async def _look(
        self, topic: str, kept: UserContent, relevance: Mapping[str, float], found: _Found
    ) -> None:
        turns = {turn.id: turn for turn in kept.turns}
        async for memory in iterate_cooperatively(kept.memories):
            how = _of_memory(topic, memory, relevance.get(memory.id, 0.0))
            found.note("memory", memory.id, how, memory.content)
            for identity in turns.keys() & evidence_turn_ids(memory):
                resting = TopicRelevance(sure=how.sure, because=TopicRelevanceReason.EVIDENCE)
                found.note("turn", identity, resting, turns[identity].full_text)
        async for turn in iterate_cooperatively(kept.turns):
            how = assess_topic_relevance(
                topic,
                names=[turn.speaker],
                texts=[turn.full_text],
                relevance=relevance.get(turn.id, 0.0),
            )
            found.note("turn", turn.id, how, turn.full_text)
        async for summary in iterate_cooperatively(kept.summaries):
            texts = [summary.text, *summary.key_facts, summary.unresolved or ""]
            how = assess_topic_relevance(
                topic,
                names=summary.topics,
                texts=[*texts, summary.user_intent or ""],
                relevance=relevance.get(summary.id, 0.0),
            )
            found.note("summary", summary.id, how, summary.text)

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
