"""The broker and the database of embedded mode, started together and kept alive."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from palimpsest_server.embedded.broker_port import BrokerPortFile, choose_broker_port
from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.child_server import ChildServer, ChildServerFailed
from palimpsest_server.embedded.data_directory_lock import DataDirectoryLock
from palimpsest_server.embedded.ports import LOOPBACK, choose_port, is_port_free
from palimpsest_server.embedded.process_memory import measure_resident_bytes
from palimpsest_server.embedded.server_commands import (
    build_broker_command,
    build_database_command,
    build_database_url,
)

BROKER_PORT = 9092
DATABASE_PORT = 27117

_ATTEMPTS = 3
"""A port that was free may be taken a moment later; then another is chosen."""

_RESTARTS = 5
"""A database that goes away more often than this has a trouble that restarts do not mend."""

_BROKER_BYTES = 1024 * 1024 * 1024
"""Memory after which the broker is started anew: `BrokerLimit.LOG_IN_MEMORY`."""

_MEASURED_EVERY_SECONDS = 10.0

ProgressReporter = Callable[[str], None]
"""Where words for people go."""


@dataclass(frozen=True)
class ServerLoss:
    """Why the servers can no longer be relied upon."""

    words: str
    planned: bool = False
    """Nothing went wrong: the broker has grown as large as it may."""


class EmbeddedServers:
    """Both servers on one data directory. The database's data is kept there, the broker's log is not."""

    def __init__(
        self,
        data_directory: Path,
        *,
        broker_port: int | None = None,
        broker_port_asked: int | None = None,
        database_port: int | None = None,
        say: ProgressReporter = lambda _: None,
        broker_bytes: int = _BROKER_BYTES,
    ) -> None:
        """Ports are preferences: where one is taken or None, any free one is used.

        The broker's is kept on one data directory while it can be, and with `broker_port_asked`
        it is that one or none; 0 is any.
        Past `broker_bytes` of memory the broker counts as lost.
        """
        self._broker_bytes = broker_bytes
        self._directory = data_directory.resolve()
        self._broker_port = broker_port
        self._broker_port_asked = broker_port_asked
        self._database_port = database_port
        self._port_record = BrokerPortFile(self._directory / "ports.json")
        self._say = say
        self._lock = DataDirectoryLock(self._directory)
        self._records = ChildRecords(self._directory / "children.json")
        self._children: dict[str, ChildServer] = {}
        self._keeper: asyncio.Task[None] | None = None

    @property
    def kafka_bootstrap(self) -> str:
        return f"{LOOPBACK}:{self._children['broker'].port}"

    @property
    def mongodb_url(self) -> str:
        return build_database_url(self._children["database"].port)

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the running servers."""
        return {name: child.pid for name, child in self._children.items() if child.pid}

    def claim(self) -> None:
        """Take the data directory before anything is loaded for it; `start` does so else.

        Raises:
            DataDirectoryInUse: another process works on this directory.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()

    async def start(self, *, broker: bool = True, database: bool = True) -> None:
        """Return when the servers asked for listen.

        Raises:
            DataDirectoryInUse: another process works on this directory.
            ChildFailed: a server would not start.
        """
        self.claim()
        (self._directory / "logs").mkdir(exist_ok=True)
        (self._directory / "database.toml").touch()
        wanted = [name for name, asked in (("broker", broker), ("database", database)) if asked]
        try:
            for orphan in await asyncio.to_thread(self._records.end_orphans):
                self._say(f"ended the {orphan} that an earlier run had left behind")
            await self._start_together(wanted)
        except BaseException:
            await self.stop()
            raise
        if database:
            self._keeper = asyncio.create_task(self._keep_database())

    async def stop(self) -> None:
        """Stop both and give the directory free. Never raises."""
        if self._keeper:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError, ChildServerFailed):
                await self._keeper
            self._keeper = None
        await asyncio.gather(*(child.stop() for child in self._children.values()))
        self._children.clear()
        self._lock.release()

    async def lost(self) -> ServerLoss:
        """Wait until the servers can no longer be relied upon, and say why.

        The database is restarted when it ends: its data is on disk. The
        broker is not: its log was in memory, and those who read it must
        begin anew together.
        """
        broker = asyncio.create_task(self._children["broker"].ended())
        grown = asyncio.create_task(self._broker_outgrown())
        waiting = {task for task in (broker, grown, self._keeper) if task}
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            broker.cancel()
            grown.cancel()
        if broker in done:
            return ServerLoss(f"The broker ended unexpectedly ({_how(broker.result())}).")
        if grown in done:
            return ServerLoss("The broker, which forgets nothing, has grown large.", planned=True)
        return ServerLoss("The database ended and could not be restarted.")

    async def _broker_outgrown(self) -> None:
        broker = self._children["broker"]
        resident = 0
        while resident <= self._broker_bytes:
            await asyncio.sleep(0 if not resident else _MEASURED_EVERY_SECONDS)
            resident = await asyncio.to_thread(measure_resident_bytes, broker.pid or 0)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _start_together(self, names: Sequence[str]) -> None:
        # Each is waited for, whatever the other does: a start must not go on behind a stop.
        outcomes = await asyncio.gather(*map(self._start, names), return_exceptions=True)
        for failure in filter(None, outcomes):
            raise failure

    async def _start(self, name: str) -> None:
        if name == "broker":
            await self._start_broker()
        else:
            await self._start_on(name, self._database_port)

    async def _start_broker(self) -> None:
        found = choose_broker_port(
            asked=self._broker_port_asked,
            before=self._port_record.read(),
            usual=self._broker_port,
            is_free=is_port_free,
        )
        if found.words:
            self._say(found.words)
        await self._start_on("broker", found.port, or_another=not found.asked_for)
        self._port_record.write(self._children["broker"].port)

    async def _start_on(self, name: str, preferred: int | None, *, or_another: bool = True) -> None:
        for attempt in range(1, _ATTEMPTS + 1):
            port = choose_port(preferred if attempt == 1 else None)
            child = self._children[name] = self._child(name, port)
            try:
                return await child.start()
            except ChildServerFailed:
                if attempt == _ATTEMPTS or not or_another:
                    raise
        return None

    def _child(self, name: str, port: int) -> ChildServer:
        if name == "broker":
            command = build_broker_command(port)
        else:
            command = build_database_command(
                port, self._directory / "database", self._directory / "database.toml"
            )
        log = self._directory / "logs" / f"{name}.log"
        return ChildServer(name, command, port=port, log=log, records=self._records)

    async def _keep_database(self) -> None:
        child = self._children["database"]
        for _ in range(_RESTARTS):
            code = await child.ended()
            self._say(f"the database ended ({_how(code)}) and is restarted")
            await child.start()
        await child.ended()


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
