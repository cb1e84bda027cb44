"""Everything on a topic: found by names, words and meaning, wherever it is kept."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.contracts.command_requests import FoundOnTopic, TopicFound
from palimpsest.contracts.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.contracts.skills import SkillRun
from palimpsest.domain.errors import TransientError
from palimpsest.domain.evolution.withholding import rests_on
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import SessionSummary, summary_id
from palimpsest.domain.topics import sureness
from palimpsest.domain.turn import Turn
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of
from palimpsest.model.topic_match import SHOWN_FROM, Because, Sureness
from palimpsest.providers.embedding import Embedder
from palimpsest.providers.gate_of_model import GateOfModel
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from palimpsest.stores.pacing import paced
from palimpsest.stores.requests import AcceptedRequest
from palimpsest.stores.said import Said
from palimpsest.stores.vectors import VectorQuery, VectorStore
from services.console.purging import ShownIn

NEAREST = 500
"""Looked at by meaning; what stands further back is not near."""

BEGINNING_CHARACTERS = 120

MEMORIES_AT_ONCE = 500

_PAGE = 256


@dataclass(frozen=True)
class Kept:
    """All that is kept of a user and may be on a topic."""

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
    by_place: dict[tuple[str, str], FoundOnTopic] = field(default_factory=dict)

    def note(self, record: str, identity: str, how: Sureness, text: str) -> None:
        known = self.by_place.get((record, identity))
        if how.sure < SHOWN_FROM or (known is not None and known.sure >= how.sure):
            return
        self.by_place[record, identity] = FoundOnTopic.model_validate(
            {
                "record": record,
                "id": identity,
                "sure": how.sure,
                "because": how.because,
                "beginning": " ".join(text.split())[:BEGINNING_CHARACTERS],
            }
        )


class Topics:
    """Looks, and changes nothing. Without vectors in this process it looks at words alone."""

    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        said: Said,
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
        self._gate = GateOfModel(embedder)
        self._context_messages = context_messages

    async def find(self, user_id: str, topic: str) -> TopicFound:
        """All that is at least a little sure to be on the topic, the surest first."""
        kept = await self._kept(user_id)
        relevance = await self._relevance(topic, kept.scopes)
        found = _Found()
        await self._look(topic, kept, relevance or {}, found)
        async for identity, event in self._said.requests(user_id):
            names, said = _said_in(event)
            if texts := [text for text in said if text]:
                how = sureness(topic, names=names, texts=texts)
                found.note("request", identity, how, texts[0])
        async for letter in self._said.dead_letters(user_id):
            how = sureness(topic, names=(), texts=[letter.body])
            found.note("dead_letter", letter.id, how, letter.reason)
        order = sorted(found.by_place.values(), key=lambda one: (-one.sure, one.record, one.id))
        return TopicFound(found=tuple(order), by_meaning=relevance is not None)

    async def shown_in(self, user_id: str, turn_ids: Iterable[str]) -> ShownIn:
        """Where a model was shown one of these turns, new or for context."""
        wanted = set(turn_ids)
        if not wanted:
            return ShownIn()
        places: dict[str, list[int]] = {}
        async for turn in self._said.turns(user_id):
            if turn.id in wanted:
                numbers = places.setdefault(turn.session_id, [])
                numbers += [] if turn.sequence is None else [turn.sequence]
        return ShownIn(
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
            summary_ids=tuple(summary_id(user_id, each) for each in places),
        )

    async def _kept(self, user_id: str) -> Kept:
        memories: list[Memory] = []
        for namespace in await self._namespaces.of_user(user_id):
            async for page in self._memories.pages(namespace, size=_PAGE):
                memories += [one for one in page if one.status is not Status.PURGED]
        return Kept(
            memories,
            [turn async for turn in self._said.turns(user_id)],
            [summary async for summary in self._said.summaries(user_id)],
        )

    async def _look(
        self, topic: str, kept: Kept, relevance: Mapping[str, float], found: _Found
    ) -> None:
        turns = {turn.id: turn for turn in kept.turns}
        async for memory in paced(kept.memories):
            how = _of_memory(topic, memory, relevance.get(memory.id, 0.0))
            found.note("memory", memory.id, how, memory.content)
            for identity in turns.keys() & rests_on(memory):
                resting = Sureness(sure=how.sure, because=Because.EVIDENCE)
                found.note("turn", identity, resting, turns[identity].full_text)
        async for turn in paced(kept.turns):
            how = sureness(
                topic,
                names=[turn.speaker],
                texts=[turn.full_text],
                relevance=relevance.get(turn.id, 0.0),
            )
            found.note("turn", turn.id, how, turn.full_text)
        async for summary in paced(kept.summaries):
            texts = [summary.text, *summary.key_facts, summary.unresolved or ""]
            how = sureness(
                topic,
                names=summary.topics,
                texts=[*texts, summary.user_intent or ""],
                relevance=relevance.get(summary.id, 0.0),
            )
            found.note("summary", summary.id, how, summary.text)

    async def _relevance(self, topic: str, scopes: tuple[Scope, ...]) -> Mapping[str, float] | None:
        """By id, of what is near; None where meaning can't be looked at here and now."""
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
                    limit=NEAREST,
                )
            )
        except TransientError:
            return None
        chinese = language_of(topic) is Language.CHINESE
        return {
            hit.id: gate.relevance(hit.cosine, chinese=chinese)
            for hit in hits
            if hit.cosine is not None
        }


def _said_in(event: AcceptedRequest) -> tuple[Sequence[str], Sequence[str]]:
    """What a request is said to be about, and all that it says; nothing where it is a mark."""
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


def _of_memory(topic: str, memory: Memory, relevance: float) -> Sureness:
    quotes = [evidence.quote for evidence in memory.evidence]
    return sureness(
        topic,
        names=[*memory.entities, *memory.tags, memory.subject, memory.value],
        texts=[memory.content, memory.summary, *quotes],
        relevance=relevance,
    )
