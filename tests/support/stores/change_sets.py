"""Change sets in memory: the twin for tests."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from palimpsest.model.change_set import ChangeSet, ChangeSetProgress
from palimpsest_server.stores.change_sets import (
    PROGRESS_STEPS,
    UNFINISHED_STEPS,
    ChangeSetHead,
    DecidedChangeSet,
    DecidedMark,
)


class InMemoryChangeSets:
    def __init__(self) -> None:
        self._decided: dict[str, DecidedChangeSet] = {}

    async def known(self, change_set_ids: Sequence[str]) -> set[str]:
        return self._decided.keys() & set(change_set_ids)

    async def by_ids(self, change_set_ids: Sequence[str]) -> list[ChangeSet]:
        return [decided.change_set for decided in await self.read(change_set_ids)]

    async def history(self, user_id: str, memory_id: str) -> list[ChangeSet]:
        return [
            decided_change_set.change_set
            for decided_change_set in self._line(user_id)
            if any(
                change.after.id == memory_id
                for change in decided_change_set.change_set.memory_changes
            )
        ]

    async def histories(
        self, user_id: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Sequence[ChangeSet]]:
        return {
            memory_id: [
                _narrow(change_set, memory_id)
                for change_set in await self.history(user_id, memory_id)
            ]
            for memory_id in memory_ids
        }

    async def first_revisions(self, user_id: str) -> Mapping[str, int]:
        first: dict[str, int] = {}
        for decided in self._line(user_id):
            for change in decided.change_set.memory_changes:
                first.setdefault(change.after.id, decided.revision)
        return first

    async def of_session(
        self, user_id: str, session_id: str, *, limit: int, before: int | None = None
    ) -> list[ChangeSet]:
        caused = [
            decided.change_set
            for decided in reversed(self._line(user_id))
            if decided.change_set.cause.session_id == session_id
            and (before is None or decided.revision < before)
        ]
        return caused[:limit]

    async def last_changed(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, datetime]:
        last: dict[str, datetime] = {}
        for memory_id in memory_ids:
            if history := await self.history(user_id, memory_id):
                last[memory_id] = max(change_set.decided_at for change_set in history)
        return last

    async def page(self, user_id: str, *, limit: int, before: int | None) -> list[ChangeSet]:
        line = [decided_change_set.change_set for decided_change_set in self._line(user_id)]
        below = [
            change_set for change_set in line if before is None or change_set.revision < before
        ]
        return below[::-1][:limit]

    async def later(self, user_id: str, *, revision: int, limit: int) -> list[ChangeSet]:
        line = [
            decided_change_set.change_set
            for decided_change_set in self._line(user_id)
            if decided_change_set.revision > revision
        ]
        return line[:limit]

    async def marks_since(self, moment: datetime) -> AsyncIterator[DecidedMark]:
        async for change_set in self.decided_since(moment):
            yield DecidedMark(
                change_set_id=change_set.id,
                decided_at=change_set.decided_at,
                progress=change_set.progress,
            )

    async def decided_since(self, moment: datetime) -> AsyncIterator[ChangeSet]:
        change_sets = [
            decided_change_set.change_set for decided_change_set in self._decided.values()
        ]
        for change_set in sorted(
            change_sets, key=lambda one: (one.decided_at, one.user_id, one.revision)
        ):
            if change_set.decided_at >= moment:
                yield change_set

    async def heads(self, user_ids: Sequence[str]) -> Mapping[str, ChangeSetHead]:
        return {user_id: self._head(user_id) for user_id in user_ids}

    def _head(self, user_id: str) -> ChangeSetHead:
        line = self._line(user_id)
        return ChangeSetHead(
            revision=line[-1].revision if line else 0,
            unfinished={
                decided_change_set.change_set.id: decided_change_set.change_set.progress
                for decided_change_set in line
                if _unfinished(decided_change_set)
            },
        )

    async def append(self, decided: Sequence[DecidedChangeSet]) -> set[str]:
        refused: set[str] = set()
        refused_users: set[str] = set()
        for decided_change_set in decided:
            taken = {standing.revision for standing in self._line(decided_change_set.user_id)}
            if (
                decided_change_set.revision in taken
                or decided_change_set.change_set.id in self._decided
            ):
                refused_users.add(decided_change_set.user_id)
            if decided_change_set.user_id in refused_users:
                refused.add(decided_change_set.change_set.id)
            else:
                self._decided[decided_change_set.change_set.id] = decided_change_set
        return refused

    async def read(self, change_set_ids: Sequence[str]) -> list[DecidedChangeSet]:
        found = [
            self._decided[change_set_id]
            for change_set_id in set(change_set_ids)
            if change_set_id in self._decided
        ]
        return sorted(
            found,
            key=lambda decided_change_set: (
                decided_change_set.user_id,
                decided_change_set.revision,
            ),
        )

    async def mark(self, change_set_ids: Sequence[str], progress: ChangeSetProgress) -> None:
        lets_go = progress in (ChangeSetProgress.PROJECTED, ChangeSetProgress.ANNOUNCED)
        for decided_change_set in await self.read(change_set_ids):
            if PROGRESS_STEPS.index(decided_change_set.change_set.progress) >= PROGRESS_STEPS.index(
                progress
            ):
                continue
            self._decided[decided_change_set.change_set.id] = replace(
                decided_change_set,
                change_set=decided_change_set.change_set.at(progress),
                vectors={} if lets_go else decided_change_set.vectors,
            )

    async def checkpoint(self, revisions: Mapping[str, int]) -> None:
        """Nothing is far back in memory."""

    async def unfinished(
        self, limit: int, *, progress: Collection[ChangeSetProgress] = UNFINISHED_STEPS
    ) -> list[ChangeSet]:
        found = sorted(
            (
                decided_change_set
                for decided_change_set in self._decided.values()
                if decided_change_set.change_set.progress in progress
            ),
            key=lambda decided_change_set: (
                decided_change_set.user_id,
                decided_change_set.revision,
            ),
        )
        return [decided_change_set.change_set for decided_change_set in found[:limit]]

    def _line(self, user_id: str) -> list[DecidedChangeSet]:
        own = (
            decided_change_set
            for decided_change_set in self._decided.values()
            if decided_change_set.user_id == user_id
        )
        return sorted(own, key=lambda decided_change_set: decided_change_set.revision)


def _unfinished(decided: DecidedChangeSet) -> bool:
    return decided.change_set.progress is not ChangeSetProgress.ANNOUNCED


def _narrow(change_set: ChangeSet, memory_id: str) -> ChangeSet:
    own = tuple(change for change in change_set.memory_changes if change.after.id == memory_id)
    return change_set.model_copy(update={"changes": own})
