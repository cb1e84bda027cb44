"""Memories as files: an edit is recalled within seconds, whatever runs or dies meanwhile."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from palimpsest.client import PalimpsestClient
from palimpsest.model.memory import Status
from tests.support.eventually import eventually
from tests.support.journeys.running import RunningPalimpsest, command
from tests.support.journeys.waiting import until_answered, until_listed

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

MANY_SECONDS = 30.0


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[RunningPalimpsest]:
    found = RunningPalimpsest(tmp_path / "data", PALIMPSEST_WORKSPACE=str(tmp_path / "workspace"))
    yield found
    await found.put_away()


class Notes:
    """The file of what all agents know of a user."""

    def __init__(self, root: Path, user_id: str) -> None:
        self.path = root / user_id / "shared/context/memory.md"

    @property
    def text(self) -> str:
        return self.path.read_text() if self.path.exists() else ""

    async def until(self, condition: Callable[[str], bool]) -> None:
        await eventually(lambda: condition(self.text), within_seconds=MANY_SECONDS)

    def replace(self, old: str, new: str) -> None:
        before = self.text
        assert old in before
        temporary = self.path.with_name("memory.md~")
        temporary.write_text(before.replace(old, new, 1))
        temporary.replace(self.path)


async def answers(client: PalimpsestClient, question: str) -> list[str]:
    found = await until_answered(client, question, "mia")
    return [result.content for result in found.results]


async def test_what_is_edited_in_a_file_is_recalled_over_restarts_and_a_kill(
    running: RunningPalimpsest, tmp_path: Path
) -> None:
    notes = Notes(tmp_path / "workspace", "mia")
    await running.start()
    async with running.client() as client:
        await client.add("Mia drinks oolong tea", user_id="mia", kind="preference")
        await notes.until(lambda text: "- Mia drinks oolong tea <!-- " in text)
        heading = "## Known Facts · 用户信息\n"
        notes.replace(heading, f"{heading}\n- Mia keeps three bees\n")
        await notes.until(lambda text: "- Mia keeps three bees <!-- " in text)
        assert "Mia keeps three bees" in await answers(client, "What does Mia keep?")
        notes.replace("oolong", "jasmine")
    await running.kill_with_children()
    notes.replace("three bees", "nine bees")
    await running.start()
    async with running.client() as client:
        edited = {"Mia drinks jasmine tea", "Mia keeps nine bees"}
        assert (await until_listed(client, "mia", edited, Status.ACTIVE)).keys() == edited
        await client.forget_everything("mia")
        await notes.until(lambda text: "\n- " not in text and "palimpsest: end" in text)
        await eventually(lambda: not holds(tmp_path / "workspace", b"jasmine"))
    assert await running.interrupt() == 0


def holds(root: Path, words: bytes) -> bool:
    return any(path.is_file() and words in path.read_bytes() for path in root.rglob("*.*"))


async def test_files_are_looked_after_once_beside_running_services(
    palimpsest: RunningPalimpsest, tmp_path: Path
) -> None:
    root, notes = tmp_path / "notes", Notes(tmp_path / "notes", "noa")
    async with palimpsest.client() as client:
        await client.add("Noa sails", user_id="noa", kind="fact")
        await client.add("Noa's poet rhymes", user_id="noa", agent_id="poet", project_id="book")
        once = ["workspace", str(root), "--user", "noa", "--once"]
        plan = await command(palimpsest, *once, "--dry-run")
        assert "noa/shared: would write memory.md" in plan[1]
        assert not root.exists()
        code, told = await command(palimpsest, *once)
        assert code == 0, told
        assert "- Noa sails <!-- " in notes.text
        poet = root / "noa/poet/projects/book/context/memory.md"
        assert "Noa's poet rhymes" in poet.read_text()
        notes.replace("Noa sails", "Noa sails far")
        code, told = await command(palimpsest, *once, "--json")
        [line] = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
        assert (code, line["commands"][0]["content"]) == (0, "Noa sails far")
        notes.path.write_text("")
        code, told = await command(palimpsest, *once, "--confirm-deletions")
        assert (code, (await client.list(user_id="noa")).memories) == (0, ()), told


async def test_files_are_looked_after_until_ctrl_c(
    palimpsest: RunningPalimpsest, tmp_path: Path
) -> None:
    notes = Notes(tmp_path / "notes", "ora")
    async with palimpsest.client() as client:
        await client.add("Ora paints", user_id="ora", kind="fact")
        process = await start(palimpsest, "workspace", str(tmp_path / "notes"), "--user", "ora")
        try:
            await notes.until(lambda text: "- Ora paints <!-- " in text)
            code, told = await command(palimpsest, "workspace", str(tmp_path / "notes"))
            assert (code, "one is enough" in told) == (1, True)
            notes.replace("Ora paints", "Ora paints barns")
            await until_listed(client, "ora", {"Ora paints barns"}, Status.ACTIVE)
            await client.add("Ora sings", user_id="ora", kind="fact")
            await notes.until(lambda text: "- Ora sings <!-- " in text)
        finally:
            process.send_signal(signal.SIGINT)
            output, _ = await process.communicate()
    assert (process.returncode, b"Traceback" in output, b"error" in output) == (0, False, False)


async def start(running: RunningPalimpsest, *arguments: str) -> asyncio.subprocess.Process:
    """Start `palimpsest ...` on the data of this instance."""
    return await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("palimpsest"),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "PALIMPSEST_DATA_DIRECTORY": str(running.directory)},
    )
