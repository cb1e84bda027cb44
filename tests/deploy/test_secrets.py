"""No secret of the settings is ever in what a process says, whatever goes wrong."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from palimpsest.embedded.ports import choose

CANARIES = {
    "PALIMPSEST_API_KEY": "canary-of-the-service-key",
    "PALIMPSEST_KAFKA_PASSWORD": "canary-of-the-kafka-password",
    "PALIMPSEST_QDRANT_API_KEY": "canary-of-the-qdrant-key",
    "PALIMPSEST_MONGODB_URL": "mongodb://someone:canary-of-mongodb@127.0.0.1:1/?serverSelectionTimeoutMS=200",
}
ELSEWHERE = {
    "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1",
    "PALIMPSEST_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT",
    "PALIMPSEST_KAFKA_SASL_MECHANISM": "PLAIN",
    "PALIMPSEST_KAFKA_USER": "ingest",
    "PALIMPSEST_QDRANT_URL": "http://127.0.0.1:1",
    "PALIMPSEST_VECTORS": "server",
    "PALIMPSEST_MODE": "server",
    "PALIMPSEST_EMBEDDER": "hashing",
    "PALIMPSEST_LOG_LEVEL": "DEBUG",
}
COMMAND = Path(sys.executable).with_name("palimpsest")


def start(folder: Path, *arguments: str, **settings: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, **CANARIES, **ELSEWHERE, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def assert_silent(said: str) -> None:
    assert "canary" not in said, re.findall(r".*canary.*", said)


def test_a_service_whose_servers_are_away_says_so_and_no_secret(tmp_path: Path) -> None:
    process = start(tmp_path, "serve", "ingest", "--port", str(choose(None)))
    try:
        assert process.stdout
        said = ""
        deadline = time.monotonic() + 40
        while "waiting" not in said and time.monotonic() < deadline:
            said += process.stdout.readline()
        process.terminate()
        said += process.communicate(timeout=30)[0]
    finally:
        process.kill()
    assert "waiting" in said
    assert_silent(said)


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (("doctor",), {}),
        (("settings",), {}),
        (("serve", "ingest"), {"PALIMPSEST_API_KEY": "canary-short"}),
        (("serve", "ingest"), {"PALIMPSEST_KAFKA_SECURITY_PROTOCOL": "PLAINTEXT"}),
        (("serve", "ingest"), {"PALIMPSEST_MONGODB_URL": "mongodb//canary"}),
        (("serve", "recall"), {"PALIMPSEST_VECTORS": "canary"}),
    ],
)
def test_no_command_shows_one_either(
    tmp_path: Path, arguments: tuple[str, ...], settings: dict[str, str]
) -> None:
    process = start(tmp_path, *arguments, **settings)
    said, _ = process.communicate(timeout=60)
    assert said
    assert_silent(said)
