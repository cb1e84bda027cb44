"""Services behind one port: started together, ready together, stopped in time."""

import asyncio
from pathlib import Path

import httpx
import pytest

from palimpsest.model.errors import TransientError
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.embedder_warmup import WarmingEmbedder
from services.host.http_server import HttpPortTaken, bind_http_port
from services.host.platform import build_platform
from services.host.service_lifecycle import run_services
from tests.support.eventually import eventually
from tests.support.offered_ports import read_offered_port
from tests.support.services.host.tiny import TinyService


@pytest.fixture
def platform(tmp_path: Path) -> Platform:
    settings = Settings(data_directory=tmp_path, vectors=VectorsBackend.NONE)
    return build_platform(settings, ["tiny"], HashingEmbedder())


def silent(_: str) -> None:
    """Nobody listens."""


async def test_services_are_served_until_they_are_stopped(platform: Platform) -> None:
    service = TinyService()
    async with run_services(
        [service], platform, bind_http_port("127.0.0.1", 0), say=silent
    ) as server:
        assert service.started
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as http:
            ready = await http.get("/readyz")
            assert ready.status_code == 200
            checked = {(check["service"], check["check"]) for check in ready.json()["checks"]}
            assert ("host", "background tasks") in checked
            metrics = (await http.get("/metrics")).text
        assert "palimpsest_host_loop_delay_seconds_bucket" in metrics
        assert "process_resident_memory_bytes" in metrics
    assert service.stopped
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        with pytest.raises(httpx.ConnectError):
            await http.get(server.url + "/healthz")


async def test_running_means_that_every_check_passes(platform: Platform) -> None:
    service, said = TinyService(), list[str]()
    service.ready = False
    entered = asyncio.Event()

    async def run() -> None:
        async with run_services(
            [service], platform, bind_http_port("127.0.0.1", 0), say=said.append
        ):
            entered.set()

    task = asyncio.create_task(run())
    await eventually(lambda: service.started)
    await asyncio.sleep(0.1)
    assert not entered.is_set()
    service.ready = True
    await task
    assert entered.is_set()


async def test_what_is_being_answered_is_finished_before_the_end(platform: Platform) -> None:
    service = TinyService()
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        async with run_services(
            [service], platform, bind_http_port("127.0.0.1", 0), say=silent
        ) as server:
            asking = asyncio.create_task(http.get(server.url + "/v1/slow"))
            await service.entered.wait()
            asyncio.get_running_loop().call_later(0.2, service.let_go.set)
        assert (await asking).json() == "done"


async def test_a_service_that_fails_to_start_stops_the_others(platform: Platform) -> None:
    well, broken = TinyService(), TinyService()
    broken.fails_to_start = TransientError("no partitions")
    with pytest.raises(TransientError, match="no partitions"):
        async with run_services(
            [well, broken], platform, bind_http_port("127.0.0.1", 0), say=silent
        ):
            pass
    assert well.stopped


async def test_a_service_that_fails_to_stop_keeps_no_other_from_stopping(
    platform: Platform,
) -> None:
    broken, well = TinyService(), TinyService()
    broken.fails_to_stop = RuntimeError("stuck")
    async with run_services([broken, well], platform, bind_http_port("127.0.0.1", 0), say=silent):
        pass
    assert well.stopped


async def test_cancelling_while_it_starts_stops_what_was_started(platform: Platform) -> None:
    service = TinyService()
    service.ready = False

    async def run() -> None:
        async with run_services([service], platform, bind_http_port("127.0.0.1", 0), say=silent):
            raise AssertionError

    task = asyncio.create_task(run())
    await eventually(lambda: service.started)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert service.stopped


def test_a_taken_port_is_refused_with_what_to_do() -> None:
    with bind_http_port("127.0.0.1", 0) as holder:
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(HttpPortTaken) as refused:
            bind_http_port("127.0.0.1", port)
        assert read_offered_port(str(refused.value)) > port
        ours = {port + 1, port + 2}
        with pytest.raises(HttpPortTaken) as refused:
            bind_http_port("127.0.0.1", port, reserved=ours)
        assert read_offered_port(str(refused.value)) not in {port, *ours}


async def test_who_needs_a_warming_embedder_waits_for_it() -> None:
    embedder = WarmingEmbedder(HashingEmbedder())
    with pytest.raises(TransientError, match="not loaded"):
        await embedder.embed_query("hello")
    embedder.begin()
    with pytest.raises(TransientError, match="being loaded"):
        await embedder.check()
    assert (await embedder.embed_query("hello")).dense
    await embedder.check()
    await embedder.stop()
