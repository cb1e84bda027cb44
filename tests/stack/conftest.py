"""A real Kafka: the one whose address is given, a local one without Docker, or a container."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from testcontainers.community.kafka import KafkaContainer

from palimpsest_server.delivery.acls import format_acl_commands
from tests.support.paths import ROOT
from tests.support.stack.secured import PREFIX, SecuredKafka, secured_kafka

_SCRIPT = ROOT / "deploy" / "local" / "kafka.py"


def _local(directory: Path) -> "subprocess.Popen[str]":
    """The script's Kafka, which ends when we do: its standard input is our leash."""
    return subprocess.Popen(
        [sys.executable, str(_SCRIPT), "--directory", str(directory), "--leashed", "run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="session")
def kafka_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an Apache Kafka."""
    if given := os.environ.get("PALIMPSEST_TEST_KAFKA"):
        yield given
        return
    local = _local(tmp_path_factory.mktemp("kafka") / "node")
    assert local.stdin is not None
    assert local.stdout is not None
    assert local.stderr is not None
    if address := local.stdout.readline().strip():
        yield address
        local.stdin.close()
        local.wait(30)
        return
    why_not_local = local.stderr.read().strip().splitlines()[-1:] or ["it gave no reason"]
    local.wait(30)
    try:
        container = _container()
    except Exception as error:  # noqa: BLE001 - docker and its client fail in many ways
        pytest.skip(f"no Kafka: {why_not_local[0]}; no Docker: {type(error).__name__}")
    with container:
        yield container.get_bootstrap_server()


@pytest.fixture(scope="session")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredKafka]:
    """One that trusts nobody, with the rights that `palimpsest acls --commands` prints."""
    with secured_kafka(tmp_path_factory.mktemp("secured") / "kafka") as kafka:
        kafka.allow(format_acl_commands(PREFIX))
        yield kafka


def _container() -> KafkaContainer:
    return KafkaContainer().with_kraft()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines say what could not be run, and why."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("not run", sep="-")
        terminalreporter.write_line(f"{len(skipped)} tests on a real Kafka were not run.")
        for why in sorted({report.longrepr[2] for report in skipped}):
            terminalreporter.write_line(f"  {why}")
