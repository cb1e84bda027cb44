"""The embedded broker and database as real processes: started, lost, left behind, refused."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.model.errors import TransientError
from palimpsest_server.embedded.broker_port import BrokerPortTaken
from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.child_server import ChildServer, ChildServerFailed
from palimpsest_server.embedded.data_directory_lock import DataDirectoryInUse
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from palimpsest_server.embedded.ports import LOOPBACK, is_port_open
from palimpsest_server.embedded.process_memory import measure_resident_bytes
from palimpsest_server.embedded.server_commands import build_database_command
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.eventually import eventually

pytestmark = pytest.mark.embedded

_HOST = """
import asyncio, sys
from pathlib import Path
from palimpsest_server.embedded.embedded_servers import EmbeddedServers

async def main():
    servers = EmbeddedServers(Path(sys.argv[1]))
    await servers.start()
    print(*servers.pids.values(), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def eventually_gone(pids: list[int]) -> None:
    await eventually(lambda: not any(map(_alive, pids)))


def port_of(address: str) -> int:
    return int(address.partition("127.0.0.1:")[2].partition("/")[0])


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@contextlib.contextmanager
def held_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind((LOOPBACK, 0))
        holder.listen()
        yield holder.getsockname()[1]


async def _value_of_a(url: str) -> object:
    database = MongoDatabase(url, "kept")
    try:
        found = await database.named("things").find_one({"_id": "a"})
        return found["value"] if found else None
    finally:
        database.close()


async def _write_a(url: str) -> None:
    database = MongoDatabase(url, "kept")
    await database.named("things").insert_one({"_id": "a", "value": 1})
    database.close()


async def test_the_data_is_there_after_a_stop_and_a_start(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path) as servers:
        await _write_a(servers.mongodb_url)
        pids = list(servers.pids.values())
    assert not any(map(_alive, pids))
    async with EmbeddedServers(tmp_path) as servers:
        assert await _value_of_a(servers.mongodb_url) == 1


async def test_a_database_that_dies_is_restarted_where_it_was(tmp_path: Path) -> None:
    said: list[str] = []
    async with EmbeddedServers(tmp_path, say=said.append) as servers:
        await _write_a(servers.mongodb_url)
        first = servers.pids["database"]
        os.kill(first, signal.SIGKILL)
        await eventually(lambda: servers.pids.get("database") not in {first, None})
        await eventually(lambda: is_port_open(port_of(servers.mongodb_url)), within_seconds=60)
        assert await _value_of_a(servers.mongodb_url) == 1
    assert any("database ended (signal 9)" in words for words in said)


async def test_a_broker_that_dies_ends_the_reliance_on_the_servers(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path) as servers:
        os.kill(servers.pids["broker"], signal.SIGKILL)
        async with asyncio.timeout(60):
            loss = await servers.lost()
    assert "broker ended unexpectedly (signal 9)" in loss.words
    assert not loss.planned


@pytest.mark.parametrize("name", ["broker", "database"])
async def test_a_server_whose_keeper_ended_is_kept_again(tmp_path: Path, name: str) -> None:
    servers = EmbeddedServers(tmp_path)
    await servers.start(broker=name == "broker", database=name == "database")
    try:
        pid = servers.pids[name]
        servers.supervisor.running[name].cancel()
        await eventually(lambda: name not in servers.supervisor.running)
        with pytest.raises(TransientError, match=name):
            await servers.supervisor.check()
        os.kill(pid, signal.SIGKILL)
        await eventually(lambda: servers.pids.get(name) not in {pid, None})
        await servers.supervisor.check()
    finally:
        await servers.stop()


async def test_a_broker_that_ended_is_empty_for_those_who_begin_anew(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path) as servers:
        address, first = servers.kafka_bootstrap, servers.pids["broker"]
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(60):
            assert not (await servers.lost()).planned
            await servers.empty_broker()
            assert (servers.kafka_bootstrap, servers.log_generation) == (address, 1)
            assert servers.pids["broker"] != first
            # One that has only grown is ended for them.
            second = servers.pids["broker"]
            await servers.empty_broker()
        assert (servers.kafka_bootstrap, servers.log_generation) == (address, 2)
        assert servers.pids["broker"] != second
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await servers.lost()


async def test_a_server_that_ends_again_and_again_is_given_up(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path) as servers:
        await servers.supervisor.stop("database")
        for budget in servers._restarts.values():
            while budget.spend():
                pass
        os.kill(servers.pids["broker"], signal.SIGKILL)
        async with asyncio.timeout(60):
            loss = await servers.lost()
    assert loss.final
    assert "ended too often" in loss.words


async def test_a_broker_that_has_grown_too_large_is_to_be_begun_anew(tmp_path: Path) -> None:
    small = 1024 * 1024
    async with EmbeddedServers(tmp_path, broker_bytes=small) as servers, asyncio.timeout(60):
        assert measure_resident_bytes(servers.pids["broker"]) > small
        assert (await servers.lost()).planned
    async with EmbeddedServers(tmp_path) as servers:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await servers.lost()


async def test_servers_take_free_ports_of_the_loopback_address_only(tmp_path: Path) -> None:
    with held_port() as taken:
        servers = EmbeddedServers(tmp_path, broker_port=taken, database_port=taken)
        await servers.start()
        try:
            ports = [port_of(servers.kafka_bootstrap), port_of(servers.mongodb_url)]
            assert taken not in ports
            assert all(is_port_open(port) for port in ports)
            # Who listens on every address answers on this one, too.
            assert not any(is_port_open(port, "127.0.0.2") for port in ports)
        finally:
            await servers.stop()


async def test_the_broker_is_where_it_was_on_the_same_directory(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path) as servers:
        address = servers.kafka_bootstrap
    async with EmbeddedServers(tmp_path) as servers:
        assert servers.kafka_bootstrap == address


async def test_a_broker_asked_for_on_a_port_that_is_taken_starts_nowhere(tmp_path: Path) -> None:
    with held_port() as taken:
        servers = EmbeddedServers(tmp_path, broker_port_asked=taken)
        with pytest.raises(BrokerPortTaken, match=str(taken)):
            await servers.start()
    assert not servers.pids


async def test_a_second_instance_on_one_directory_is_refused_with_words(tmp_path: Path) -> None:
    async with EmbeddedServers(tmp_path):
        with pytest.raises(DataDirectoryInUse, match=f"process {os.getpid()}.*Stop it first"):
            await EmbeddedServers(tmp_path).start()


async def test_a_server_that_cannot_start_says_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "database").write_text("not a folder")
    servers = EmbeddedServers(tmp_path)
    with pytest.raises(ChildServerFailed, match=r"The database ended as it started\. It said: "):
        await servers.start()
    assert not servers.pids
    (tmp_path / "database").unlink()
    async with EmbeddedServers(tmp_path) as again:
        assert set(again.pids) == {"broker", "database"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends the orphans")
async def test_no_child_outlives_a_killed_parent(tmp_path: Path) -> None:
    host = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _HOST, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    assert host.stdout is not None
    children = [int(pid) for pid in (await host.stdout.readline()).split()]
    assert all(map(_alive, children))
    host.kill()
    await host.wait()
    await eventually_gone(children)
    async with EmbeddedServers(tmp_path) as servers:
        assert is_port_open(port_of(servers.kafka_bootstrap))


async def test_an_orphan_left_by_an_earlier_run_is_ended_before_the_next(tmp_path: Path) -> None:
    orphaned = EmbeddedServers(tmp_path)
    await orphaned.start()
    children = dict(orphaned.pids)
    records = ChildRecords(tmp_path / "children.json").read()
    assert {name: child.pid for name, child in records.items()} == children
    # As if its process were gone, on a system without leashes: nobody restarts the database.
    await orphaned.supervisor.stop()
    orphaned._lock.release()

    said: list[str] = []
    async with EmbeddedServers(tmp_path, say=said.append) as servers:
        await eventually_gone(list(children.values()))
        assert servers.pids.keys() == children.keys()
    assert sum("an earlier run had left behind" in words for words in said) == 2


async def test_a_port_that_another_server_was_quicker_to_take_is_not_mistaken_for_ours(
    tmp_path: Path,
) -> None:
    with held_port() as taken:
        child = ChildServer(
            "database",
            build_database_command(taken, tmp_path / "database", tmp_path / "database.toml"),
            port=taken,
            log=tmp_path / "database.log",
            records=ChildRecords(tmp_path / "children.json"),
        )
        (tmp_path / "database.toml").touch()
        assert is_port_open(taken)
        with pytest.raises(ChildServerFailed, match="ended as it started"):
            await child.start()
