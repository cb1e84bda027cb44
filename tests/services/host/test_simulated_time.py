"""A clock that stands still until it is moved, in an instance that was started for that."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from palimpsest.api.simulated_clock import CLOCK_PATH
from palimpsest.model.errors import CommandRefused
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.runtime.service import Service
from palimpsest_server.runtime.settings import Settings, VectorsBackend
from services.host.cli import build_command_line
from services.host.http_server import bind_http_port
from services.host.platform import build_platform
from services.host.service_lifecycle import run_services
from services.host.simulated_time import SimulatedTime
from tests.support.services.host.tiny import TinyService

MORNING = datetime(2026, 1, 1, 8, tzinfo=UTC)


async def answer(service: Service, folder: Path, method: str, **body: str) -> httpx.Response:
    settings = Settings(data_directory=folder, vectors=VectorsBackend.NONE)
    platform = build_platform(settings, [service.name], HashingEmbedder())
    port = bind_http_port("127.0.0.1", 0)
    async with (
        run_services([service], platform, port, say=lambda _: None) as server,
        httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as http,
    ):
        return await http.request(method, CLOCK_PATH, json=body or None)


async def test_the_clock_stands_where_it_was_moved_to(tmp_path: Path) -> None:
    time = SimulatedTime(MORNING)
    assert time() == MORNING
    moved = await answer(time, tmp_path, "PUT", now="2026-01-02T23:59:59+02:00")
    assert moved.status_code == 200
    assert time() == datetime(2026, 1, 2, 21, 59, 59, tzinfo=UTC)
    read = await answer(time, tmp_path, "GET")
    assert read.json() == {"now": "2026-01-02T21:59:59Z"}


async def test_time_does_not_go_back(tmp_path: Path) -> None:
    time = SimulatedTime(MORNING)
    refused = await answer(time, tmp_path, "PUT", now="2025-12-31T23:59:59Z")
    assert refused.status_code == 409
    assert refused.json()["reason"] == "clock_goes_back"
    with pytest.raises(CommandRefused):
        time.move(MORNING - timedelta(seconds=1))
    assert time() == MORNING


async def test_nobody_else_has_the_route(tmp_path: Path) -> None:
    refused = await answer(TinyService(), tmp_path, "PUT", now="2026-01-02T23:59:59Z")
    assert refused.status_code == 404


@pytest.mark.parametrize("moment", ["yesterday", "2026-01-01T08:00:00"])
def test_a_moment_needs_to_be_one_and_have_a_time_zone(moment: str) -> None:
    app = build_command_line(["run"])
    assert CliRunner().invoke(app, ["run", "--simulated-from", moment]).exit_code == 2
