"""A folder of files: whose they are, one program at a time, and changes with or without events."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.workspace import folder_changes
from palimpsest.workspace.describe_report import build_report_fields, describe_report
from palimpsest.workspace.folder_changes import tells_events, watch_files
from palimpsest.workspace.place_files import PlaceState
from palimpsest.workspace.place_sync import PlaceSync, SyncReport
from palimpsest.workspace.workspace_folder import WorkspaceFolder, WorkspaceInUse
from tests.support.palimpsest.workspace.remembering import RememberingServices

LONG = Scope(user_id="long " * 50)
ADA = Scope(user_id="ada", agent_id="poet")


def test_two_programs_never_look_after_one_folder(tmp_path: Path) -> None:
    with WorkspaceFolder(tmp_path).claim():
        with pytest.raises(WorkspaceInUse), WorkspaceFolder(tmp_path).claim():
            pass
        assert (tmp_path / ".palimpsest/.gitignore").read_text() == "*\n"
    with WorkspaceFolder(tmp_path).claim():
        pass


def test_a_scope_is_known_by_its_folder_or_by_what_was_kept_of_it(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    for scope in (LONG, ADA):
        path = folder.place(scope).path(MemoryFile.MEMORY)
        path.parent.mkdir(parents=True)
        path.write_text("")
    assert folder.list_scopes() == {ADA}
    folder.place(LONG).save_state(PlaceState(scope=LONG))
    assert folder.list_scopes() == {ADA, LONG}
    assert folder.find_scope(folder.place(LONG).path(MemoryFile.LEARNINGS)) == LONG
    assert folder.find_scope(tmp_path / "README.md") is None
    assert folder.find_scope(tmp_path.parent / "memory.md") is None


def test_a_position_is_kept_for_each_stream(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    assert folder.load_position("one") is None
    folder.save_position("one", "3.1.0")
    assert (folder.load_position("one"), folder.load_position("other")) == ("3.1.0", None)


@pytest.mark.parametrize("has_events", [True, False])
async def test_a_saved_file_is_told_with_events_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_events: bool
) -> None:
    async def answer(_: Path) -> bool:
        return has_events

    monkeypatch.setattr(folder_changes, "tells_events", answer)
    monkeypatch.setattr(folder_changes, "POLL_MILLISECONDS", 20)
    path = tmp_path / "ada/poet/context/memory.md"
    path.parent.mkdir(parents=True)
    path.write_text("before")

    async def save() -> None:
        number = 0
        while True:
            number += 1
            temporary = path.with_name("memory.md.tmp")
            temporary.write_text(f"after {number}")
            temporary.replace(path)
            await asyncio.sleep(0.05)

    saving = asyncio.create_task(save())
    try:
        async with asyncio.timeout(60), aclosing(watch_files(tmp_path)) as changes:
            assert await anext(changes) == {path}
    finally:
        saving.cancel()


async def test_a_folder_on_this_disk_tells_its_events(tmp_path: Path) -> None:
    assert await tells_events(tmp_path)


async def test_a_report_is_told_in_words_without_content_and_as_json(tmp_path: Path) -> None:
    services = RememberingServices()
    services.remember(ADA, "secret words")
    place = WorkspaceFolder(tmp_path).place(ADA)
    sync = PlaceSync(ADA, place, services)
    await sync.run()
    path = place.path(MemoryFile.MEMORY)
    path.write_text(path.read_text().replace("secret", "other"))
    report = await sync.run()
    assert list(describe_report(report)) == ["ada/poet: 1 changed, wrote memory.md"]
    fields = build_report_fields(report)
    assert fields["commands"][0]["content"] == "other words"
    path.write_text("")
    [words] = [line for line in describe_report(await sync.run()) if "gone" in line]
    assert words.startswith("ada/poet: 1 lines were gone")
    services.memory_on = False
    assert "memory is off" in next(describe_report(await sync.run()))
    assert SyncReport(ADA).is_empty
