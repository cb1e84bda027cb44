"""No secret of the settings is ever in what a process says, whatever goes wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
COMMAND = Path(sys.executable).with_name("palimpsest")


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


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each of them says, all of them at once: most of their time is spent waiting."""
    folder = tmp_path_factory.mktemp("secrets")
    processes = {
        name: _start(folder, *arguments, **settings)
        for name, (arguments, settings) in COMMANDS.items()
    }
    try:
        first = _until_it_waits(processes[WAITS])
        processes[WAITS].terminate()
        rest = {name: each.communicate(timeout=60)[0] for name, each in processes.items()}
    finally:
        for process in processes.values():
            process.kill()
    return rest | {WAITS: first + rest[WAITS]}


def _until_it_waits(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "waiting" in line:
            break
    return "".join(lines)


def _start(folder: Path, *arguments: str, **settings: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, **CANARIES, **ELSEWHERE, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_goes_wrong_no_secret_is_said(name: str, said: dict[str, str]) -> None:
    assert said[name].strip()
    assert "canary" not in said[name], re.findall(r".*canary.*", said[name])


def test_a_service_whose_servers_are_away_says_what_it_waits_for(said: dict[str, str]) -> None:
    assert "waiting: MongoDB at 127.0.0.1:" in said[WAITS]


def test_what_is_wrong_with_a_setting_is_said_by_its_name(said: dict[str, str]) -> None:
    assert "PALIMPSEST_API_KEY" in said["short key"]
    assert "of no use with PLAINTEXT" in said["no use"]
