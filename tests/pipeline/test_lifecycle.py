"""Starting, stopping, being killed, being started twice: as people and machines do it."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from palimpsest.domain.memory import Status
from palimpsest.embedded import instance
from palimpsest.embedded.identity import ProcessIdentity
from palimpsest.embedded.records import ChildRecords
from tests.eventually import eventually
from tests.pipeline.running import RunningPalimpsest, gone
from tests.pipeline.waiting import until_listed

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

CELLAR = "Grace keeps her bicycle in the cellar"


async def test_a_second_instance_on_the_same_data_is_refused_with_words(
    palimpsest: RunningPalimpsest, tmp_path: Path
) -> None:
    (tmp_path / "same").symlink_to(palimpsest.directory)
    second = RunningPalimpsest(tmp_path / "same")
    second.launch()
    assert await second.ended() == 1
    assert f"(process {palimpsest.process.pid})" in second.output
    assert "PALIMPSEST_DATA_DIRECTORY" in second.output
    assert "Traceback" not in second.output


async def test_a_taken_http_port_is_an_error_that_says_what_to_do(
    palimpsest: RunningPalimpsest, tmp_path: Path
) -> None:
    port = int(palimpsest.instance.http_url.rpartition(":")[2])
    second = RunningPalimpsest(tmp_path / "other")
    second.launch(port=port)
    assert await second.ended() == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in second.output
    assert f"PALIMPSEST_HTTP_PORT={port + 1}" in second.output


async def test_ctrl_c_and_kill_and_a_lost_broker_lose_no_data_and_leave_no_child(
    own_palimpsest: RunningPalimpsest,
) -> None:
    running = await own_palimpsest.start()
    async with running.client() as client:
        await client.remember(CELLAR, user_id="grace")
        await until_listed(client, "grace", {CELLAR}, Status.ACTIVE)

    # The broker's log is gone with it: everything begins anew, in the same process.
    first = children_of(running)["broker"].pid
    os.kill(first, signal.SIGKILL)
    await eventually(lambda: running_on_another_broker(running, first), within_seconds=100)
    async with running.client() as client:
        answer = await client.recall("Where is Grace's bicycle?", user_id="grace")
        assert answer.results[0].content == CELLAR

    orphans = await running.kill_alone()
    assert orphans
    await gone(orphans)

    await running.start()
    async with running.client() as client:
        await until_listed(client, "grace", {CELLAR}, Status.ACTIVE)
    children = running.children
    assert len(children) >= 3
    assert await running.interrupt() == 0
    await gone(children)
    assert running.output.rstrip().endswith("stopped")
    assert instance.find(running.directory) is None


def children_of(running: RunningPalimpsest) -> dict[str, ProcessIdentity]:
    return ChildRecords(running.directory / "children.json").read()


def running_on_another_broker(running: RunningPalimpsest, first: int) -> bool:
    """At the same address, as a rule: clients know it."""
    broker = children_of(running).get("broker")
    up = instance.find(running.directory) is not None
    return up and broker is not None and broker.pid != first


async def test_the_first_screen_holds_three_lines_that_work(palimpsest: RunningPalimpsest) -> None:
    lines = [line.strip() for line in palimpsest.output.splitlines() if "curl -s" in line]
    assert len(lines) == 3
    remember, recall, memories = lines
    assert '"status":202' in _shell(remember)
    async with palimpsest.client() as client:
        await until_listed(client, "ada", {"Ada drinks her coffee without milk."}, Status.ACTIVE)
    assert "Ada drinks her coffee without milk." in _shell(recall)
    assert "Ada drinks her coffee without milk." in _shell(memories)


def _shell(command: str) -> str:
    return subprocess.run(  # noqa: S602 - as it would be pasted
        command, shell=True, capture_output=True, text=True, check=True, timeout=30
    ).stdout
