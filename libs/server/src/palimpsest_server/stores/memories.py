"""Memories: read by scope, written by one service under a precondition on their version."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from palimpsest.api.recall import RecordType
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Memory, Status
from palimpsest.model.scope import Namespace, Scope
from palimpsest_server.stores.listed_scopes import ListedScopes

Memories = list[Memory]
"""Alias, because a reader's method `list` hides the type inside its class."""

COMPARED_STATUSES = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.REJECTED})
"""Statuses of memories that a candidate may repeat or replace, or that may refuse it."""


@dataclass(frozen=True, kw_only=True)
class RecordedRecall:
    """One recall that returned these memories."""

    user_id: str
    recall_id: str
    memory_ids: tuple[str, ...]
    at: datetime
    returned: Sequence[tuple[str, tuple[float, ...]]] = ()
    """All results with their ranking features, for fitting weights: see `MongoRankingTraces`."""
    asked: str = ""
    results: Sequence[tuple[str, RecordType, float]] = ()
    """All results, with their scores."""
    epoch: int = 0
    agent_id: str | None = None
    """The agent that asked."""


@dataclass(frozen=True, kw_only=True)
class ContentFilter:
    """Words, tags and times of memories that are searched for; None sets no condition."""

    text: str | None = None
    attribute: str | None = None
    """The attribute that the words name; its memories match too."""
    tags: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None

    def accepts(
        self,
        occurred_at: datetime,
        tags: Sequence[str],
        texts: Iterable[str],
        attribute: str | None = None,
    ) -> bool:
        """Return whether a memory of this time, these tags and these texts is meant; case does not count."""
        if self.since is not None and occurred_at < self.since:
            return False
        if self.until is not None and occurred_at >= self.until:
            return False
        if not {tag.casefold() for tag in self.tags} <= {tag.casefold() for tag in tags}:
            return False
        if self.text is None or (attribute is not None and attribute == self.attribute):
            return True
        words = self.text.casefold()
        return any(words in text.casefold() for text in (*texts, *tags))

    def accepts_memory(self, memory: Memory) -> bool:
        quotes = (evidence.quote for evidence in memory.evidence)
        return self.accepts(
            memory.occurred_at,
            memory.tags,
            (memory.content, memory.summary, *quotes),
            memory.attribute,
        )


class MemoryPlace(NamedTuple):
    """Fields of a memory by which lists are sorted."""

    id: str
    recorded_at: datetime
    occurred_at: datetime
    pinned: bool
    importance: float


class MemoryFigures(NamedTuple):
    """Fields of a memory that are counted."""

    id: str
    status: Status
    kind: Kind
    importance: float
    recorded_at: datetime
    epoch: int


@dataclass(frozen=True)
class SearchedPage:
    """Places of memories that match, of a page of those that were compared."""

    places: Sequence[MemoryPlace]
    """In the order of `list`. To build each memory would cost much more than to compare it."""
    compared: int
    """The number of memories that were compared."""
    last_id: str | None
    """The last memory that was compared; None if none was."""


