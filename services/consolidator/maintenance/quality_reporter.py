"""Measures daily how well each namespace is remembered: figures for people and dashboards."""

from collections.abc import Sequence
from datetime import date

from palimpsest.api.recall import RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Memory
from palimpsest.model.quality_report import QualityReport, RecallProbe
from palimpsest.model.scope import Namespace
from palimpsest_server.domain.reports.quality import build_quality_report, merge_quality_reports
from palimpsest_server.domain.reports.recall_probe import (
    build_probe_question,
    select_probe_memories,
)
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.reports import NamespaceReport, ReportStore
from palimpsest_server.stores.vectors import VectorQuery, VectorStore
from services.consolidator.metrics import ConsolidatorMetrics
from services.consolidator.vector_projection import VectorProjection

MEMORIES_PER_PAGE = 256
PROBED_RESULTS = 10
"""A probed memory counts as found if it is among this many results, by words or by meaning."""


class QualityReporter:
    def __init__(
        self,
        memories: MemoryStore,
        reports: ReportStore,
        *,
        projecting: VectorProjection | None,
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
        """Measure and store each namespace, and publish the sum of all as metrics."""
        for namespace in namespaces:
            quality_report = await self._of(namespace)
            await self._reports.write(NamespaceReport(namespace=namespace, report=quality_report))
        if namespaces:
            total = merge_quality_reports(
                report.report for report in await self._reports.everything()
            )
            if total is not None:
                self._metrics.reported(total)

    async def _of(self, namespace: Namespace) -> QualityReport:
        day = self._clock().date()
        memories: list[Memory] = []
        drift = None if self._projecting is None else 0
        async for page in self._memories.pages(namespace, size=MEMORIES_PER_PAGE):
            memories += page
            if self._projecting is not None and drift is not None:
                drift += len(await self._projecting.differing(page))
        return build_quality_report(
            memories, day=day, drift=drift, probe=await self._probe(memories, day)
        )

    async def _probe(self, memories: Sequence[Memory], day: date) -> RecallProbe | None:
        """Probe recall with some memories; None without vectors, or while the model is away."""
        if self._vectors is None:
            return None
        asked = select_probe_memories(memories, day)
        try:
            found = [await self._is_found(memory, self._vectors) for memory in asked]
        except TransientError:
            return None
        return RecallProbe(asked=len(found), found=sum(found))

    async def _is_found(self, memory: Memory, vectors: VectorStore) -> bool:
        question = await self._embedder.embed_query(build_probe_question(memory))
        hits = await vectors.search(
            VectorQuery(
                scopes=(memory.scope,),
                records=frozenset({RecordType.MEMORY}),
                dense=question.dense,
                sparse=question.sparse,
                limit=PROBED_RESULTS,
            )
        )
        return memory.id in {hit.id for hit in hits}
