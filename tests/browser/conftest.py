"""One Palimpsest and one Chromium for all tests of the page."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from palimpsest.client import SyncPalimpsestClient
from tests.support.browser import household
from tests.support.browser.chromium import BrowserVisitor, find_chromium, run_chromium, visiting
from tests.support.journeys.running import RunningPalimpsest

Visiting = Callable[..., AbstractContextManager[BrowserVisitor]]
ResultT = TypeVar("ResultT")

expect.set_options(timeout=30_000)


def run_apart(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run a coroutine in another thread, for Playwright has a loop of its own in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="session")
def palimpsest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPalimpsest]:
    """A running Palimpsest that remembers something of `household.USER`."""
    running = RunningPalimpsest(tmp_path_factory.mktemp("palimpsest"))
    try:
        run_apart(_start(running))
        yield running
        assert run_apart(running.interrupt()) == 0
    finally:
        run_apart(running.put_away())


async def _start(running: RunningPalimpsest) -> None:
    await running.start()
    async with running.client() as client:
        await household.fill(client)


@pytest.fixture(scope="session")
def api(palimpsest: RunningPalimpsest) -> Iterator[SyncPalimpsestClient]:
    """The API, for what happens elsewhere than on the page."""
    with SyncPalimpsestClient(http_url=palimpsest.instance.http_url, timeout_seconds=30) as client:
        yield client


@pytest.fixture
def user_id() -> str:
    """A user of one test alone."""
    return f"user-{uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with run_chromium() as running:
        yield running


@pytest.fixture
def visit(browser: Browser, palimpsest: RunningPalimpsest) -> Visiting:
    """Visit the page with a profile of its own: width, language and theme may be named."""
    return partial(visiting, browser, palimpsest.instance.http_url)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say what is lacking where Chromium is not installed."""
    if find_chromium() is None:
        lacking = pytest.mark.skip(reason="there is no Chromium: apt-get install chromium")
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(lacking)