class MemoryReader(Protocol):
    async def by_ids(self, scopes: ListedScopes, ids: Sequence[str]) -> Memories:
        """Return memories by id that live in exactly one of these scopes, in no order."""
        ...

    async def most_accessed(self, user_id: str, *, limit: int) -> list[str]:
        """Return ids of a user's most recalled memories of any status, most recalled first."""
        ...

    async def list(
        self,
        scopes: ListedScopes,
        *,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Memories:
        """Return memories by recording time, newest first; None sets no condition.

        `after` is the last id of the page before. With `as_of` only memories valid at that moment are
        returned.

        Raises:
            RecordNotFound: no memory of the id `after` lives in these scopes.
        """
        ...

    async def search(
        self,
        scopes: ListedScopes,
        content: ContentFilter,
        *,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
        limit: int,
        after: str | None = None,
    ) -> SearchedPage:
        """Compare the next `limit` memories in the order of `list`, and return the places of those that match.

        Raises:
            RecordNotFound: no memory of the id `after` lives in these scopes.
        """
        ...

    async def weightiest(self, scopes: Sequence[Scope], *, limit: int) -> Memories:
        """Return active memories: pinned first, then by importance, then newest recorded first."""
        ...

    async def accesses(self, scopes: Sequence[Scope], ids: Sequence[str]) -> dict[str, Accesses]:
        """Return the access counters of these memories; never recalled ones are left out."""
        ...

    async def accesses_of(
        self, ids: Mapping[str, Collection[str]]
    ) -> dict[str, dict[str, Accesses]]:
        """Return the access counters of each user's memories; never recalled ones are left out."""
        ...

    async def holding_attribute_keys(
        self,
        namespace: Namespace,
        keys: Collection[str],
        *,
        limit: int,
        as_of: datetime | None = None,
    ) -> Memories:
        """Return at most `limit` memories of these attributes that are active, or held at `as_of`, in no order."""
        ...


class MemoryStore(MemoryReader, Protocol):
    async def of_namespaces(self, ids: Mapping[Namespace, Collection[str]]) -> Memories:
        """Return the memories of these ids in these namespaces, whatever their project."""
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
        """Return the next active memories of a namespace by id, after the id `after`.

        Memories added since the first page was read may be missing in later pages.
        """
        ...

    async def least_important(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return active memories that are not pinned, least important first, then oldest first."""
        ...

    async def latest(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return active memories of a namespace, newest recorded first."""
        ...

    async def superseded(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return superseded memories, last ended first."""
        ...

    async def rested_on(self, namespace: Namespace, ids: Collection[str]) -> frozenset[str]:
        """Return those of `ids` to which an active memory of the namespace has a relation."""
        ...

    async def figures(self, namespace: Namespace) -> Sequence[MemoryFigures]:
        """Return the figures of all memories of a namespace, in no order; to build each would cost much more."""
        ...

    async def recall_counts(self, user_id: str) -> Mapping[str, int]:
        """Return how often each of a user's memories was recalled, by id; never recalled ones are left out."""
        ...

    async def count_active(self, namespaces: Collection[Namespace]) -> dict[Namespace, int]:
        """Count the active memories of each namespace; every namespace is present in the answer."""
        ...

    async def recalled(self, recall_ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Return the memory ids that recalls returned, by recall id.

        Recall ids are given by user id. Unknown recalls are left out: they returned no memory, were not
        counted, or are days old.
        """
        ...

    async def apply(self, changes: Sequence[MemoryChange]) -> int:
        """Write each `after` where the expected version is stored, in the given order.

        A memory stored at the version of `after` or a later one counts as applied. A memory stored below
        the expected version has lost a write. Its change set is the truth, so the memory is raised to
        `after`. Return the number of memories with such a conflict.
        """
        ...

    async def count(self, accesses: Sequence[RecordedRecall]) -> None:
        """Count each recall once for each of its memories; a recall that was counted recently changes nothing."""
        ...

    async def fold_accesses(self, *, before: datetime, now: datetime) -> int:
        """Fold recalls counted before that moment into sums; return how many recalls were folded."""
        ...

    async def forgotten(self, namespace: Namespace, *, recorded_before: datetime) -> Memories:
        """Return all forgotten memories that were recorded before the moment, in no order."""
        ...

    async def waiting(self, namespace: Namespace, *, limit: int) -> Memories:
        """Return memories that wait for confirmation, first recorded first."""
        ...

    async def ids(self, namespace: Namespace) -> list[str]:
        """Return the ids of all memories of a namespace, in no order."""
        ...

    def pages(self, namespace: Namespace, *, size: int) -> AsyncIterator[Memories]:
        """Yield all memories of a namespace by id, in pages of `size`; no page is empty.

        Memories added after the first page may be missing. Each page shows its memories as they are when
        it is read. Small namespaces are read at once.
        """
        ...


def rests_on_messages(memory: Memory, messages: Collection[tuple[str, str]]) -> bool:
    """Return whether a memory rests on one of these messages (session id, message id)."""
    return any(
        (evidence.session_id, evidence.message_id) in messages for evidence in memory.evidence
    )


@dataclass(frozen=True)
class MemoryWrite:
    """The write of one memory in a run of changes, from one version to another."""

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
