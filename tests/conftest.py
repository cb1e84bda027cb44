"""Real servers for every test that wants one, and a clock that tests set."""

import gc
import os
import signal
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any

# Before numpy is loaded: its threads wait in a loop for one another, which costs ten times the work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
import pytest_asyncio
import structlog
from hypothesis import HealthCheck, settings

from palimpsest_server.embedded.embedded_servers import EmbeddedServers
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.databases import empty, empty_late, indexed_database
from tests.support.extent import EVERY
from tests.support.models.model_server import ModelServer, model_server

# Before a contract is imported: a promise that fails then shows its values, as in a test.
pytest.register_assert_rewrite("tests.contracts")

# What is started from a shell's background (`make test &`) ignores Ctrl-C, and so do its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, and a slow machine fails nothing.
settings.register_profile(
    "steady",
    max_examples=100 // EVERY,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

_MASTERS = MasterKeys(bytes(32)) if os.environ.get("PALIMPSEST_TEST_SEALED") else None
"""With it the same promises are held of what is encrypted."""

_REAL_MONGODB = os.environ.get("PALIMPSEST_TEST_MONGODB_URL")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collector of waste away from what is loaded here: it stays to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


_LONGEST_FIRST = (
    "tests/journeys/",
    "tests/services/ingest/test_crashes",
    "tests/lab/",
    "tests/deploy/",
    "tests/language/facts/",
    "tests/server/domain/consolidation/test_histories",
    "tests/server/delivery/",
    "tests/server/embedders/",
    "tests/stack/test_simulated_month",
    "tests/stack/test_own_rights",
    "tests/stack/test_consolidators",
)
"""Begun in this order, because everybody waits for the file that is begun last."""


_SERVERS = frozenset({"kafka_bootstrap", "mongodb_url", "palimpsest", "own_palimpsest"})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn_of)
    for item in items:
        if isinstance(item, pytest.Function) and not _SERVERS.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.embedded)


def _turn_of(item: pytest.Item) -> int:
    turns = (turn for turn, begin in enumerate(_LONGEST_FIRST) if item.nodeid.startswith(begin))
    return next(turns, len(_LONGEST_FIRST))


@pytest.fixture(autouse=True)
def logging_of_each_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A logger that keeps how one test had logging set up would write past the next one."""
    configure = structlog.configure

    def without_keeping(**options: Any) -> None:
        configure(**options | {"cache_logger_on_first_use": False})

    monkeypatch.setattr(structlog, "configure", without_keeping)
    yield
    if structlog.is_configured():
        structlog.reset_defaults()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def kafka_bootstrap(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of an embedded broker, one for all tests."""
    servers = EmbeddedServers(tmp_path_factory.mktemp("broker"))
    await servers.start(database=False)
    yield servers.kafka_bootstrap
    await servers.stop()


@pytest_asyncio.fixture(
    scope="session",
    loop_scope="session",
    params=["embedded", *(["real"] if _REAL_MONGODB else [])],
)
async def mongodb_url(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    """The embedded database, and a real MongoDB where one is given."""
    if request.param == "real" and _REAL_MONGODB:
        yield _REAL_MONGODB
        return
    servers = EmbeddedServers(tmp_path_factory.mktemp("database"))
    await servers.start(broker=False)
    yield servers.mongodb_url
    await servers.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def indexed(mongodb_url: str) -> AsyncIterator[str]:
    """The name of a database of this file's, its indexes in place: they take longer than a test."""
    async with indexed_database(mongodb_url) as database:
        yield database._database.name


@pytest.fixture
async def database(mongodb_url: str, indexed: str) -> AsyncIterator[MongoDatabase]:
    """A database in which nothing is, its indexes in place and not to be changed."""
    database = MongoDatabase(mongodb_url, indexed, masters=_MASTERS)
    await empty_late(database)
    yield database
    await empty(database)
    database.close()


@pytest.fixture
async def own_database(mongodb_url: str) -> AsyncIterator[MongoDatabase]:
    """One that no other test sees: its indexes may be changed."""
    async with indexed_database(mongodb_url, _MASTERS) as database:
        yield database


@pytest.fixture
def topic_prefix() -> str:
    """Put before topics and groups, so that tests on one broker never meet."""
    return f"t{uuid.uuid4().hex[:8]}-"


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A server of models that answers as a test scripts it."""
    async with model_server() as running:
        yield running
