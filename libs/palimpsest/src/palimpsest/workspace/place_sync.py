"""Bring the files of one scope and its memories to the same state.

The steps are in this order, so that a process may die between any two of them:

1. Commands that are still in the journal are sent again. They have their keys, so those that had an
   effect have no further one.
2. The files are compared with the memories. New commands are written into the journal, then sent.
   This is repeated until nothing is left to send.
3. The snapshots of the new files are kept, then the files are written, then the journal is emptied,
   with the names of the snapshots. If a person saved a file meanwhile, it is not written, and the
   second step follows again.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Literal

from palimpsest.model.errors import TransientError
from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.decide_edits import Decision, decide_edits
from palimpsest.workspace.file_contents import ShownMemory
from palimpsest.workspace.place_files import KEPT_SNAPSHOTS, PlaceFiles, PlaceState
from palimpsest.workspace.read_files import FileVersion, read_version
from palimpsest.workspace.render_file import take_snapshot
from palimpsest.workspace.scope_memories import ScopeMemories
from palimpsest.workspace.sent_commands import (
    SentCommand,
    apply_sent,
    list_settled_words,
    list_unmovable,
)
from palimpsest.workspace.written_files import WrittenFile, render_version

ROUNDS = 8
"""Times that the files are compared before others have their turn."""


class StillUnderWay(TransientError):
    """A command was accepted and has no effect yet, or a person saves again and again."""


@dataclass
class SyncReport:
    """The result of one synchronisation, or of its dry run."""

    scope: Scope
    outcome: Literal["done", "memory_off"] = "done"
    commands: list[WorkspaceCommand] = field(default_factory=list)
    written: list[MemoryFile] = field(default_factory=list)
    held: dict[MemoryFile, str] = field(default_factory=dict)
    """Files that are left alone, with the reason."""
    asked: int = 0
    """Memories of which the files ask whether they are to be forgotten."""
    refused: list[str] = field(default_factory=list)
    """Reasons of refusals."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to tell."""
        told = (self.commands, self.written, self.held, self.asked, self.refused)
        return self.outcome == "done" and not any(told)


@dataclass
class PlaceSync:
    """Synchronises one scope."""

    scope: Scope
    files: PlaceFiles
    memories: ScopeMemories

    async def run(
        self,
        *,
        confirmed: bool = False,
        dry_run: bool = False,
        only_latest: bool = False,
        erased_at: datetime | None = None,
    ) -> SyncReport:
        """Bring files and memories to the same state.

        Args:
            confirmed: forget what is gone from the files, however much it is, and go back to an
                older file that git put back.
            dry_run: send and write nothing; the report says what would be.
            only_latest: keep no older snapshots, because they hold what was erased.
            erased_at: when everything of the user was erased. What a person wrote into the files
                before that goes with it.

        Raises:
            StillUnderWay: more is to be done; run it again.
            ClientError: the services do not answer, or refuse the key.
        """
        report = SyncReport(self.scope)
        state = await asyncio.to_thread(self.files.load_state)
        if erased_at is not None:
            state = PlaceState(scope=self.scope, tokens=state.tokens, batch=state.batch + 1)
        sent = [] if dry_run else await self._send(state.journal, report)
        for _ in range(ROUNDS):
            listed = await self.memories.list_active(self.scope)
            if listed is None:
                report.outcome = "memory_off"
                return report
            shown = {memory.id: ShownMemory.of(memory) for memory in listed}
            versions = await asyncio.to_thread(
                self._read, state, sent, latest_holds=confirmed, erased_at=erased_at
            )
            if not shown and not state.tokens and all(v.content is None for v in versions):
                return report
            report.held = {v.file: v.held for v in versions if v.held is not None}
            decision = decide_edits(
                [version.compared for version in versions if version.compared is not None],
                shown,
                settled=list_settled_words(sent),
                unmovable=list_unmovable(sent),
                confirmed=confirmed,
            )
            if decision.commands and not dry_run:
                state, journaled = self._journal(state, decision.commands)
                await asyncio.to_thread(self.files.save_state, state)
                sent += await self._send(journaled, report)
                continue
            written = await asyncio.to_thread(self._render, versions, decision, shown)
            if dry_run:
                report.commands = list(decision.commands)
            elif not await asyncio.to_thread(
                self._write, state, written, decision.asked, only_latest=only_latest
            ):
                continue
            report.written = [version.file for version in written if version.is_changed]
            report.asked = sum(map(len, decision.asked.values()))
            return report
        raise StillUnderWay("the files are changed again and again; they are compared later")

    def _journal(
        self, state: PlaceState, commands: Sequence[WorkspaceCommand]
    ) -> tuple[PlaceState, Sequence[WorkspaceCommand]]:
        keyed = tuple(
            command.with_key(self.scope, state.batch, number)
            for number, command in enumerate(commands)
        )
        update = {"journal": (*state.journal, *keyed), "batch": state.batch + 1}
        return state.model_copy(update=update), keyed

    async def _send(
        self, commands: Sequence[WorkspaceCommand], report: SyncReport
    ) -> list[SentCommand]:
        sent: list[SentCommand] = []
        for command in commands:
            outcome = await self.memories.send(self.scope, command)
            if outcome.state == "under_way":
                raise StillUnderWay("a command is accepted and still under way")
            if outcome.state == "refused":
                report.refused.append(outcome.words)
            sent.append(SentCommand(command, outcome))
            report.commands.append(command)
        return sent

    def _read(
        self,
        state: PlaceState,
        sent: Sequence[SentCommand],
        *,
        latest_holds: bool,
        erased_at: datetime | None,
    ) -> list[FileVersion]:
        return [
            read_version(
                self.files,
                state,
                file,
                partial(apply_sent, sent=sent),
                latest_holds=latest_holds,
                erased_at=erased_at,
            )
            for file in MemoryFile
        ]

    def _render(
        self,
        versions: Sequence[FileVersion],
        decision: Decision,
        shown: Mapping[str, ShownMemory],
    ) -> list[WrittenFile]:
        return [
            render_version(version, take_snapshot(version.file, shown.values()), decision)
            for version in versions
            if version.held is None
        ]

    def _write(
        self,
        state: PlaceState,
        written: Sequence[WrittenFile],
        asked: Mapping[MemoryFile, frozenset[str]],
        *,
        only_latest: bool,
    ) -> bool:
        """Write the files; False if a person has saved one of them meanwhile."""
        kept = 1 if only_latest else KEPT_SNAPSHOTS
        tokens = {
            version.file: _append(state.tokens.get(version.file, ()), version.snapshot.token, kept)
            for version in written
        }
        asked = {**state.asked, **asked}
        if asked != state.asked:
            state = state.model_copy(update={"asked": asked})
            self.files.save_state(state)
        for version in written:
            self.files.save_snapshot(version.file, version.snapshot)
        for version in written:
            if version.is_changed and not self.files.write_if_unchanged(
                version.file, version.before, version.text
            ):
                return False
        after = state.model_copy(update={"tokens": {**state.tokens, **tokens}, "journal": ()})
        if after != state:
            self.files.save_state(after)
        if after != state or only_latest:
            self.files.remove_snapshots_except(after.tokens)
        return True


def _append(tokens: Sequence[str], token: str, kept: int) -> tuple[str, ...]:
    """Return the tokens with this one as the latest, and not more of them than are kept."""
    return (*(other for other in tokens if other != token), token)[-kept:]
