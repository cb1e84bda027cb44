"""Inspection history: lets a run inspect only memories that are new, changed or due. No I/O.

The history is only an optimisation: it leaves out memories that would stay unchanged. The last
inspection computed the day on which time alone changes a memory. All other changes come with a
change set of the user, and these are followed one by one. If one is missing, because another
process wrote it or a write was refused, everything is inspected again. Recalls change no version,
but a recalled memory is kept for at least a week.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.change_set import ChangeSet, MemoryChange, SettingsChange, TodoChange
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Namespace
from services.consolidator.maintenance.run_extent import MaintenanceExtent

FRESH_PERIOD = timedelta(days=2)
"""Memories recorded within this time are compared with all others. It covers two daily runs,
because a run may be late.
"""
SMALL_NAMESPACE_MEMORIES = 50
"""A namespace with fewer active memories is inspected as a whole each day: that is no more work."""
INSPECTION_HORIZON_DAYS = 8
"""Days after which everything is inspected again: the weekly inspection may be a day late."""
MAXIMUM_REMEMBERED_USERS = 10_000
"""The most users with a remembered history."""


@dataclass(frozen=True, kw_only=True)
class InspectionRecord:
    """The memories that a part of a run inspected one by one without finding more to do."""

    run: RunMaintenance
    at: datetime
    extent: MaintenanceExtent
    news: frozenset[str] = frozenset()
    """The ids that the part inspected, if its extent is `NEWS`."""
    active: Sequence[Memory] = ()
    """Active memories after the part."""
    due: Mapping[str, date] = field(default_factory=dict)
    """Days on which time alone changes a memory, by memory id, within the next `DAYS_AHEAD` days.
    """
    after: str | None = None
    """The id behind which the next page begins; None if there is no next page."""


@dataclass
class _Namespace:
    since: date
    """The day on which the inspection of everything began."""
    next_page_after: str | None = None
    """Memories up to this id are inspected; None before the first page and after the last."""
    active: int = 0
    changed: set[str] = field(default_factory=set)
    recorded: dict[str, datetime] = field(default_factory=dict)
    """When each fresh memory was recorded, by memory id."""
    due: dict[str, date] = field(default_factory=dict)
    resting: dict[str, set[str]] = field(default_factory=dict)
    """Ids of reflections by the memory they rest on: they are withdrawn with it."""

    def saw(self, look: InspectionRecord) -> None:
        self.changed -= look.news
        for one in look.news:
            self.due.pop(one, None)
        self.due.update(look.due)
        for memory in look.active:
            self._know(memory, now=look.at)

    def note(self, change: MemoryChange, *, now: datetime) -> None:
        before, after = change.before, change.after
        self.active += after.status is Status.ACTIVE
        self.active -= before is not None and before.status is Status.ACTIVE
        self.changed |= {after.id} | self.resting.get(after.id, set())
        self._know(after, now=now)

    def news(self, now: datetime) -> frozenset[str]:
        self.recorded = {one: at for one, at in self.recorded.items() if at > now - FRESH_PERIOD}
        due = (one for one, day in self.due.items() if day <= now.date())
        return frozenset({*self.changed, *self.recorded, *due})

    def _know(self, memory: Memory, *, now: datetime) -> None:
        if memory.recorded_at > now - FRESH_PERIOD:
            self.recorded[memory.id] = memory.recorded_at
        if memory.source is MemorySource.REFLECTION:
            for relation in memory.relations:
                self.resting.setdefault(relation.memory_id, set()).add(memory.id)


@dataclass
class _User:
    revision: int
    namespaces: dict[Namespace, _Namespace] = field(default_factory=dict)

    def saw_news(self, look: InspectionRecord) -> None:
        seen = self.namespaces.get(look.run.scope.namespace)
        if seen is not None:
            seen.saw(look)

    def saw_page(self, look: InspectionRecord) -> None:
        """Note an inspected page. If an earlier page is missing, drop the namespace's history."""
        seen = self.namespaces.pop(look.run.scope.namespace, None)
        if look.run.after is None:
            seen = _Namespace(since=look.at.date())
        if seen is None or seen.next_page_after != look.run.after:
            return
        seen.active += len(look.active)
        seen.next_page_after = look.after
        seen.saw(look)
        self.namespaces[look.run.scope.namespace] = seen


class InspectionHistory:
    """Inspections by user, valid as long as the user's revision goes on from the recorded one."""

    def __init__(self) -> None:
        self._users: dict[str, _User] = {}

    def stand_at(self, revisions: Mapping[str, int]) -> None:
        """Drop the history of users whose revision rose without this process."""
        for user_id, revision in revisions.items():
            user = self._users.get(user_id)
            if user is not None and user.revision != revision:
                del self._users[user_id]

    def news(
        self, namespace: Namespace, *, now: datetime, limit: int | None
    ) -> frozenset[str] | None:
        """Return the ids of memories that are new, changed or due since everything was inspected.

        None if that is not known or not enough, so that everything must be inspected. `limit` is
        the highest allowed number of active memories: which of them exceed it shows only among all
        of them.
        """
        user = self._users.get(namespace.user_id)
        seen = None if user is None else user.namespaces.get(namespace)
        if seen is None or seen.next_page_after is not None:
            return None
        if (
            now.date() - seen.since >= timedelta(days=INSPECTION_HORIZON_DAYS)
            or seen.active < SMALL_NAMESPACE_MEMORIES
        ):
            return None
        if limit is not None and seen.active > limit:
            return None
        return seen.news(now)

    def looked(self, look: InspectionRecord, *, revision: int) -> None:
        """Note the inspection of a part that was decided after this revision of its user."""
        user_id = look.run.user_id
        user = self._users.get(user_id) or self._remember(user_id, revision)
        if look.extent is MaintenanceExtent.NEWS:
            user.saw_news(look)
        else:
            user.saw_page(look)

    def took(self, change_sets: Iterable[ChangeSet]) -> None:
        """Note decided change sets, in the order of their users' revisions."""
        for change_set in change_sets:
            user = self._users.get(change_set.user_id)
            if user is None:
                continue
            decisive = any(
                isinstance(change, SettingsChange | Erasure) for change in change_set.changes
            )
            if decisive or change_set.revision != user.revision + 1:
                del self._users[change_set.user_id]
                continue
            user.revision = change_set.revision
            for change in change_set.changes:
                _note(user, change, change_set.decided_at)

    def forget(self, user_ids: Iterable[str]) -> None:
        """Drop the history of these users, for their decisions may not have been written down."""
        for user_id in user_ids:
            self._users.pop(user_id, None)

    def _remember(self, user_id: str, revision: int) -> _User:
        if len(self._users) >= MAXIMUM_REMEMBERED_USERS:
            del self._users[next(iter(self._users))]
        return self._users.setdefault(user_id, _User(revision))


def _note(user: _User, change: object, now: datetime) -> None:
    if not isinstance(change, MemoryChange | TodoChange):
        return
    seen = user.namespaces.get(change.after.scope.namespace)
    if seen is None:
        return
    if isinstance(change, MemoryChange):
        seen.note(change, now=now)
    else:
        # A record tied to the memory may be ready to go now.
        seen.changed.add(change.after.id)
