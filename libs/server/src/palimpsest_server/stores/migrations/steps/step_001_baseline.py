"""Step 1: documents older than any stored version, which can be read unchanged."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from palimpsest_server.stores.migrations.migration_step import MigrationContext, StepBatch


@dataclass(frozen=True)
class Baseline:
    number: int = 1
    words: str = "the version is written down; no document changes"

    async def count(self, _: MigrationContext) -> int:
        return 0

    async def batches(self, _: MigrationContext) -> AsyncIterator[StepBatch]:
        return
        yield StepBatch(seen=0)
