"""Server mode: the services in processes of their own, against servers that are given."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from palimpsest.client import Message, PalimpsestClient
from palimpsest.domain.memory import Status
from palimpsest.domain.turn import Role
from palimpsest.embedded.servers import EmbeddedServers
from tests.eventually import eventually
from tests.pipeline.running import START_SECONDS
from tests.pipeline.waiting import until_listed, until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


@contextmanager
def serving(
    log: Path, environment: dict[str, str], *services: str
) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("palimpsest"), "serve", *services, "--port=0"],
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
        )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()


async def ready(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """Its address, once it is ready."""
    await eventually(
        lambda: process.poll() is not None or address_in(log), within_seconds=START_SECONDS
    )
    address = address_in(log)
    assert address, log.read_text()  # noqa: ASYNC240 - once, when all is lost
    return address


def address_in(log: Path) -> str | None:
    found = re.search(r"ready: (\S+)", log.read_text())
    return found and found[1]


async def test_services_in_two_processes_do_the_main_job(tmp_path: Path) -> None:
    first_log, second_log = tmp_path / "first.log", tmp_path / "second.log"
    async with EmbeddedServers(tmp_path / "servers") as servers:
        environment = {
            "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": servers.kafka_bootstrap,
            "PALIMPSEST_MONGODB_URL": servers.mongodb_url,
            "PALIMPSEST_KAFKA_IDEMPOTENT_PRODUCER": "false",
            "PALIMPSEST_KAFKA_SESSION_TIMEOUT_MILLISECONDS": "6000",
            "PALIMPSEST_DATA_DIRECTORY": str(tmp_path / "data"),
            "PALIMPSEST_EMBEDDER": "hashing",
        }
        with (
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
