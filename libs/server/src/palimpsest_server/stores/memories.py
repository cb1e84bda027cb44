"""Memories: read by scope, written by one service under the version that is expected to stand."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from palimpsest.api.recall import RecordType
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.scope import Namespace, Scope

Memories = list[Memory]
"""A name of its own, for a reader's method `list` hides the type in its class."""

COMPARED_STATUSES = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.REJECTED})
"""What a candidate may repeat, or take the place of, or be refused for."""


@dataclass(frozen=True, kw_only=True)
class RecordedRecall:
    """One recall that returned these memories."""

    user_id: str
    recall_id: str
    memory_ids: tuple[str, ...]
    at: datetime
    returned: Sequence[tuple[str, tuple[float, ...]]] = ()
    """All results with their signs: see `domain.ranking.tuning`."""
    asked: str = ""
    results: Sequence[tuple[str, RecordType, float]] = ()
    """All results, with their scores."""
    epoch: int = 0


class MemoryReader(Protocol):
    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> Memories:
        """Return memories by id that live in exactly one of these scopes, in no order."""
        ...

    async def most_accessed(self, user_id: str, *, limit: int) -> list[str]:
        """Ids of a user's most recalled memories, whatever became of them; the most recalled first."""
        ...

    async def list(
        self,
        scopes: Sequence[Scope],
        *,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Memories:
        """Newest recorded first, `None` meaning any; `after` is the last id of the page before.

        With `as_of` only what was valid then: see `held_at`.

        Raises:
            NotFound: no memory of the id `after` lives in these scopes.
        """
        ...

    async def weightiest(self, scopes: Sequence[Scope], *, limit: int) -> Memories:
        """Active ones: the pinned first, then the most important, of equals those recorded last."""
        ...

    async def accesses(self, scopes: Sequence[Scope], ids: Sequence[str]) -> dict[str, Accesses]:
        """Return the access counters of these memories; never recalled ones are left out."""
        ...

    async def holding_attribute_keys(
        self,
        namespace: Namespace,
        keys: Collection[str],
        *,
        limit: int,
        as_of: datetime | None = None,
    ) -> Memories:
        """Memories of these attributes that are active, or held at `as_of`; at most so many, in no order."""
        ...


class MemoryStore(MemoryReader, Protocol):
    async def of_namespaces(self, ids: Mapping[Namespace, Collection[str]]) -> Memories:
        """The memories of these ids in these namespaces, whatever their project."""
        ...

    async def with_content_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        """Return memories that candidates with these content keys may repeat."""
        ...

    async def with_attribute_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        """Return memories that candidates with these attribute keys may repeat or replace."""
        ...

    async def with_value_keys(self, keys: Mapping[Namespace, Collection[str]]) -> Memories:
        """Return memories that have or once had one of these `stored_keys`, as `with_attribute_keys` does."""
        ...

    async def quoting(
        self, namespace: Namespace, messages: Collection[tuple[str, str]]
    ) -> Memories:
        """Return memories of any status that quote one of these messages (session id, message id)."""
        ...

    async def active(self, namespace: Namespace) -> Memories:
        """Return all active memories of a namespace in every project, in no order."""
        ...

    async def active_page(
        self, namespace: Namespace, *, limit: int, after: str | None = None
    ) -> Memories:
        """The next active memories of a namespace by id, after that one.

        What came since the first page was read may be missing in those after it.
        """
        ...

    async def least_important(self, namespace: Namespace, *, limit: int) -> Memories:
        """Active memories that nobody pinned, the least important first, of equals the oldest."""
        ...

    async def latest(self, namespace: Namespace, *, limit: int) -> Memories:
        """Active memories of a namespace, those recorded last first."""
        ...

    async def superseded(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return superseded memories, last ended first."""
        ...

    async def rested_on(self, namespace: Namespace, ids: Collection[str]) -> frozenset[str]:
        """Return those of `ids` to which an active memory of the namespace has a relation."""
        ...

    async def count_active(self, namespaces: Collection[Namespace]) -> dict[Namespace, int]:
        """Count the active memories of each namespace; every namespace is present in the answer."""
        ...

    async def accesses_of(
        self, ids: Mapping[str, Collection[str]]
    ) -> dict[str, dict[str, Accesses]]:
        """Return the access counters of each user's memories; never recalled ones are left out."""
        ...

    async def recalled(self, recall_ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Return the memory ids that recalls returned, by recall id.

        Recall ids are given by user id.

        A recall that nothing is known of is left out: it returned none, was not
        to be counted, or is days ago.
        """
        ...

    async def apply(self, changes: Sequence[MemoryChange]) -> int:
        """Write each `after` where the expected version stands, in the order given.

        What stands at the version of `after` or a later one counts as applied.
        What stands lower than expected has lost a write: the change set that
        names it is the truth, so it is brought up to it. Answers how many
        memories met such a conflict.
        """
        ...

    async def count(self, accesses: Sequence[RecordedRecall]) -> None:
        """Count each recall once for each memory; a recall counted lately changes nothing."""
        ...

    async def fold_accesses(self, *, before: datetime, now: datetime) -> int:
        """Make room: what was counted before that moment is kept as sums. How many recalls."""
        ...

    async def forgotten(self, namespace: Namespace, *, recorded_before: datetime) -> Memories:
        """Return all forgotten memories that were recorded before the moment, in no order."""
        ...

    async def waiting(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return memories that wait for confirmation, first recorded first."""
        ...

    def pages(self, namespace: Namespace, *, size: int) -> AsyncIterator[Memories]:
        """Yield all memories of a namespace by id, in pages of `size`.

        Those that were there at the first page, each as it is when its page is read, or of few
        memories all as they are at the first; no page is empty.
        """
        ...


def rests_on_messages(memory: Memory, messages: Collection[tuple[str, str]]) -> bool:
    """Return whether a memory rests on one of these messages (session id, message id)."""
    return any((one.session_id, one.message_id) in messages for one in memory.evidence)


@dataclass(frozen=True)
class MemoryWrite:
    """The write of one memory in a run of changes: from one version to another."""

    expected_version: int
    after: Memory


def merge_changes_per_memory(changes: Sequence[MemoryChange]) -> list[MemoryWrite]:
    """Return one write for each memory, from what its first change expects to what its last leaves."""
    writes: dict[str, MemoryWrite] = {}
    for change in changes:
        first = writes.get(change.after.id)
        expected = change.expected_version if first is None else first.expected_version
        writes[change.after.id] = MemoryWrite(expected, change.after)
    return list(writes.values())


def most_important_first(memory: Memory) -> tuple[bool, float, float, str]:
    return (not memory.pinned, -memory.importance, *newest_first(memory))


def newest_first(memory: Memory) -> tuple[float, str]:
    return (-memory.recorded_at.timestamp(), memory.id)
