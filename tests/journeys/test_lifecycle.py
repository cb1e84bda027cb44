"""Being started twice, and what is said at the start: as people see it."""

import subprocess
from pathlib import Path

import pytest

from tests.support.eventually import eventually
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_told
from tests.support.offered_ports import read_offered_port

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


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
    assert read_offered_port(second.output) > port


async def test_the_first_screen_holds_three_lines_that_work(palimpsest: RunningPalimpsest) -> None:
    # It answers before the services have joined Kafka, and only then says what to try.
    await eventually(lambda: "Ctrl-C stops everything." in palimpsest.output)
    lines = [line.strip() for line in palimpsest.output.splitlines() if "curl -s" in line]
    assert len(lines) == 3
    remember, recall, memories = lines
    assert '"status":202' in _shell(remember)
    async with palimpsest.client() as client:
        await until_told(
            client, "How does Ada take her coffee?", "ada", "Ada drinks her coffee without milk."
        )
    assert "Ada drinks her coffee without milk." in _shell(recall)
    assert "Ada drinks her coffee without milk." in _shell(memories)


def _shell(command: str) -> str:
    return subprocess.run(  # noqa: S602 - as it would be pasted
        command, shell=True, capture_output=True, text=True, check=True, timeout=30
    ).stdout
