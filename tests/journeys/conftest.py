"""One running Palimpsest for all tests that do not hurt it, put away with the last of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.forked_command import begin_to_load, load_too
from tests.support.journeys.echoing_vendor import echoing_vendor
from tests.support.journeys.running import RunningPalimpsest

load_too("tests.support.journeys.loaded_examples")


def pytest_collection(session: pytest.Session) -> None:
    """Load what all workers fork while they are not there yet, and the tests are collected."""
    if session.config.getoption("numprocesses"):
        begin_to_load()


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def palimpsest(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[RunningPalimpsest]:
    with echoing_vendor() as vendor_url:
        running = RunningPalimpsest(
            tmp_path_factory.mktemp("palimpsest"), PALIMPSEST_PROXY_OPENAI_URL=f"{vendor_url}/v1"
        )
        try:
            yield await running.start()
            assert await running.interrupt() == 0
        finally:
            await running.put_away()


@pytest.fixture
async def own_palimpsest(tmp_path: Path) -> AsyncIterator[RunningPalimpsest]:
    """One that a test may hurt; not started."""
    running = RunningPalimpsest(tmp_path / "data")
    yield running
    await running.put_away()
