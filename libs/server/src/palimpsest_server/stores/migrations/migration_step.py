"""A migration step: its number, its description, and the batches in which it changes documents."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.model.clock import Clock
from palimpsest.model.scope import Layout
from palimpsest_server.stores.collections import MEMORIES, NAMESPACES
from palimpsest_server.stores.mongo.database import MongoDatabase

DOCUMENTS_PER_BATCH = 500


async def _nothing() -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class StepBatch:
    """Documents that a step looked at, and the write that updates them."""

    seen: int
    """Number of documents looked at."""
    changed: int = 0
    """Number of those documents that the write changes."""
    write: Callable[[], Awaitable[None]] = _nothing


@dataclass(frozen=True, kw_only=True)
class MigrationContext:
    database: MongoDatabase
    layout: Layout
    clock: Clock

    async def memory_collections(self) -> list[str]:
        """Return the physical names of all collections that hold memories, in either layout."""
        registry = self.database.collection(NAMESPACES)
        found = registry.find({"layout": Layout.PER_AGENT.value}, {"physical_name": 1})
        return [MEMORIES.name, *sorted([each["physical_name"] async for each in found])]


class MigrationStep(Protocol):
    """One step. A changed document is not changed again, so an interrupted step can be repeated."""

    @property
    def number(self) -> int:
        """Version of the database after the step, from 1, without gaps."""
        ...

    @property
    def words(self) -> str:
        """The change, for people."""
        ...

    async def count(self, context: MigrationContext) -> int:
        """Count the documents that `batches` will look at, for the progress bar."""
        ...

    def batches(self, context: MigrationContext) -> AsyncIterator[StepBatch]:
        """Yield batches that are not written yet, so that a dry run can leave them unwritten."""
        ...


def check_step_numbers(steps: Sequence[MigrationStep]) -> None:
    """Refuse a table of steps with a gap or a repetition.

    Raises:
        RuntimeError: the message names the numbers.
    """
    numbers = [step.number for step in steps]
    if numbers != list(range(1, len(steps) + 1)):
        raise RuntimeError(f"the steps of migrations are numbered {numbers}")
