"""The broker and the database of embedded mode, started together and kept alive."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.embedded.broker_port import BrokerPortFile, choose_broker_port
from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.child_server import ChildServer, ChildServerFailed
from palimpsest_server.embedded.data_directory_lock import DataDirectoryLock
from palimpsest_server.embedded.ports import LOOPBACK, choose_port, is_port_free
from palimpsest_server.embedded.process_memory import measure_resident_bytes
from palimpsest_server.embedded.restart_budget import RestartBudget
from palimpsest_server.embedded.server_commands import (
    build_broker_command,
    build_database_command,
    build_database_url,
)

BROKER_PORT = 9092
DATABASE_PORT = 27117

_ATTEMPTS = 3
"""A port that was free may be taken a moment later; then another port is chosen."""

_RESTARTS = 5
"""Restarts of one server within ten minutes."""

_BROKER_BYTES = 1024 * 1024 * 1024
"""Memory of the broker, in bytes, after which it is restarted: `BrokerLimit.LOG_IN_MEMORY`."""

_MEASURED_EVERY_SECONDS = 10.0

ProgressReporter = Callable[[str], None]
"""Receives messages for people."""


@dataclass(frozen=True)
class ServerLoss:
    """The reason why the servers can no longer be relied upon."""

    words: str
    planned: bool = False
    """True if nothing went wrong, and the broker has only reached its memory limit."""
    final: bool = False
    """True if a restart would not help."""


class EmbeddedServers:
    """Broker and database on one data directory. The database keeps its data there; the broker keeps no log."""

    def __init__(
        self,
        data_directory: Path,
        *,
        broker_port: int | None = None,
        broker_port_asked: int | None = None,
        database_port: int | None = None,
        http_port: int | None = None,
        say: ProgressReporter = lambda _: None,
        broker_bytes: int = _BROKER_BYTES,
    ) -> None:
        """Ports are preferences: if a port is taken or None, any free port is used.

        The broker keeps its port on a data directory if it can. With `broker_port_asked` it uses that port
        or fails; 0 is any port. `http_port` is used by this program and never suggested. With more than
        `broker_bytes` of memory the broker counts as lost.
        """
        self._broker_bytes = broker_bytes
        self._directory = data_directory.resolve()
        self._broker_port = broker_port
        self._broker_port_asked = broker_port_asked
        self._database_port = database_port
        self._reserved_ports = {port for port in (database_port, http_port) if port}
        self._port_record = BrokerPortFile(self._directory / "ports.json")
        self._say = say
        self._lock = DataDirectoryLock(self._directory)
        self._records = ChildRecords(self._directory / "children.json")
        self._children: dict[str, ChildServer] = {}
        self.supervisor = Supervisor("the embedded servers")
        self._restarts = {name: RestartBudget(_RESTARTS) for name in ("broker", "database")}
        self._broker_ended = asyncio.Event()
        """Set from an end of the broker until its readers begin anew."""
        self._broker_listens = asyncio.Event()
        self._given_up = asyncio.Event()
        self.log_generation = 0
        """Number of logs that the broker has begun; each log begins empty."""
        self._last_end = ""

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
        """Lock the data directory before anything is loaded for it; otherwise `start` does so.

        Raises:
            DataDirectoryInUse: another process works on this directory.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()

    async def start(self, *, broker: bool = True, database: bool = True) -> None:
        """Start the requested servers; returns when they listen.

        Raises:
            DataDirectoryInUse: another process works on this directory.
            ChildServerFailed: a server would not start.
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
        if broker:
            self._broker_listens.set()
            self.supervisor.start("broker", self._keep_broker, until_done=True)
        if database:
            self.supervisor.start("database", self._keep_database, until_done=True)

    async def stop(self) -> None:
        """Stop both servers and release the data directory. Never raises."""
        await self.supervisor.stop()
        await asyncio.gather(*(child.stop() for child in self._children.values()))
        self._children.clear()
        self._lock.release()

    async def lost(self) -> ServerLoss:
        """Wait until the users of the servers have to begin anew, and return the reason.

        A server that ends is restarted at once. The database has its data on disk and continues. The
        broker's log was in memory, so its readers must begin anew together.
        """
        ended = asyncio.create_task(self._broker_ended.wait())
        grown = asyncio.create_task(self._broker_outgrown())
        given_up = asyncio.create_task(self._given_up.wait())
        waiting = (ended, grown, given_up)
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        if given_up in done:
            return ServerLoss(self._last_end + " It has ended too often.", final=True)
        if grown in done and ended not in done:
            return ServerLoss("The broker, which forgets nothing, has grown large.", planned=True)
        return ServerLoss(self._last_end)

    async def empty_broker(self) -> None:
        """Return when the broker listens with an empty log, for readers that begin anew.

        Raises:
            ChildServerFailed: the broker would not start.
        """
        if not self._broker_ended.is_set():
            await self.supervisor.stop("broker")
            await self._restart_broker()
            self.supervisor.start("broker", self._keep_broker, until_done=True)
        await self._broker_listens.wait()
        self._broker_ended.clear()

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
        # Each is waited for, whatever the other does, because a start must not continue after a stop.
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
            reserved=self._reserved_ports,
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
        code = await child.ended()
        while self._may_restart("database", code):
            await child.start()
            code = await child.ended()

    async def _keep_broker(self) -> None:
        code = await self._children["broker"].ended()
        self._broker_listens.clear()
        while self._may_restart("broker", code):
            self._broker_ended.set()
            await self._restart_broker()
            code = await self._children["broker"].ended()
            self._broker_listens.clear()

    async def _restart_broker(self) -> None:
        before = self._children["broker"]
        await before.stop()
        self.log_generation += 1
        await self._start_on("broker", before.port, or_another=not self._broker_port_asked)
        self._port_record.write(self._children["broker"].port)
        self._broker_listens.set()

    def _may_restart(self, name: str, code: int) -> bool:
        self._last_end = f"The {name} ended unexpectedly ({_how(code)})."
        if self._restarts[name].spend():
            self._say(f"the {name} ended ({_how(code)}) and is restarted")
            return True
        self._given_up.set()
        return False


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
