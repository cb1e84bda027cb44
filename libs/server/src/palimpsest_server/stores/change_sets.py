"""Change sets: every decision with its steps and its history, numbered by revision for each user."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress

PROGRESS_STEPS = tuple(ChangeSetProgress)
"""Steps in the order in which a change set passes them."""

UNFINISHED_STEPS = PROGRESS_STEPS[:-1]


@dataclass(frozen=True, kw_only=True)
class DecidedChangeSet:
    """A change set and, until it is projected, the vectors of the memories in it, by memory id."""

    change_set: ChangeSet
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)

    @property
    def user_id(self) -> str:
        return self.change_set.user_id

    @property
    def revision(self) -> int:
        return self.change_set.revision


@dataclass(frozen=True, kw_only=True)
class ChangeSetHead:
    """The last change set of one user: its id and revision."""

    revision: int = 0
    """Revision of the last change set; 0 if there is none."""
    unfinished: Mapping[str, ChangeSetProgress] = field(default_factory=dict)
    """Progress of the change sets that are not announced yet, by id, in the order of revisions."""


@dataclass(frozen=True, kw_only=True)
class DecidedMark:
    """The id, time and progress of one change set."""

    change_set_id: str
    decided_at: datetime
    progress: ChangeSetProgress


class ChangeSetReader(Protocol):
    async def known(self, change_set_ids: Sequence[str]) -> set[str]:
        """Return those of `change_set_ids` that were decided, in whatever state they are."""
        ...

    async def by_ids(self, change_set_ids: Sequence[str]) -> list[ChangeSet]:
        """Return change sets by user and revision; unknown ids are left out."""
        ...

    async def history(self, user_id: str, memory_id: str) -> list[ChangeSet]:
        """Return all change sets that touched one memory, oldest first."""
        ...

    async def histories(
        self, user_id: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Sequence[ChangeSet]]:
        """Return the change sets that touched each of these memories, oldest first.

        A change set is given with the changes of that memory alone: it may hold hundreds of others. Memories
        of neighbouring `first_revisions` share change sets, which are read once for all of them.
        """
        ...

    async def first_revisions(self, user_id: str) -> Mapping[str, int]:
        """Return the revision of the first change set that touched each memory of a user."""
        ...

    async def of_session(
        self, user_id: str, session_id: str, *, limit: int, before: int | None = None
    ) -> list[ChangeSet]:
        """Return the change sets that a session caused, the newest first, below this revision."""
        ...

    async def last_changed(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, datetime]:
        """Return the time of each memory's last change; unchanged memories are left out."""
        ...

    async def page(self, user_id: str, *, limit: int, before: int | None) -> list[ChangeSet]:
        """Return a user's change sets below the revision `before`, newest first; None starts at the last."""
        ...

    async def later(self, user_id: str, *, revision: int, limit: int) -> list[ChangeSet]:
        """Return a user's change sets above this revision, oldest first, however far they have come."""
        ...

    def marks_since(self, moment: datetime) -> AsyncIterator[DecidedMark]:
        """Yield the id, time and progress of all users' change sets decided since `moment`, in that order."""
        ...

    def decided_since(self, moment: datetime) -> AsyncIterator[ChangeSet]:
        """Yield the change sets of all users from this moment on, in the order of their decision."""
        ...


class ChangeSetStore(ChangeSetReader, Protocol):
    async def heads(self, user_ids: Sequence[str]) -> Mapping[str, ChangeSetHead]:
        """Return the head of each user's change sets; every user is present in the answer."""
        ...

    async def append(self, decided: Sequence[DecidedChangeSet]) -> set[str]:
        """Store change sets in the given order for each user; return the ids that were refused.

        A change set is refused if its id or revision exists already, because another process wrote it.
        All later change sets of that user are then refused too.
        """
        ...

    async def read(self, change_set_ids: Sequence[str]) -> list[DecidedChangeSet]:
        """Return change sets with their vectors, by user and revision; unknown ids are left out."""
        ...

    async def mark(self, change_set_ids: Sequence[str], progress: ChangeSetProgress) -> None:
        """Raise the progress of these change sets to `progress`. From `projected` on, their vectors are dropped."""
        ...

    async def checkpoint(self, revisions: Mapping[str, int]) -> None:
        """Record that all of a user's change sets up to this revision are finished.

        The checkpoint only limits how far `heads` looks back, so it may lag or be missing.
        """
        ...

    async def unfinished(
        self, limit: int, *, progress: Collection[ChangeSetProgress] = UNFINISHED_STEPS
    ) -> list[ChangeSet]:
        """Return at most `limit` change sets in this state, of all users, by user and revision."""
        ...
