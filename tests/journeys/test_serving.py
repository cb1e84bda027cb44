"""Server mode: the services in processes of their own, against servers that are given."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import httpx
import pytest

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from tests.support.eventually import eventually
from tests.support.forked_command import fork_command
from tests.support.journeys.running import START_SECONDS, children_of, gone
from tests.support.journeys.waiting import until_listed, until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


@asynccontextmanager
async def serving(
    log: Path, environment: dict[str, str], *services: str
) -> AsyncIterator[ForkServerProcess]:
    process = fork_command(["serve", *services, "--port=0"], {**os.environ, **environment}, log)
    try:
        yield process
        process.terminate()
        await eventually(lambda: process.exitcode is not None, within_seconds=60)
        assert process.exitcode == 0, log.read_text()  # noqa: ASYNC240 - once, when all is lost
    finally:
        process.kill()


async def ready(process: ForkServerProcess, log: Path) -> str:
    """Its address, once it is ready."""
    await eventually(
        lambda: process.exitcode is not None or address_in(log), within_seconds=START_SECONDS
    )
    address = address_in(log)
    assert address, log.read_text()  # noqa: ASYNC240 - once, when all is lost
    return address


def address_in(log: Path) -> str | None:
    match = re.search(r"ready: (\S+)", log.read_text())
    return match and match[1]


def given(servers: EmbeddedServers, data: Path) -> dict[str, str]:
    """The settings of services that are to use these."""
    return {
        "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": servers.kafka_bootstrap,
        "PALIMPSEST_MONGODB_URL": servers.mongodb_url,
        "PALIMPSEST_KAFKA_IDEMPOTENT_PRODUCER": "false",
        "PALIMPSEST_KAFKA_SESSION_TIMEOUT_MILLISECONDS": "6000",
        "PALIMPSEST_DATA_DIRECTORY": str(data),
        "PALIMPSEST_EMBEDDER": "hashing",
    }


async def test_services_in_two_processes_do_the_main_job(tmp_path: Path) -> None:
    first_log, second_log = tmp_path / "first.log", tmp_path / "second.log"
    async with EmbeddedServers(tmp_path / "servers") as servers:
        environment = given(servers, tmp_path / "data")
        async with (
            serving(first_log, environment, "ingest", "extractor", "console") as first,
            serving(second_log, environment, "embedder", "consolidator", "recall") as second,
        ):
            writing, reading = await ready(first, first_log), await ready(second, second_log)
            said = Message(message_id="m1", role=Role.USER, text="我住在上海，平时骑车上班。")
            async with PalimpsestClient(http_url=writing) as client:
                await client.save_conversation([said], user_id="ada", session_id="s1", ended=True)
                await until_listed(client, "ada", {"用户住在上海，平时骑车上班"}, Status.ACTIVE)
            async with PalimpsestClient(http_url=reading) as client:
                await until_recalled(client, said.text, "ada", "m1")


async def test_several_processes_answer_at_one_port_and_another_takes_the_place_of_one_killed(
    tmp_path: Path,
) -> None:
    log = tmp_path / "several.log"

    def ready_so_often(times: int) -> bool:
        return len(re.findall(r"ready: \S+", log.read_text())) == times

    async with EmbeddedServers(tmp_path / "servers") as servers:
        environment = given(servers, tmp_path / "data")
        async with serving(log, environment, "ingest", "console", "--processes=2") as parent:
            await eventually(lambda: ready_so_often(2), within_seconds=START_SECONDS)
            match = re.search(r"starting 2 processes that answer at (\S+)", log.read_text())
            assert match
            processes = re.findall(r"ready: (\S+)", log.read_text())
            async with asyncio.timeout(START_SECONDS):
                while not await each_answers_some(match[1], processes):
                    pass

            # Whoever holds on to a connection loses it with its process, and tries again.
            killed = min(children_of(parent.pid or 0))
            os.kill(killed, signal.SIGKILL)
            await gone({killed})
            async with httpx.AsyncClient(base_url=match[1], timeout=60) as client:
                assert (await client.get("/readyz")).status_code == 200
            await eventually(lambda: ready_so_often(3), within_seconds=START_SECONDS)
            assert "was ended by SIGKILL; another takes its place" in log.read_text()
            children = children_of(parent.pid or 0)
            assert len(children) >= 2
    await gone(children)


async def each_answers_some(url: str, processes: Sequence[str]) -> bool:
    """Of forty who come at once; each process counts at its own address what it answered."""
    async with httpx.AsyncClient(timeout=60) as client:
        await asyncio.gather(*(client.get(f"{url}/readyz") for _ in range(40)))
        told = [(await client.get(f"{own}/metrics")).text for own in processes]
    return all(
        re.search(r'^palimpsest_http_requests_total\{[^}]*route="/readyz"', one, re.MULTILINE)
        for one in told
    )
