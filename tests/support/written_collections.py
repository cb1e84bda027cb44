"""The collections into which this process wrote, by the commands that its MongoDB clients send."""

from threading import Lock
from typing import Any

from pymongo.monitoring import (
    CommandFailedEvent,
    CommandListener,
    CommandStartedEvent,
    CommandSucceededEvent,
)

_ADDING = frozenset({"insert", "update", "findAndModify", "create", "createIndexes"})
_ADDING_NOTHING = frozenset(
    {"find", "getMore", "killCursors", "count", "distinct", "explain"}
    | {"listCollections", "listIndexes", "listDatabases", "collStats", "dbStats", "serverStatus"}
    | {"delete", "drop", "dropDatabase", "dropIndexes", "collMod"}
    | {"hello", "ping", "buildInfo", "getParameter", "endSessions"}
    | {"commitTransaction", "abortTransaction"}
)

Place = tuple[str, str]


class UnknownWrite(Exception):
    """A command went out of which nobody said whether it adds documents, and to what."""


class WrittenCollections(CommandListener):
    """Notes where documents may have come to stand.

    What is still being written stays noted, because it may arrive after the collection is emptied.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: dict[tuple[Any, int], Place] = {}
        self._written: set[Place] = set()
        self._unknown: dict[str, str] = {}

    def take(self, database: str) -> set[str]:
        """Return the collections of a database written to since the last call.

        Raises:
            UnknownWrite: a command to this database cannot be judged.
        """
        with self._lock:
            if unknown := self._unknown.pop(database, None):
                raise UnknownWrite(unknown)
            places = self._written | set(self._running.values())
            taken = {place for place in places if place[0] == database}
            self._written -= taken
        return {collection for _, collection in taken}

    def is_written_to(self, database: str) -> bool:
        """Return whether a command that adds documents to a database has not ended."""
        with self._lock:
            return any(place[0] == database for place in self._running.values())

    def started(self, event: CommandStartedEvent) -> None:
        with self._lock:
            if event.command_name in _ADDING:
                place = (event.database_name, str(event.command[event.command_name]))
                self._running[event.connection_id, event.request_id] = place
            elif not _adds_nothing(event):
                self._unknown[event.database_name] = event.command_name

    def succeeded(self, event: CommandSucceededEvent) -> None:
        self._end(event)

    def failed(self, event: CommandFailedEvent) -> None:
        self._end(event)

    def _end(self, event: CommandSucceededEvent | CommandFailedEvent) -> None:
        with self._lock:
            if place := self._running.pop((event.connection_id, event.request_id), None):
                self._written.add(place)


def _adds_nothing(event: CommandStartedEvent) -> bool:
    if event.command_name == "aggregate":
        return not any({"$out", "$merge"} & stage.keys() for stage in event.command["pipeline"])
    return event.command_name in _ADDING_NOTHING
