"""Exports of other systems: what is taken of each, and what is left out and why."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from palimpsest.events.conversations import (
    MessageAdded,
    RememberRequested,
    SessionEnded,
    SessionStarted,
)
from palimpsest.events.envelope import Event
from palimpsest.model.turn import Role
from services.host.commands.imports import import_conversations as import_command
from services.host.imports.foreign_messages import ImportTarget
from services.host.imports.import_formats import FOREIGN_READERS, ImportFormat
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.json_stream import ImportFile, UnreadableImport

EXPORTS = Path(__file__).parent / "exports"
FILES = {
    ImportFormat.CHATGPT: "chatgpt.json",
    ImportFormat.CLAUDE: "claude.json",
    ImportFormat.MESSAGES: "messages.jsonl",
    ImportFormat.MEM0: "mem0.json",
    ImportFormat.ZEP: "zep.json",
}
ANN = ImportTarget(user_id="ann", project_id="old")


def read(written: ImportFormat, file: Path | None = None) -> tuple[list[Event], ImportReport]:
    reader, report = FOREIGN_READERS[written], ImportReport()
    source = ImportFile(file or EXPORTS / FILES[written], members=reader.members)
    found = [
        event
        for imported_conversation in reader.read(source, ANN, report)
        for event in imported_conversation.events
    ]
    return found, report


def told(events: list[Event]) -> list[tuple[str, str, Role, str]]:
    return [
        (message_added.session_id, message_added.message_id, message_added.role, message_added.text)
        for message_added in events
        if isinstance(message_added, MessageAdded)
    ]


def left_out(report: ImportReport) -> dict[LeftOut, int]:
    return {reason: count for reason, count in report.left_out.items() if count}


def test_of_chatgpt_the_branch_that_was_seen_last_is_taken() -> None:
    events, report = read(ImportFormat.CHATGPT)
    assert told(events) == [
        ("c-1", "m3", Role.USER, "I moved to Oslo in March and I am allergic to peanuts."),
        ("c-1", "m5", Role.AGENT, "Noted, enjoy Oslo."),
        ("c-1", "m6", Role.USER, "这是我的新厨房。"),
        ("c-1", "m9", Role.AGENT, "The kitchen looks bright."),
    ]
    started, *_, ended = events
    assert isinstance(started, SessionStarted)
    assert started.topic == "Tea and moving"
    assert isinstance(ended, SessionEnded)
    assert {event.project_id for event in events} == {"old"}
    assert events[1].occurred_at.isoformat() == "2026-03-02T09:00:01.250000+00:00"
    assert report.taken == {"messages": 4, "conversations": 1}
    assert left_out(report) == {
        LeftOut.HIDDEN: 2,
        LeftOut.SYSTEM: 1,
        LeftOut.TOOL: 2,
        LeftOut.THOUGHTS: 1,
        LeftOut.OTHER_BRANCH: 1,
        LeftOut.ATTACHMENT: 1,
        LeftOut.UNREADABLE: 1,
    }


def test_of_claude_words_are_taken_and_thoughts_and_tools_counted() -> None:
    events, report = read(ImportFormat.CLAUDE)
    assert told(events) == [
        ("k-1", "u1", Role.USER, "I run ten kilometres every Sunday."),
        ("k-1", "u3", Role.AGENT, "That is a good habit."),
        ("k-2", "v1", Role.USER, "我每天早上喝绿茶。"),
    ]
    assert report.taken == {"messages": 3, "conversations": 2}
    assert left_out(report) == {
        LeftOut.THOUGHTS: 1,
        LeftOut.TOOL: 2,
        LeftOut.OTHER_BRANCH: 1,
        LeftOut.ATTACHMENT: 2,
        LeftOut.EMPTY: 1,
    }


def test_of_lines_of_messages_each_session_is_a_conversation() -> None:
    events, report = read(ImportFormat.MESSAGES)
    assert told(events) == [
        ("s-1", "one", Role.USER, "I am learning Norwegian."),
        ("s-1", "3", Role.AGENT, "Lykke til!"),
        ("s-2", "6", Role.USER, "我住在奥斯陆。"),
    ]
    first = next(
        message_added for message_added in events if isinstance(message_added, MessageAdded)
    )
    assert (first.speaker, first.utc_offset_minutes) == ("Ann", 60)
    assert left_out(report) == {
        LeftOut.SYSTEM: 1,
        LeftOut.TOOL: 1,
        LeftOut.EMPTY: 1,
        LeftOut.ATTACHMENT: 1,
        LeftOut.NO_TIME: 1,
    }


def test_messages_of_one_session_have_ids_of_their_own_and_end_it_once(tmp_path: Path) -> None:
    at = "2026-03-02T09:00:00Z"
    said = [
        {"role": "user", "content": f"Tea {n}", "time": at, "session": n // 40, "id": n}
        for n in range(520)
    ]
    file = tmp_path / "sessions.jsonl"
    file.write_text(
        "\n".join(json.dumps(each) for each in [*said, {**said[-1], "content": "Milk"}])
    )
    events, report = read(ImportFormat.MESSAGES, file)
    assert (len(told(events)), report.taken["conversations"]) == (520, 13)
    assert sum(isinstance(event, SessionEnded) for event in events) == 13
    assert left_out(report) == {LeftOut.SAME_ID: 1}


def test_of_mem0_what_has_not_expired_is_remembered() -> None:
    events, report = read(ImportFormat.MEM0)
    asked = [
        remember_requested
        for remember_requested in events
        if isinstance(remember_requested, RememberRequested)
    ]
    assert [
        (remember_requested.content, remember_requested.agent_id, remember_requested.tags)
        for remember_requested in asked
    ] == [
        ("Is allergic to peanuts", "cook", ("health",)),
        ("住在奥斯陆", None, ()),
    ]
    assert [remember_requested.source.value for remember_requested in asked] == ["import", "import"]
    assert asked[0].data == {"where": "at school"}
    assert asked[1].occurred_at.month == 3
    assert left_out(report) == {LeftOut.EXPIRED: 1, LeftOut.NO_TIME: 1, LeftOut.UNREADABLE: 1}


def test_of_zep_threads_and_facts_that_hold_are_taken() -> None:
    events, report = read(ImportFormat.ZEP)
    assert told(events) == [
        ("t-1", "z1", Role.USER, "I play the cello."),
        ("t-1", "z2", Role.AGENT, "Since when?"),
    ]
    asked = [
        remember_requested
        for remember_requested in events
        if isinstance(remember_requested, RememberRequested)
    ]
    assert [
        (remember_requested.content, remember_requested.occurred_at.day)
        for remember_requested in asked
    ] == [("Ann lives in Oslo", 1)]
    assert left_out(report) == {LeftOut.TOOL: 1, LeftOut.SYSTEM: 1, LeftOut.NO_LONGER_HOLDS: 1}


@pytest.mark.parametrize("written", [ImportFormat.CHATGPT, ImportFormat.CLAUDE])
def test_the_zip_file_that_a_vendor_sends_is_read_as_it_is(
    written: ImportFormat, tmp_path: Path
) -> None:
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(EXPORTS / FILES[written], "data/conversations.json")
        archive.writestr("user.json", "{}")
    assert told(read(written, packed)[0]) == told(read(written)[0])


@pytest.mark.parametrize(("written", "name"), FILES.items())
def test_a_file_that_breaks_off_is_refused_in_words(
    written: ImportFormat, name: str, tmp_path: Path
) -> None:
    broken = tmp_path / name
    broken.write_bytes((EXPORTS / name).read_bytes()[:-60])
    with pytest.raises(UnreadableImport, match="is no JSON"):
        read(written, broken)
    with pytest.raises(UnreadableImport, match="cannot be read"):
        read(written, tmp_path / "nowhere")


def test_a_message_over_the_limit_is_taken_in_parts_that_are_counted(tmp_path: Path) -> None:
    long = {"role": "user", "time": "2026-03-02T09:00:00Z", "content": "Tea.\n\n" * 20_000}
    file = tmp_path / "long.jsonl"
    file.write_text(json.dumps(long))
    events, report = read(ImportFormat.MESSAGES, file)
    assert [
        message_added.message_id
        for message_added in events
        if isinstance(message_added, MessageAdded)
    ] == ["1", "1/2"]
    assert (report.taken["messages"], report.parts) == (1, 1)


def test_one_item_is_in_memory_at_a_time(tmp_path: Path) -> None:
    (item, *_) = json.loads((EXPORTS / "chatgpt.json").read_text())
    file = tmp_path / "many.json"
    with file.open("w") as many:
        many.write("[" + ",".join([json.dumps(item)] * 400) + "]")
    source, report = ImportFile(file), ImportReport()
    seen: list[int] = []
    source.progress = seen.append
    conversations: Iterator[Any] = FOREIGN_READERS[ImportFormat.CHATGPT].read(source, ANN, report)
    next(conversations)
    assert sum(seen) < file.stat().st_size / 4
    assert len(list(conversations)) == 399
    assert sum(seen) == source.total_bytes()


def run(*arguments: str) -> Any:
    importing = typer.Typer()
    importing.command()(import_command)
    return CliRunner().invoke(importing, list(arguments))


def test_a_dry_run_says_what_would_be_taken_and_reaches_nobody() -> None:
    file = str(EXPORTS / "chatgpt.json")
    said = run(file, "--format", "chatgpt", "--user", "ann", "--dry-run")
    assert said.exit_code == 0, said.output
    assert "Nothing was imported" in said.output
    assert "taken: 4 messages, 1 conversations" in said.output
    assert "left out: 1 messages of other branches" in said.output
    figures = json.loads(
        run(file, "--format", "chatgpt", "--user", "ann", "--dry-run", "--json").stdout
    )
    assert (figures["dry_run"], figures["turns"], figures["taken"]["messages"]) == (True, 4, 4)
    assert figures["left_out"]["hidden messages"] == 2


def test_whose_it_is_has_to_be_said() -> None:
    said = run(str(EXPORTS / "claude.json"), "--format", "claude", "--dry-run")
    assert said.exit_code == 2
    assert "--user" in said.output
