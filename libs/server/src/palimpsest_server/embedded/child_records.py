"""Records of child processes, so that the next start can end those left over by a kill."""

import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter

from palimpsest_server.embedded.process_identity import ProcessIdentity, identify_process

_FILE = TypeAdapter(dict[str, ProcessIdentity])
_PATIENCE_SECONDS = 5.0


class ChildRecords:
    """A file of child names and process identities, replaced in one step with every change."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, ProcessIdentity]:
        """Return the recorded processes; an unreadable file counts as empty."""
        try:
            return _FILE.validate_json(self._path.read_bytes())
        except (OSError, ValueError):
            return {}

    def add(self, name: str, child: ProcessIdentity) -> None:
        self._write(self.read() | {name: child})

    def remove(self, name: str) -> None:
        self._write({other: child for other, child in self.read().items() if other != name})

    def end_orphans(self) -> list[str]:
        """End the processes left by an earlier run, and empty the records. Blocks up to 10 s.

        A process is ended only if its pid, start and command are those recorded.

        Returns:
            The names of the ended processes.
        """
        left = {name: child for name, child in self.read().items() if is_still_running(child)}
        _end(left.values())
        self._write({})
        return sorted(left)

    def _write(self, children: dict[str, ProcessIdentity]) -> None:
        draft = self._path.with_suffix(".new")
        draft.write_bytes(_FILE.dump_json(children, indent=2))
        draft.replace(self._path)


def is_still_running(child: ProcessIdentity) -> bool:
    """Return whether this very process is alive; another process with its pid does not count."""
    found = identify_process(child.pid)
    return found is not None and found.started == child.started and _same(found, child)


def _same(found: ProcessIdentity, recorded: ProcessIdentity) -> bool:
    # The recorded command is the one that the child becomes; at first the child is still the wrapper.
    return found.command.endswith(recorded.command)


def _end(children: Iterable[ProcessIdentity]) -> None:
    waiting = list(children)
    for how in (signal.SIGTERM, signal.SIGKILL):
        for child in waiting:
            if is_still_running(child):
                os.kill(child.pid, how)
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while waiting and time.monotonic() < deadline:
            time.sleep(0.02)
            waiting = [child for child in waiting if is_still_running(child)]
