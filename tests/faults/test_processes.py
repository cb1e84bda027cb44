"""What the nursery forks is started, stopped, killed and missed like any other process."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from palimpsest_server.embedded.ports import is_port_open
from tests.faults.processes import Nursery, Process
from tests.faults.system import lasting_ports
from tests.support.eventually import eventually

pytestmark = pytest.mark.embedded
MODEL = "tests.faults.lying_model"
PATIENCE_SECONDS = 60.0


@pytest.fixture
async def nursery(tmp_path: Path) -> AsyncIterator[Nursery]:
    async with Nursery(tmp_path, [MODEL]) as nursery:
        yield nursery


@pytest.fixture
def port() -> int:
    return lasting_ports(1)[0]


@pytest.fixture
def model(nursery: Nursery, port: int, tmp_path: Path) -> Process:
    command = [MODEL, f"--port={port}"]
    return Process("model", command, directory=tmp_path, started_by=nursery.fork)


async def test_it_serves_until_it_is_killed_and_again_after_a_start(
    model: Process, port: int
) -> None:
    for starts in (1, 2):
        await model.start()
        await eventually(lambda: is_port_open(port), within_seconds=PATIENCE_SECONDS)
        assert model.runs
        await model.kill()
        assert not model.runs
        assert not is_port_open(port)
        assert model.starts == starts
    await model.keep()
    assert not model.runs, "it was killed by us, and is nobody's to start again"


async def test_what_ends_by_itself_is_started_again_by_its_keeper(
    model: Process, port: int
) -> None:
    await model.start()
    await model.keep()
    assert (model.starts, model.ended_by_itself) == (1, 0)
    os.kill(model.pid, 9)
    await eventually(lambda: not model.runs, within_seconds=PATIENCE_SECONDS)
    await model.keep()
    await eventually(lambda: is_port_open(port), within_seconds=PATIENCE_SECONDS)
    assert (model.starts, model.ended_by_itself) == (2, 1)


async def test_whoever_starts_it_at_once_starts_one(model: Process, port: int) -> None:
    await asyncio.gather(model.start(), model.keep(), model.start())
    await eventually(lambda: is_port_open(port), within_seconds=PATIENCE_SECONDS)
    assert model.starts == 1
    await asyncio.gather(model.start(), model.kill())
    assert not model.runs


async def test_what_it_says_at_its_end_is_kept_and_nothing_outlives_the_nursery(
    nursery: Nursery, model: Process, port: int, tmp_path: Path
) -> None:
    wrong = Process("wrong", [MODEL, "--port=x"], directory=tmp_path, started_by=nursery.fork)
    await wrong.start()
    await eventually(lambda: not wrong.runs, within_seconds=PATIENCE_SECONDS)
    assert "invalid int value" in wrong.last_words()
    await model.start()
    await eventually(lambda: is_port_open(port), within_seconds=PATIENCE_SECONDS)
    await nursery.__aexit__()
    await eventually(lambda: not is_port_open(port), within_seconds=PATIENCE_SECONDS)
