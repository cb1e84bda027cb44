"""Several processes behind one port: kept, replaced, stopped together."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.http_server import bind_http_port
from services.host.service_processes import (
    ProcessCommandBuilder,
    ServiceProcessEnded,
    build_process_command,
    check_multiple_processes,
    run_processes,
)
from tests.support.eventually import eventually
from tests.support.journeys.running import gone

LEAVE_A_NAME = """
import os, pathlib, signal, sys, time
pathlib.Path(sys.argv[1], sys.argv[2] + "." + str(os.getpid())).touch()
os.fstat(int(sys.argv[3]))
time.sleep(600)
"""
WORDS: list[str] = []


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with bind_http_port("127.0.0.1", 0) as taken:
        yield taken


def waiting(folder: Path, listening: socket.socket) -> ProcessCommandBuilder:
    """Each leaves its number and pid there, sees that it got the socket, and waits."""
    fd = str(listening.fileno())
    return lambda number: (sys.executable, "-c", LEAVE_A_NAME, str(folder), str(number), fd)


def started(folder: Path) -> dict[int, int]:
    """The numbers, by the pids that they were started with."""
    names = [path.name.split(".") for path in folder.iterdir()]
    return {int(pid): int(number) for number, pid in names}


async def test_each_has_the_port_and_all_are_stopped_with_whoever_keeps_them(
    tmp_path: Path, listening: socket.socket
) -> None:
    commands = waiting(tmp_path, listening)
    keeping = asyncio.create_task(run_processes(commands, 3, listening, say=WORDS.append))
    await eventually(lambda: sorted(started(tmp_path).values()) == [1, 2, 3])
    keeping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await keeping
    await gone(set(started(tmp_path)))


async def test_another_takes_the_place_of_one_that_was_killed(
    tmp_path: Path, listening: socket.socket
) -> None:
    said: list[str] = []
    commands = waiting(tmp_path, listening)
    keeping = asyncio.create_task(run_processes(commands, 2, listening, say=said.append))
    await eventually(lambda: len(started(tmp_path)) == 2)
    killed = next(pid for pid, number in started(tmp_path).items() if number == 2)
    os.kill(killed, signal.SIGKILL)
    await eventually(lambda: sorted(started(tmp_path).values()) == [1, 2, 2])
    assert said == ["process 2 was ended by SIGKILL; another takes its place"]
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await gone(set(started(tmp_path)))


async def test_one_that_gives_up_ends_them_all(tmp_path: Path, listening: socket.socket) -> None:
    others = waiting(tmp_path, listening)

    def commands(number: int) -> tuple[str, ...]:
        giving_up = (sys.executable, "-c", "import sys; sys.exit(3)")
        return giving_up if number == 2 else tuple(others(number))

    with pytest.raises(ServiceProcessEnded, match="Process 2 ended with exit code 3"):
        await run_processes(commands, 2, listening, say=WORDS.append)
    await gone(set(started(tmp_path)))


@pytest.mark.parametrize(("port", "own"), [(8000, "--port=8002"), (0, "--port=0")])
def test_each_has_a_port_of_its_own_behind_the_shared_one(port: int, own: str) -> None:
    command = build_process_command(["recall"], port, 7)(2)
    assert command[1:] == ("-m", "services.host", "serve", "recall", own, "--also-accept-from=7")


def test_embedded_vectors_belong_to_one_process_and_those_of_a_server_to_any() -> None:
    edge = Settings(vectors=VectorsBackend.EDGE)
    with pytest.raises(PermanentError, match="PALIMPSEST_VECTORS=qdrant"):
        check_multiple_processes(edge, ["ingest", "recall"])
    check_multiple_processes(edge, ["ingest", "console"])
    check_multiple_processes(Settings(vectors=VectorsBackend.QDRANT), ["recall"])
