"""The surroundings of a recall: stores to fill by hand, and the handler on top of them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from prometheus_client import CollectorRegistry

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import RecallRequest, RecallResponse, RecordType
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.clock import Clock
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.turn import Role, Turn, turn_id
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.domain.ranking.extract_features import (
    extract_memory_features,
    extract_summary_features,
    extract_turn_features,
)
from palimpsest_server.domain.ranking.ranking_features import NO_FEATURES, RankingFeatures
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.entities import InMemoryEntities
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.profiles import InMemoryProfiles
from palimpsest_server.stores.summaries import InMemorySummaries
from palimpsest_server.stores.todos import InMemoryTodos
from palimpsest_server.stores.turns import TurnPlacement, TurnStore
from palimpsest_server.stores.vectors import VectorPoint, VectorStore
from services.recall.app import Calibrations, RecallTimes, build
from services.recall.recall_stores import RecallStores
from tests.support.given_settings import GivenSettings
from tests.support.platform import InMemoryPlatform
from tests.support.services.recall.stand_ins import (
    GATE,
    Published,
    States,
    shared_embedder,
    shared_topics,
)
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.sessions import InMemorySessions

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


class World:
    """The recall service as it is wired, on stores in memory or given ones."""

    def __init__(
        self,
        memories: MemoryStore,
        turns: TurnStore,
        vectors: VectorStore,
        clock: Clock,
        embedder: HashingEmbedder | None = None,
        gate: Gate = GATE,
    ) -> None:
        self.memories = memories
        self.turns = turns
        self.vectors = vectors
        self.states = States()
        self.gate = gate
        self.published = Published()
        self.registry = CollectorRegistry()
        self._embedder = embedder or shared_embedder()
        self.summaries = InMemorySummaries()
        self.todos = InMemoryTodos()
        self.profiles = InMemoryProfiles()
        self.sessions = InMemorySessions()
        self.change_sets = InMemoryChangeSets()
        self.entities = InMemoryEntities()
        self.service = build(
            InMemoryPlatform(
                settings=GivenSettings(),
                clock=clock,
                embedder=self._embedder,
                vectors=vectors,
                registry=self.registry,
                user_states=self.states,
                publisher=self.published,
            ),
            stores=RecallStores(
                memories=memories,
                turns=turns,
                summaries=self.summaries,
                sessions=self.sessions,
                todos=self.todos,
                profiles=self.profiles,
                change_sets=self.change_sets,
                entities=self.entities,
            ),
            calibrations=Calibrations(gate=self._gate, topics=shared_topics()),
            times=RecallTimes(access_tick_seconds=0.01, revision_patience_seconds=0.05),
        )
        self.access_log = self.service.access_log
        self.hot = self.service.hot_set
        self.recall_handler = self.service.recall_handler
        self.contexts = self.service.contexts

    async def context(self, query: str | None = None, **fields: object) -> ContextResponse:
        request = {"query": query, "user_id": "ada", **fields}
        return await self.contexts.context(ContextRequest.model_validate(request))

    async def recall(self, query: str, user_id: str = "ada", **fields: object) -> RecallResponse:
        request = {"query": query, "user_id": user_id, **fields}
        return await self.recall_handler.recall(RecallRequest.model_validate(request))

    async def recalled(self, query: str, user_id: str = "ada", **fields: object) -> list[str]:
        return [result.content for result in (await self.recall(query, user_id, **fields)).results]

    async def said(
        self,
        text: str,
        scope: Scope | None = None,
        *,
        session: str = "s",
        sequence: int = 1,
        found: bool = True,
        epoch: int = 0,
        speaker: str | None = None,
        at: datetime = NOW,
        role: Role = Role.USER,
    ) -> Turn:
        """A turn, stored; and its vector, unless it is not to be found."""
        scope = scope or Scope(user_id="ada")
        message = f"m{sequence}"
        turn = Turn(
            id=turn_id(scope.user_id, session, message),
            event_id=derive_id("event", session, message),
            **scope.model_dump(),
            session_id=session,
            message_id=message,
            role=role,
            speaker=speaker,
            text=text,
            occurred_at=at,
            received_at=NOW,
            epoch=epoch,
            sequence=sequence,
        )
        assert await self.turns.place([TurnPlacement(turn, accepted=False)], now=NOW)
        if found:
            await self.project(
                turn.id,
                RecordType.TURN,
                scope,
                text,
                session_id=session,
                sequence=sequence,
                features=extract_turn_features(turn),
            )
        return turn

    async def remembered(
        self,
        content: str,
        scope: Scope | None = None,
        *,
        quotes: Turn | None = None,
        found_as: Scope | None = None,
        projected: bool = False,
        details: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Memory:
        """A memory, stored; and a vector that says it is active, whatever the document says.

        Unless it is to be `projected` as it is.
        """
        scope = scope or Scope(user_id="ada")
        evidence = Evidence(quote=content, origin="command")
        if quotes is not None:
            evidence = Evidence(
                quote=quotes.text,
                said_by=quotes.role,
                session_id=quotes.session_id,
                message_id=quotes.message_id,
            )
        memory = Memory.model_validate(
            {
                "id": derive_id("memory", content, scope.user_id, scope.agent_id, scope.project_id),
                "scope": scope,
                "kind": Kind.FACT,
                "content": content,
                "summary": content,
                "importance": 0.8,
                "confidence": 0.9,
                "source": MemorySource.USER_INPUT,
                "occurred_at": NOW,
                "recorded_at": NOW,
                "valid_from": NOW - timedelta(days=1),
                "status": Status.ACTIVE,
                "lifetime": Lifetime.CORE,
                "evidence": (evidence,),
                "epoch": 0,
                **fields,
                **(details or {}),
            }
        )
        await self.memories.apply([MemoryChange(after=memory)])
        await self.project(
            memory.id,
            RecordType.MEMORY,
            found_as or scope,
            content,
            kind=memory.kind,
            features=extract_memory_features(memory),
            status=memory.status if projected else Status.ACTIVE,
        )
        return memory

    async def summed_up(
        self,
        text: str,
        *,
        ended: datetime,
        session: str = "s",
        scope: Scope | None = None,
        epoch: int = 0,
        found: bool = True,
    ) -> SessionSummary:
        """A session that was talked of, stored; and its vector, unless it is not to be found."""
        scope = scope or Scope(user_id="ada")
        summary = SessionSummary(
            id=summary_id(scope.user_id, session),
            scope=scope,
            session_id=session,
            text=text,
            made_by="local",
            message_count=6,
            through=6,
            started_at=ended - timedelta(minutes=5),
            ended_at=ended,
            made_at=ended,
            expires_at=NOW + timedelta(days=90),
            epoch=epoch,
        )
        await self.summaries.write([summary])
        if found:
            features = extract_summary_features(summary)
            await self.project(
                summary.id, RecordType.SUMMARY, scope, text, session_id=session, features=features
            )
        return summary

    async def project(
        self,
        identity: str,
        record: RecordType,
        scope: Scope,
        text: str,
        *,
        kind: Kind | None = None,
        session_id: str | None = None,
        sequence: int | None = None,
        features: RankingFeatures = NO_FEATURES,
        status: Status = Status.ACTIVE,
        version: int = 1,
    ) -> None:
        (vectors,) = await self._embedder.embed_documents([EmbeddableText(dense=text, sparse=text)])
        point = VectorPoint(
            id=identity,
            record=record,
            scope=scope,
            version=version,
            dense=vectors.dense_values(),
            sparse=vectors.sparse(),
            kind=kind,
            session_id=session_id,
            sequence=sequence,
            features=features,
            status=status,
        )
        await self.vectors.upsert([point])

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(name, labels) or 0.0

    async def _gate(self) -> Gate:
        return self.gate
