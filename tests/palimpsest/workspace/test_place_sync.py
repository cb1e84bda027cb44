"""Files and memories of one scope come to the same state, whatever happens in between."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.workspace.place_files import Disk, PlaceFiles
from palimpsest.workspace.place_sync import PlaceSync, SyncReport
from tests.support.palimpsest.workspace.remembering import RememberingServices

ADA = Scope(user_id="ada")
MEMORY, LEARNINGS = MemoryFile.MEMORY, MemoryFile.LEARNINGS


class Desk:
    """The files of Ada, and the services that remember for her."""

    def __init__(self, root: Path) -> None:
        self.services = RememberingServices()
        self.files = PlaceFiles(root, ADA, Disk())
        self.sync = PlaceSync(ADA, self.files, self.services)
        self.root = root

    async def run(
        self, *, confirmed: bool = False, dry_run: bool = False, only_latest: bool = False
    ) -> SyncReport:
        return await self.sync.run(confirmed=confirmed, dry_run=dry_run, only_latest=only_latest)

    def text(self, file: MemoryFile = MEMORY) -> str:
        return self.files.path(file).read_text()

    def save(self, text: str, file: MemoryFile = MEMORY) -> None:
        """Save as editors do: through a temporary file."""
        path = self.files.path(file)
        temporary = path.with_name("4913~")
        temporary.write_text(text)
        temporary.replace(path)

    def replace(self, old: str, new: str) -> None:
        before = self.text()
        self.save(before.replace(old, new, 1))
        assert self.text() != before

    def drop(self, *words: str) -> None:
        lines = self.text().split("\n")
        self.save("\n".join(line for line in lines if not any(word in line for word in words)))


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "workspace")
    for number in range(10):
        desk.services.remember(ADA, f"fact {number}")
    await desk.run()
    return desk


async def test_files_are_written_once_and_only_when_something_changed(desk: Desk) -> None:
    written = {file: desk.files.path(file).stat() for file in MemoryFile}
    report = await desk.run()
    assert (report.written, report.commands) == ([], [])
    assert {file: desk.files.path(file).stat() for file in MemoryFile} == written
    desk.services.remember(ADA, "always test", Kind.LESSON)
    assert (await desk.run()).written == [LEARNINGS]


async def test_files_and_folders_are_for_their_owner_alone(desk: Desk) -> None:
    for path in [desk.root, *desk.root.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


async def test_an_edit_reaches_the_memory_and_nothing_is_sent_twice(desk: Desk) -> None:
    desk.replace("fact 3", "fact three")
    report = await desk.run()
    assert [command.content for command in report.commands] == ["fact three"]
    assert "fact three" in desk.services.contents
    assert (await desk.run()).commands == []
    assert len(desk.services.effects) == 1


async def test_a_new_line_is_remembered_and_gets_its_id(desk: Desk) -> None:
    desk.replace("## Goals · 目标计划", "## Goals · 目标计划\n- run far")
    await desk.run()
    [goal] = [m for m in desk.services.memories.values() if m.content == "run far"]
    assert goal.kind is Kind.GOAL
    assert f"- run far <!-- {goal.id[:8]} -->" in desk.text()


async def test_lines_stay_in_the_order_in_which_a_person_put_them(desk: Desk) -> None:
    line = next(line for line in desk.text().split("\n") if "fact 9" in line)
    desk.drop("fact 9")
    desk.replace("- fact 0", f"- first of all\n{line}\n- fact 0")
    await desk.run()
    order = [line[2:8] for line in desk.text().split("\n") if line.startswith("- f")]
    assert order == ["first ", "fact 9", *[f"fact {number}" for number in range(9)]]
    assert (await desk.run()).commands == []


async def test_a_memory_that_was_learned_while_an_editor_was_open_is_not_forgotten(
    desk: Desk,
) -> None:
    opened = desk.text()
    desk.services.remember(ADA, "learned meanwhile")
    await desk.run()
    desk.save(opened.replace("fact 3", "fact three"))
    await desk.run()
    assert {"learned meanwhile", "fact three"} <= set(desk.services.contents)
    assert "learned meanwhile" in desk.text()


async def test_a_line_that_was_forgotten_while_an_editor_was_open_does_not_come_back(
    desk: Desk,
) -> None:
    opened = desk.text()
    [gone] = [m.id for m in desk.services.memories.values() if m.content == "fact 5"]
    desk.services.forget(gone)
    await desk.run()
    desk.save(opened.replace("fact 3", "fact three"))
    await desk.run()
    assert "fact 5" not in desk.services.contents
    assert "fact 5" not in desk.text()


@pytest.mark.parametrize("confirmed", [False, True])
async def test_a_file_that_git_put_back_loses_nothing_unless_it_is_confirmed(
    desk: Desk, *, confirmed: bool
) -> None:
    committed = desk.text()
    desk.replace("fact 3", "fact three")
    desk.services.remember(ADA, "learned meanwhile")
    await desk.run()
    desk.save(committed)
    await desk.run(confirmed=confirmed)
    assert ("fact 3" in desk.services.contents) == confirmed
    assert ("learned meanwhile" in desk.services.contents) != confirmed
    assert (desk.text() == committed) == confirmed


async def test_of_a_file_from_elsewhere_no_line_counts_as_gone(desk: Desk) -> None:
    elsewhere = desk.text().replace(desk.text()[-18:-6], "0123456789ab")
    desk.save(elsewhere.replace("fact 3", "fact three"))
    desk.drop("fact 4")
    report = await desk.run()
    assert (report.asked, len(desk.services.contents)) == (1, 10)
    assert "fact three" in desk.services.contents


async def test_a_file_with_conflict_markers_is_neither_read_nor_written(desk: Desk) -> None:
    before = desk.services.contents
    desk.replace("- fact 5", "<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> b\n- fact 5")
    conflict = desk.text()
    desk.services.remember(ADA, "learned meanwhile")
    report = await desk.run()
    assert list(report.held) == [MEMORY]
    assert (desk.text(), desk.services.contents) == (conflict, [*before, "learned meanwhile"])
    desk.save(conflict.replace("<<<<<<< HEAD\n", "").replace("=======\n- theirs\n>>>>>>> b\n", ""))
    await desk.run()
    assert "mine" in desk.services.contents
    assert "theirs" not in desk.services.contents
    assert "learned meanwhile" in desk.text()


async def test_a_file_that_is_no_text_is_left_alone(desk: Desk) -> None:
    desk.files.path(MEMORY).write_bytes(b"\xff\xfe\x00")
    report = await desk.run()
    assert list(report.held) == [MEMORY]
    assert desk.files.path(MEMORY).read_bytes() == b"\xff\xfe\x00"
    assert len(desk.services.contents) == 10


@pytest.mark.parametrize("broken", ["missing", "empty", "truncated", "shortened"])
async def test_gone_lines_come_back_until_their_question_is_ticked(desk: Desk, broken: str) -> None:
    whole = desk.text()
    if broken == "missing":
        desk.files.path(MEMORY).unlink()
    elif broken == "shortened":
        desk.drop("fact 3", "fact 4", "fact 5")
    else:
        desk.save("" if broken == "empty" else whole[: whole.index("fact 5") + 3])
    report = await desk.run()
    assert report.asked == {"missing": 10, "empty": 10, "truncated": 5, "shortened": 3}[broken]
    assert [line for line in desk.text().split("\n") if "confirm" not in line and line] == [
        line for line in whole.split("\n") if line
    ]
    assert len(desk.services.contents) == 10
    assert (await desk.run()).written == []
    desk.replace("- [ ]", "- [x]")
    await desk.run()
    assert len(desk.services.contents) == 10 - report.asked
    assert "confirm" not in desk.text()


async def test_a_question_that_is_deleted_keeps_the_memories(desk: Desk) -> None:
    desk.save("")
    await desk.run()
    desk.drop("confirm")
    await desk.run()
    assert len(desk.services.contents) == 10
    assert "confirm" not in desk.text()


async def test_a_person_may_confirm_by_an_option(desk: Desk) -> None:
    desk.save("")
    await desk.run(confirmed=True)
    assert desk.services.contents == []


async def test_words_that_are_refused_stay_with_the_reason(desk: Desk) -> None:
    desk.services.refusing = "forbidden"
    desk.replace("- fact 3", "- forbidden new\n- fact 3")
    desk.replace("fact 7", "forbidden edit")
    report = await desk.run()
    assert len(report.refused) == 2
    for words in ("- forbidden new", "- forbidden edit", "- fact 7", ": too - large -->"):
        assert words in desk.text()
    assert (await desk.run()).commands == []
    desk.services.refusing = None
    desk.replace("forbidden new", "allowed")
    await desk.run()
    assert "allowed" in desk.services.contents
    assert "- allowed <!-- " in desk.text()


async def test_an_edit_that_always_comes_too_late_ends_and_is_told(desk: Desk) -> None:
    desk.services.outdating = set(desk.services.memories)
    line = next(line for line in desk.text().split("\n") if "fact 9" in line)
    desk.drop("fact 9")
    desk.replace("## Goals · 目标计划", f"## Goals · 目标计划\n{line}")
    desk.replace("fact 3", "fact three")
    await desk.run()
    assert desk.files.load_state().journal == ()
    assert "\n- fact three\n" in desk.text()
    assert "changed at the same time" in desk.text()
    assert desk.text().index("- fact 9") < desk.text().index("## Goals")
    assert (await desk.run()).commands == []


async def test_while_memory_is_off_nothing_is_read_or_written(desk: Desk) -> None:
    desk.services.memory_on = False
    desk.replace("fact 3", "fact three")
    edited = desk.text()
    report = await desk.run()
    assert report.outcome == "memory_off"
    assert (desk.text(), report.commands) == (edited, [])


async def test_a_dry_run_says_what_would_be_and_does_nothing(desk: Desk) -> None:
    desk.replace("fact 3", "fact three")
    edited = {path: path.read_bytes() for path in desk.root.rglob("*") if path.is_file()}
    report = await desk.run(dry_run=True)
    assert [command.action for command in report.commands] == ["edit"]
    assert {path: path.read_bytes() for path in desk.root.rglob("*") if path.is_file()} == edited
    assert "fact 3" in desk.services.contents


async def test_with_what_was_erased_its_older_snapshots_go(desk: Desk) -> None:
    for memory_id in list(desk.services.memories):
        desk.services.forget(memory_id)
    await desk.run(only_latest=True)
    everything = b"".join(path.read_bytes() for path in desk.root.rglob("*") if path.is_file())
    assert b"fact" not in everything


@pytest.mark.parametrize("wrote_before", [True, False])
async def test_erasing_everything_empties_the_files_of_what_was_written_before(
    desk: Desk, *, wrote_before: bool
) -> None:
    desk.replace("- fact 3", "some prose\n- a new line\n- fact 3")
    for memory_id in list(desk.services.memories):
        desk.services.forget(memory_id)
    written = desk.files.path(MEMORY).stat().st_mtime
    moment = datetime.fromtimestamp(written + (5 if wrote_before else -5), UTC)
    await desk.sync.run(erased_at=moment, only_latest=True)
    assert desk.services.contents == ([] if wrote_before else ["a new line"])
    assert ("some prose" in desk.text()) != wrote_before
    assert "fact" not in desk.text()


async def test_a_person_who_saves_while_commands_are_sent_is_not_overwritten(desk: Desk) -> None:
    saves = iter(["fact five"])

    def save_once() -> None:
        for words in saves:
            desk.replace("fact 5", words)

    desk.services.before_sending = save_once
    desk.replace("fact 3", "fact three")
    await desk.run()
    assert {"fact three", "fact five"} <= set(desk.services.contents)
    assert "fact five" in desk.text()


async def test_where_nothing_is_remembered_no_file_is_made(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "workspace")
    await desk.run()
    assert not desk.root.exists()


async def test_a_lost_state_forgets_nothing_and_keeps_the_persons_words(desk: Desk) -> None:
    desk.replace("fact 3", "fact three")
    desk.drop("fact 4")
    for path in (desk.root / ".palimpsest").rglob("*.json"):
        path.write_text("{")
    await desk.run()
    assert sorted(desk.services.contents) == sorted(
        [*[f"fact {number}" for number in range(10) if number != 3], "fact three"]
    )
