"""A process that dies between any two steps loses no edit and repeats no command."""

from pathlib import Path

import pytest

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.workspace.place_files import PlaceFiles
from palimpsest.workspace.place_sync import PlaceSync
from tests.support.palimpsest.workspace.dying import Died, DyingDisk, StepCounter
from tests.support.palimpsest.workspace.remembering import RememberingServices

ADA = Scope(user_id="ada")


class Attempt:
    """An edited file, and a process that dies before its step `dies_at`."""

    def __init__(self, root: Path) -> None:
        self.services = RememberingServices()
        self.counter = StepCounter()
        self.files = PlaceFiles(root, ADA, DyingDisk(self.counter))
        self.services.before_sending = self.counter.step

    async def prepare(self) -> None:
        for number in range(6):
            self.services.remember(ADA, f"fact {number}")
        await self.start()
        self.edit("fact 1", "fact one")
        self.edit("- fact 2", "- new line\n- fact 2")
        lines = self.text.split("\n")
        self.path.write_text("\n".join(line for line in lines if "fact 4" not in line))
        self.services.remember(ADA, "learned meanwhile")
        self.counter.count = 0

    async def start(self) -> None:
        """Start a process that knows nothing of the one before."""
        await PlaceSync(ADA, self.files, self.services).run()

    async def start_and_die(self) -> bool:
        """Return whether it died."""
        try:
            await self.start()
        except Died:
            self.counter.dies_at = None
            return True
        return False

    def edit(self, old: str, new: str) -> None:
        self.path.write_text(self.text.replace(old, new, 1))

    @property
    def path(self) -> Path:
        return self.files.path(MemoryFile.MEMORY)

    @property
    def text(self) -> str:
        return self.path.read_text()


WANTED = sorted(
    ["fact 0", "fact one", "new line", "fact 2", "fact 3", "fact 5", "learned meanwhile"]
)


async def count_steps(root: Path) -> int:
    attempt = Attempt(root)
    await attempt.prepare()
    await attempt.start()
    assert sorted(attempt.services.contents) == WANTED
    return attempt.counter.count


@pytest.mark.parametrize("saves_again", [False, True])
async def test_a_process_that_dies_before_any_step_is_taken_up_by_the_next(
    tmp_path: Path, *, saves_again: bool
) -> None:
    steps = await count_steps(tmp_path / "whole")
    assert steps > 8
    for step in range(1, steps + 1):
        attempt = Attempt(tmp_path / f"{step}")
        await attempt.prepare()
        attempt.counter.dies_at = step
        assert await attempt.start_and_die()
        if saves_again:
            attempt.edit("new line", "newer line")
        await attempt.start()
        wanted = [words.replace("new ", "newer ") for words in WANTED] if saves_again else WANTED
        assert sorted(attempt.services.contents) == sorted(wanted), step
        commands = 4 if saves_again and "new line" in attempt.services.history else 3
        assert commands <= len(attempt.services.effects) <= commands + saves_again, step
        before, effects = attempt.text, len(attempt.services.effects)
        await attempt.start()
        assert (attempt.text, len(attempt.services.effects)) == (before, effects), step
