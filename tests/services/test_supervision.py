"""Each background task of each service is missed when it ends, and comes back."""

import asyncio
from collections.abc import Callable
from typing import Protocol

import pytest
from structlog.testing import capture_logs

from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.service_bus import ServiceBus
from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.embedders.child_process import ChildProcess
from palimpsest_server.runtime.service import ReadinessCheck, Service
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from services.host.host_tasks import HostTasks
from tests.support.clock import SettableClock
from tests.support.eventually import eventually
from tests.support.platform import IMMEDIATELY, InMemoryBus
from tests.support.services.console.routes.world import World as Console
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator
from tests.support.services.extractor.world import World as Extractor
from tests.support.services.ingest.world import World as Ingest
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.services.recall.world import World as Recall
from tests.support.stores.ledger import InMemoryLedger
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns


class SupervisedService(Service, Protocol):
    @property
    def bus(self) -> ServiceBus: ...

    @property
    def supervisor(self) -> Supervisor: ...


def ingest() -> SupervisedService:
    return Ingest(late=True).service


def extractor() -> SupervisedService:
    return Extractor(InMemoryLedger(), SettableClock()).service


def consolidator() -> SupervisedService:
    return Consolidator(Stores.in_memory(), SettableClock()).service


def recall() -> SupervisedService:
    vectors = InMemoryVectorStore(shared_embedder().model)
    return Recall(InMemoryMemories(), InMemoryTurns(), vectors, SettableClock()).service


def console() -> SupervisedService:
    return Console().build()


TASKS: dict[Callable[[], SupervisedService], tuple[str, ...]] = {
    ingest: (
        *("reconciler", "turn retention"),
        *("session progress", "window marks"),
    ),
    extractor: (
        *("leasing", "settlement", "reconciler", "backlog"),
        *("summaries", "usage", "published marks"),
    ),
    consolidator: (
        *("reconciler", "reminders", "profiles", "expired summaries"),
        *("summaries to rewrite", "purges", "maintenance"),
    ),
    recall: ("recall accesses",),
    console: ("reconciler", "changes for webhooks", "requests to webhooks"),
}

EACH = [
    pytest.param(build, task, id=f"{build.__name__}: {task}")
    for build, tasks in TASKS.items()
    for task in tasks
]


class RunningHost:
    """The host's part of `run_services`, and supervised tasks of whoever runs it in embedded mode."""

    TASKS = ("loop delay", "sweep", "broker", "files of memories")

    def __init__(self) -> None:
        self.supervisors = [Supervisor(name, backoff=IMMEDIATELY) for name in ("host", "servers")]
        for number, task in enumerate(self.TASKS):
            self.supervisors[number % 2].start(task, asyncio.Event().wait)
        self.check = HostTasks(self.supervisors).checks["background tasks"]

    def supervisor_of(self, task: str) -> Supervisor:
        return next(supervisor for supervisor in self.supervisors if task in supervisor.running)

    async def stop(self) -> None:
        await asyncio.gather(*(supervisor.stop() for supervisor in self.supervisors))


@pytest.mark.parametrize("task", RunningHost.TASKS)
async def test_readiness_asks_for_the_tasks_of_the_host(task: str) -> None:
    host = RunningHost()
    try:
        await kill(host.supervisor_of(task), task, host.check)
    finally:
        await host.stop()


async def test_a_keeper_of_a_child_process_that_ends_keeps_it_again() -> None:
    child = ChildProcess("rules process", "tests.support.server.embedders.tested_child")
    await child.start()
    first = child.pid
    try:
        (keeper,) = [task for task in asyncio.all_tasks() if task.get_name() == "rules process"]
        keeper.cancel()

        async def check() -> None:
            child.check()

        assert "rules process" in await until_it_fails(check)
        await eventually(lambda: child.pid not in {first, None})
        await child.start()
        child.check()
    finally:
        await child.stop()


async def until_it_fails(check: ReadinessCheck) -> str:
    """Ask at each turn of the loop, so that the shortest pause is seen."""
    async with asyncio.timeout(60):
        while True:
            try:
                await check()
            except TransientError as error:
                return str(error)
            await asyncio.sleep(0)


async def kill(supervisor: Supervisor, task: str, check: ReadinessCheck) -> None:
    """End the task, and see readiness fail, the log line, and the recovery."""
    ended = supervisor.running[task]
    await asyncio.sleep(0)
    with capture_logs() as lines:
        ended.cancel()
        assert task in await until_it_fails(check)
        await eventually(lambda: task in supervisor.running)
    (line,) = [line for line in lines if line.get("task") == task]
    assert ".py:" in line["at"]
    assert supervisor.running[task] is not ended
    await check()


@pytest.mark.parametrize(("build", "task"), EACH)
async def test_a_task_that_ends_fails_readiness_and_is_started_again(
    build: Callable[[], SupervisedService], task: str
) -> None:
    service = build()
    await service.start()
    try:
        await kill(service.supervisor, task, service.checks["background tasks"])
    finally:
        await service.stop()


@pytest.mark.parametrize("build", TASKS, ids=lambda build: build.__name__)
async def test_the_erasures_of_each_service_are_supervised(
    build: Callable[[], SupervisedService],
) -> None:
    service = build()
    await service.start()
    assert isinstance(service.bus, InMemoryBus)
    try:
        await kill(service.bus.supervisor, "erasures", service.checks["kafka"])
    finally:
        await service.stop()


@pytest.mark.parametrize("build", TASKS, ids=lambda build: build.__name__)
async def test_no_task_is_missing_here_and_none_outlives_its_service(
    build: Callable[[], SupervisedService],
) -> None:
    service = build()
    await service.start()
    assert set(service.supervisor.running) == set(TASKS[build])
    await service.stop()
    assert service.supervisor.running == {}
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
