"""One running Palimpsest for all tests that do not hurt it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.pipeline.running import RunningPalimpsest


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def palimpsest(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[RunningPalimpsest]:
    running = await RunningPalimpsest(tmp_path_factory.mktemp("palimpsest")).start()
    yield running
    assert await running.interrupt() == 0
