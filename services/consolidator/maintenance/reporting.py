"""Once a day, how well each namespace is remembered: figures for people and for dashboards."""

from collections.abc import Sequence
from datetime import date

from palimpsest.contracts.recall import Record
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import TransientError
from palimpsest.domain.memory import Memory
from palimpsest.domain.reports.probing import probed, question_for
from palimpsest.domain.reports.quality import quality, summed
from palimpsest.domain.scope import Namespace
from palimpsest.model.quality_report import Probe, QualityReport
from palimpsest.providers.embedding import Embedder
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.reports import MongoReports, NamespaceReport
from palimpsest.stores.vectors import VectorQuery, VectorStore
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.projecting import Projecting

PAGE = 256
AMONG = 10
"""A memory counts as found where it is among so many, by its words or by its meaning."""


class Reporting:
    def __init__(
        self,
        memories: MemoryStore,
        reports: MongoReports,
        *,
        projecting: Projecting | None,
        vectors: VectorStore | None,
        embedder: Embedder,
        metrics: ConsolidatorMetrics,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._reports = reports
        self._projecting = projecting
        self._vectors = vectors
        self._embedder = embedder
        self._metrics = metrics
        self._clock = clock

    async def report(self, namespaces: Sequence[Namespace]) -> None:
        """Look at each of these, write down what was found, and tell the sum of all."""
        for namespace in namespaces:
            found = await self._of(namespace)
            await self._reports.write(NamespaceReport(namespace=namespace, report=found))
        if namespaces:
            total = summed(each.report for each in await self._reports.everything())
            if total is not None:
                self._metrics.reported(total)

    async def _of(self, namespace: Namespace) -> QualityReport:
        day = self._clock().date()
        memories: list[Memory] = []
        drift = None if self._projecting is None else 0
        async for page in self._memories.pages(namespace, size=PAGE):
            memories += page
            if self._projecting is not None and drift is not None:
                drift += len(await self._projecting.differing(page))
        return quality(memories, day=day, drift=drift, probe=await self._probe(memories, day))

    async def _probe(self, memories: Sequence[Memory], day: date) -> Probe | None:
        """None where no vectors are here, or no model to ask by."""
        if self._vectors is None:
            return None
        asked = probed(memories, day)
        try:
            found = [await self._is_found(memory, self._vectors) for memory in asked]
        except TransientError:
            return None
        return Probe(asked=len(found), found=sum(found))

    async def _is_found(self, memory: Memory, vectors: VectorStore) -> bool:
        question = await self._embedder.embed_query(question_for(memory))
        hits = await vectors.search(
            VectorQuery(
                scopes=(memory.scope,),
                records=frozenset({Record.MEMORY}),
                dense=question.dense,
                sparse=question.sparse,
                limit=AMONG,
            )
        )
        return memory.id in {hit.id for hit in hits}
