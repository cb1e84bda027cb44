"""No secret of the settings is ever in what a process says, whatever goes wrong."""

import asyncio
import re
from collections.abc import Mapping

import pytest
import pytest_asyncio

from tests.faults.processes import Nursery, Process
from tests.support.eventually import eventually

CANARIES = {
    "PALIMPSEST_API_KEY": "canary-of-the-service-key",
    "PALIMPSEST_KAFKA_PASSWORD": "canary-of-the-kafka-password",
    "PALIMPSEST_QDRANT_API_KEY": "canary-of-the-qdrant-key",
    "PALIMPSEST_MONGODB_URL": "mongodb://someone:canary-of-mongodb@127.0.0.1:1/",
}
ELSEWHERE = {
    "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1",
    "PALIMPSEST_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT",
    "PALIMPSEST_KAFKA_SASL_MECHANISM": "PLAIN",
    "PALIMPSEST_KAFKA_USER": "ingest",
    "PALIMPSEST_QDRANT_URL": "http://127.0.0.1:1",
    "PALIMPSEST_VECTORS": "qdrant",
    "PALIMPSEST_MODE": "server",
    "PALIMPSEST_EMBEDDER": "hashing",
    "PALIMPSEST_LOG_LEVEL": "DEBUG",
}
LOADED = (
    "services.host.cli",
    *(f"services.host.commands.{name}" for name in ("run", "doctor", "tables")),
)

COMMANDS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "servers away": (("serve", "ingest", "--port", "0"), {}),
    "doctor": (("doctor",), {}),
    "settings": (("settings",), {}),
    "short key": (("serve", "ingest"), {"PALIMPSEST_API_KEY": "canary-short"}),
    "no use": (("serve", "ingest"), {"PALIMPSEST_KAFKA_SECURITY_PROTOCOL": "PLAINTEXT"}),
    "no address": (("serve", "ingest"), {"PALIMPSEST_MONGODB_URL": "mongodb//canary"}),
    "no choice": (("serve", "recall"), {"PALIMPSEST_VECTORS": "canary"}),
}
WAITS = "servers away"
"""This one would wait for ever: it is ended once it says that it does."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What each of them says, all of them at once: most of their time is spent waiting.

    They are forked off one process that has loaded the commands, which takes two seconds.
    """
    folder = tmp_path_factory.mktemp("secrets")
    async with Nursery(folder, LOADED) as nursery:
        processes = {
            name: Process(
                name,
                ["services.host.cli", *arguments],
                directory=folder,
                environment={
                    **CANARIES,
                    **ELSEWHERE,
                    **settings,
                    "PALIMPSEST_DATA_DIRECTORY": str(folder / "data"),
                },
                started_by=nursery.fork,
            )
            for name, (arguments, settings) in COMMANDS.items()
        }
        await asyncio.gather(*(process.start() for process in processes.values()))
        waiting = processes.pop(WAITS)
        await eventually(lambda: "waiting" in waiting.last_words(), within_seconds=60)
        await waiting.stop()
        await eventually(
            lambda: not any(process.runs for process in processes.values()), within_seconds=60
        )
        return {name: (folder / f"{name}.log").read_text() for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_goes_wrong_no_secret_is_said(name: str, said: Mapping[str, str]) -> None:
    assert said[name].strip()
    assert "canary" not in said[name], re.findall(r".*canary.*", said[name])


def test_a_service_whose_servers_are_away_says_what_it_waits_for(said: Mapping[str, str]) -> None:
    assert "waiting: MongoDB at 127.0.0.1:" in said[WAITS]


def test_what_is_wrong_with_a_setting_is_said_by_its_name(said: Mapping[str, str]) -> None:
    assert "PALIMPSEST_API_KEY" in said["short key"]
    assert "of no use with PLAINTEXT" in said["no use"]
