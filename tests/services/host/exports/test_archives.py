"""An archive holds all that an export says, in order, and becomes another user's again."""

import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from palimpsest.api.exports import ExportedMemory, ImportResult
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.memory import Status
from palimpsest.model.todo import Todo, TodoState
from services.host.exports.archive_format import MEMBERS, read_manifest, read_records
from services.host.imports import import_archive
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import UnreadableImport
from tests.support.services.console.routes.world import World
from tests.support.services.host.archives import BO, archive_of, populated, seen


async def todos(world: World, user_id: str) -> dict[str, Todo]:
    ids = [memory.id for memory in (await seen(world, user_id)).values()]
    return {todo.content: todo for todo in await world.todos.by_ids({user_id: ids})}


async def test_an_archive_imported_by_another_user_is_the_same_again(tmp_path: Path) -> None:
    world = await populated()
    file = await archive_of(world, "ann", tmp_path)
    report = ImportReport()
    with zipfile.ZipFile(file) as archive:
        batches = list(import_archive._batches(archive, report))
    async with world.http as http:
        for _ in range(2):
            world.clock.advance(timedelta(minutes=1))
            for batch in batches:
                body = {"memories": [memory.model_dump(mode="json") for memory in batch]}
                answer = await http.post("/v1/import", params=BO, json=body)
                assert answer.status_code == 200, answer.text
    again = ImportResult.model_validate_json(answer.content)
    before, after = await seen(world, "ann"), await seen(world, "bo")
    assert (again.taken, again.known) == (0, len(before))
    assert {memory.status for memory in before.values()} == {
        Status.ACTIVE,
        Status.SUPERSEDED,
        Status.ARCHIVED,
        Status.FORGOTTEN,
    }
    apart = {"id", "scope", "version", "epoch", "supersedes", "superseded_by"}
    assert {content: memory.model_dump(exclude=apart) for content, memory in after.items()} == {
        content: memory.model_dump(exclude=apart) for content, memory in before.items()
    }
    own, theirs = await todos(world, "ann"), await todos(world, "bo")
    assert {todo.state for todo in own.values()} == {TodoState.OPEN, TodoState.DONE}
    apart = {"id", "scope", "version", "epoch"}
    assert {name: todo.model_dump(exclude=apart) for name, todo in theirs.items()} == {
        name: todo.model_dump(exclude=apart) for name, todo in own.items()
    }


async def test_what_was_said_comes_in_order_and_is_not_understood_anew(tmp_path: Path) -> None:
    file = await archive_of(await populated(), "ann", tmp_path)
    report = ImportReport()
    with zipfile.ZipFile(file) as archive:
        conversations = list(import_archive._conversations(archive, "bo", report))
    events = [
        event for imported_conversation in conversations for event in imported_conversation.events
    ]
    messages = [event for event in events if isinstance(event, MessageAdded)]
    assert [(message_added.session_id, message_added.text) for message_added in messages] == [
        ("a", "# not a heading"),
        ("s", "message 1"),
        ("s", "message 2"),
        ("s", "message 3"),
    ]
    assert all(
        message_added.understood and message_added.user_id == "bo" for message_added in messages
    )
    assert sum(isinstance(event, SessionEnded) for event in events) == 2
    assert (report.taken["messages"], report.taken["conversations"]) == (4, 2)


async def test_an_archive_says_what_it_is_and_can_be_read_by_people(tmp_path: Path) -> None:
    file = await archive_of(await populated(), "ann", tmp_path)
    with zipfile.ZipFile(file) as archive:
        manifest = read_manifest(archive)
        assert {*MEMBERS.values(), "memories.md", "conversations.md"} < set(archive.namelist())
        for record, count in manifest.counts.items():
            assert len(list(read_records(archive, record))) == count
        ids = [
            memory.memory.id
            for memory in read_records(archive, "memory")
            if isinstance(memory, ExportedMemory)
        ]
        pages = [archive.read(name).decode() for name in ("memories.md", "conversations.md")]
    assert ids == sorted(ids)
    assert (manifest.version, manifest.user_id) == (1, "ann")
    assert "- 住在丹佛 (since 2026-03-" in pages[0]
    assert "forgotten)" in pages[0]
    assert pages[1].index("message 1") < pages[1].index("message 2")
    assert "\n> # not a heading\n" in pages[1]
    counts = dict.fromkeys(manifest.counts, 1_000)
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(tmp_path / "lies.zip", "w") as lying:
        for name in MEMBERS.values():
            lying.writestr(name, archive.read(name))
        lying.writestr(
            "manifest.json", manifest.model_copy(update={"counts": counts}).model_dump_json()
        )
    report = ImportReport()
    import_archive.count_archive(tmp_path / "lies.zip", report)
    assert report.taken["memories"] == manifest.counts["memory"]
    assert report.taken["questions"] == manifest.counts.get("question", 0)
    assert report.left_out[LeftOut.HISTORY] > 0


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"a.txt": ""}, "is no archive of"),
        ({"manifest.json": "[]"}, "not understood"),
        ({"manifest.json": json.dumps({"version": 99})}, "version 99: upgrade"),
    ],
)
def test_a_file_that_is_no_archive_is_refused_in_words(
    members: dict[str, str], words: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(UnreadableImport, match=words):
        import_archive.count_archive(file, ImportReport())
    with pytest.raises(UnreadableImport, match="cannot be read"):
        import_archive.count_archive(tmp_path / "nowhere.zip", ImportReport())
