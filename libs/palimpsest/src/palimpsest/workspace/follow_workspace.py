"""Keep a workspace and the memories of its users in the same state, until cancelled.

Changes of memories come from the stream of changes, and changes of files from the folder. Both only
say which scope to look at: what is to be done is decided from what stands there then.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from palimpsest.api.change_events import (
    MEMORY_EVENTS,
    ChangeEvent,
    ChangeEventType,
    StreamPosition,
)
from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ServerFailed, Unavailable
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.workspace.folder_changes import watch_files
from palimpsest.workspace.place_sync import PlaceSync, StillUnderWay, SyncReport
from palimpsest.workspace.scope_memories import ClientMemories, ScopeMemories
from palimpsest.workspace.workspace_folder import WorkspaceFolder

BEGINNING = "0.0.0"
"""The position of a stream before its first change."""

SETTLE_SECONDS = 0.1
"""Changes of memories that follow each other so quickly are written into the files at once."""

RETRY_SECONDS = 1.0
WHOLE_CHANGE_SET = 999_999
"""The number of events in a position behind all of a change set."""


@dataclass(frozen=True)
class WorkspaceReach:
    """The memories that a workspace holds."""

    user_id: str | None = None
    """The only user; None for all."""
    agent_id: str | None = None
    """The only agent, with what all agents see; None for all."""

    @property
    def stream(self) -> str:
        """The name of its stream of changes."""
        return derive_id("stream", self.user_id, self.agent_id)

    def holds(self, scope: Scope) -> bool:
        if self.user_id is not None and scope.user_id != self.user_id:
            return False
        return self.agent_id is None or scope.agent_id in {None, self.agent_id}


@dataclass
class _Due:
    """The reason why a scope is looked at."""

    erased_at: datetime | None = None
    """The moment at which everything of its user was erased; None if it was not."""
    is_purged: bool = False
    """Something of it was erased."""


class WorkspaceFollower:
    """Looks at scopes when something changed in them."""

    def __init__(
        self,
        client: PalimpsestClient,
        folder: WorkspaceFolder,
        reach: WorkspaceReach,
        *,
        report: Callable[[SyncReport], None],
        say: Callable[[str], None],
        memories: ScopeMemories | None = None,
    ) -> None:
        self._client = client
        self._folder = folder
        self._reach = reach
        self._report = report
        self._say = say
        self._memories = memories or ClientMemories(client)
        self._due: dict[Scope, _Due] = {}
        self._wake = asyncio.Event()
        self._position = folder.load_position(reach.stream) or BEGINNING
        self._is_waiting = False

    async def run(self) -> NoReturn:
        """Follow memories and files until cancelled.

        Raises:
            ClientError: the services refuse the key, or a change cannot be understood.
            OSError: the folder cannot be read or written.
        """
        self._mark_known()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow_memories())
                tasks.create_task(self._follow_files())
                tasks.create_task(self._work())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        raise AssertionError("these tasks have no end")

    async def run_once(
        self, user_id: str, *, confirmed: bool = False, dry_run: bool = False
    ) -> None:
        """Bring the files and memories of one user to the same state once."""
        self._mark_known()
        await self._mark_changes(user_id)
        while self._due:
            due, self._due = self._due, {}
            for scope, why in sorted(due.items(), key=lambda item: item[0].model_dump_json()):
                try:
                    await self._look(scope, why, confirmed=confirmed, dry_run=dry_run)
                except StillUnderWay:
                    self._due[scope] = why
                    await asyncio.sleep(RETRY_SECONDS)
        if not dry_run:
            self._folder.save_position(self._reach.stream, self._position)

    async def _mark_changes(self, user_id: str) -> None:
        """Mark the scopes that changed since the position, and move it to the present."""
        known, cursor, latest = StreamPosition.parse(self._position).revision, None, None
        while True:
            page = await self._client.changes(
                user_id=user_id, agent_id=self._reach.agent_id, limit=200, cursor=cursor
            )
            fresh = [change_set for change_set in page.changes if change_set.revision > known]
            for change_set in fresh:
                latest = latest or StreamPosition(
                    change_set.revision,
                    WHOLE_CHANGE_SET,
                    round(change_set.decided_at.timestamp() * 1000),
                )
                self._mark_change_set(change_set)
            cursor = page.next_cursor
            if cursor is None or len(fresh) < len(page.changes):
                break
        self._position = str(latest or self._position)

    def _mark_change_set(self, change_set: ChangeSet) -> None:
        for change in change_set.memory_changes:
            self._add(change.after.scope, is_purged=change.after.status is Status.PURGED)
        for erasure in change_set.erasures:
            self._mark_erasure(
                change_set.user_id, change_set.decided_at if erasure.everything else None
            )

    def _mark_erasure(self, user_id: str, everything_at: datetime | None) -> None:
        """Mark the scopes of a user of whom everything, or something, was erased."""
        for scope in self._folder.list_scopes():
            if scope.user_id == user_id:
                self._add(scope, erased_at=everything_at, is_purged=True)

    def _mark_known(self) -> None:
        for scope in self._folder.list_scopes():
            self._add(scope)

    def _changes(self) -> AsyncGenerator[ChangeEvent, None]:
        return self._client.watch(
            user_id=self._reach.user_id,
            agent_id=self._reach.agent_id,
            type=MEMORY_EVENTS,
            after=self._position,
        )

    async def _follow_memories(self) -> NoReturn:
        while True:
            try:
                async with aclosing(self._changes()) as changes:
                    async for change in changes:
                        self._mark(change)
            except Unavailable as error:
                self._say_waiting(error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _follow_files(self) -> None:
        async for paths in watch_files(self._folder.root):
            for path in paths:
                self._mark_file(path)

    def _mark(self, change: ChangeEvent) -> None:
        record = change.data
        self._position = change.position or self._position
        is_purged = change.type is ChangeEventType.MEMORY_PURGED
        if record.id is None:
            self._mark_erasure(record.user_id, change.timestamp)
            return
        scope = Scope(
            user_id=record.user_id, agent_id=record.agent_id, project_id=record.project_id
        )
        self._add(scope, is_purged=is_purged)

    def _mark_file(self, path: Path) -> None:
        scope = self._folder.find_scope(path)
        if scope is not None:
            self._add(scope)

    def _add(
        self, scope: Scope, *, erased_at: datetime | None = None, is_purged: bool = False
    ) -> None:
        if self._reach.holds(scope):
            due = self._due.setdefault(scope, _Due())
            due.erased_at = erased_at or due.erased_at
            due.is_purged = due.is_purged or is_purged
            self._wake.set()

    async def _work(self) -> NoReturn:
        while True:
            await self._wake.wait()
            await asyncio.sleep(SETTLE_SECONDS)
            self._wake.clear()
            position = self._position
            due, self._due = self._due, {}
            failed = await self._look_at_all(due)
            if failed:
                await asyncio.sleep(RETRY_SECONDS)
                for scope, why in failed.items():
                    self._add(scope, erased_at=why.erased_at, is_purged=why.is_purged)
            elif position != BEGINNING:
                await asyncio.to_thread(self._folder.save_position, self._reach.stream, position)

    async def _look_at_all(self, due: Mapping[Scope, _Due]) -> dict[Scope, _Due]:
        """Look at these scopes, and return those that are to be looked at again."""
        failed: dict[Scope, _Due] = {}
        for scope, why in due.items():
            try:
                await self._look(scope, why)
                self._is_waiting = False
            except StillUnderWay:
                failed[scope] = why
            except (Unavailable, ServerFailed) as error:
                self._say_waiting(error)
                failed[scope] = why
        return failed

    async def _look(
        self, scope: Scope, why: _Due, *, confirmed: bool = False, dry_run: bool = False
    ) -> None:
        sync = PlaceSync(scope, self._folder.place(scope), self._memories)
        report = await sync.run(
            confirmed=confirmed,
            dry_run=dry_run,
            only_latest=why.is_purged,
            erased_at=why.erased_at,
        )
        if not report.is_empty:
            self._report(report)

    def _say_waiting(self, error: Exception) -> None:
        if not self._is_waiting:
            self._say(f"waiting for the services: {error}")
        self._is_waiting = True
