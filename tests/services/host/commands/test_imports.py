"""Imported files are read as they were written, or refused before anything is published."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import SecretStr
from typer.testing import CliRunner

from palimpsest.client import NotAllowed
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.errors import PermanentError
from palimpsest.model.turn import Role
from palimpsest_server.runtime.settings import Settings
from services.host.commands.imports import import_conversations as import_command
from services.host.imports import import_formats, publish_conversations
from services.host.imports.import_formats import (
    ImportFormat,
    guess_format,
    read_conversations,
    read_event_lines,
)
from services.host.imports.instance_addresses import InstanceAddresses, find_instance_addresses
from services.host.imports.json_stream import UnreadableImport
from tests.support.lab.datasets import TINY
from tests.support.services.console.routes.world import World
from tests.support.serving import serving


def line(user: str, number: int, text: str = "I moved to Oslo.", **fields: Any) -> str:
    event = {
        "type": "MessageAdded",
        "occurred_at": f"2026-03-0{number}T09:00:00Z",
        "user_id": user,
        "session_id": "s1",
        "message_id": str(number),
        "role": "user",
        "text": text,
    }
    return json.dumps({**event, **fields}, ensure_ascii=False)


ENDED = json.dumps(
    {
        "type": "SessionEnded",
        "occurred_at": "2026-03-09T09:00:00Z",
        "user_id": "ann",
        "session_id": "s1",
    }
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "talk.jsonl"
    lines = [
        line("ann", 1),
        line("bo", 1, "我搬到杭州了。"),
        "",
        line("ann", 2, role="assistant"),
        ENDED,
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_events_are_read_by_user_in_the_order_of_the_lines(file: Path) -> None:
    ann, bo = read_event_lines(file)
    assert (ann.user_id, bo.user_id) == ("ann", "bo")
    assert [type(event) for event in ann.events] == [MessageAdded, MessageAdded, SessionEnded]
    assert [message.role for message in ann.messages] == [Role.USER, Role.AGENT]
    assert [message.text for message in bo.messages] == ["我搬到杭州了。"]
    assert [found.user_id for found in read_conversations(file, ImportFormat.EVENTS, 1)] == ["ann"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no event"),
        ("\n\n", "holds no event"),
        (line("ann", 1) + "\n{", "line 2 is no JSON"),
        ("[1]", "line 1 is no JSON object"),
        ('{"type": "Gossip"}', "line 1 is no event: type: must be one of"),
        (line("ann", 1, speed="fast"), "line 1 is no event: speed"),
        (line("ann", 1, occurred_at="yesterday"), "line 1 is no event: occurred_at"),
        (line("ann", 1, "  "), "line 1 is no event: text"),
    ],
)
def test_a_line_that_is_no_event_is_named(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableImport, match=words):
        read_event_lines(file)


def test_a_message_over_the_limit_is_read_in_parts_whatever_the_format(tmp_path: Path) -> None:
    long = "我住在杭州。\n\n" * 5_000
    events = tmp_path / "talk.jsonl"
    events.write_text("\n".join((line("ann", 1, long), line("ann", 2))), encoding="utf-8")
    turn = {"dia_id": "D1:1", "speaker": "Ann", "text": long}
    spoken = {"session_1_date_time": "1:56 pm on 8 May, 2026", "session_1": [turn]}
    dialogues = tmp_path / "locomo.json"
    dialogues.write_text(json.dumps([{"sample_id": "ann", "conversation": spoken}]))

    (by_line,) = read_conversations(events, ImportFormat.EVENTS)
    (by_turn,) = read_conversations(dialogues, ImportFormat.LOCOMO)

    assert [message.message_id for message in by_line.messages] == ["1", "1/2", "2"]
    assert [message.message_id for message in by_turn.messages] == ["D1:1", "D1:1/2"]
    for conversation in (by_line, by_turn):
        first, second = conversation.messages[:2]
        assert f"{first.text}{second.text}".rstrip() == long.rstrip()
        assert second.reply_to == first.message_id
        assert conversation.parts == 1


def test_a_turn_that_is_no_message_is_named(tmp_path: Path) -> None:
    turn = {"dia_id": "D1:7", "speaker": "Ann", "text": "  "}
    spoken = {"session_1_date_time": "1:56 pm on 8 May, 2026", "session_1": [turn]}
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "ann", "conversation": spoken}]))
    with pytest.raises(PermanentError, match=r"D1:7|text"):
        read_conversations(file, ImportFormat.LOCOMO)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UnreadableImport, match=r"talk\.jsonl"):
        read_event_lines(file)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("talk.jsonl", ImportFormat.EVENTS),
        ("locomo10.json", ImportFormat.LOCOMO),
        ("talk", ImportFormat.LOCOMO),
    ],
)
def test_the_format_is_guessed_by_the_name(name: str, written: ImportFormat) -> None:
    assert guess_format(Path(name)) is written


def test_the_lab_reads_the_formats_of_benchmarks() -> None:
    first, second = read_conversations(TINY, ImportFormat.LOCOMO)
    assert len(first.messages) + len(second.messages) == 9


def test_without_the_lab_its_formats_are_refused_and_events_are_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_formats, "find_spec", lambda _: None)
    with pytest.raises(PermanentError, match="uv sync --extra lab"):
        read_conversations(TINY, ImportFormat.LOCOMO)
    assert len(read_conversations(file, ImportFormat.EVENTS)) == 2


def test_where_nothing_runs_the_addresses_are_those_of_the_settings(tmp_path: Path) -> None:
    settings = Settings(
        _env_file=None, data_directory=tmp_path, http_port=8123, kafka_topic_prefix="test."
    )
    found = find_instance_addresses(settings)
    assert (found.http_url, found.kafka_topic_prefix) == ("http://127.0.0.1:8123", "test.")


def test_an_import_that_is_interrupted_says_that_it_can_be_gone_on_with(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    monkeypatch.setattr(publish_conversations, "import_conversations", interrupted)
    importing = typer.Typer()
    importing.command()(import_command)
    result = CliRunner().invoke(importing, [str(file)])
    assert result.exit_code == 130
    assert "Import the file again for the rest; nothing happens twice." in result.stderr


async def test_where_a_key_is_asked_for_that_is_said_before_anything_is_published(
    file: Path,
) -> None:
    world = World()
    world.settings = Settings().model_copy(update={"api_key": SecretStr("a key of this test")})
    published: list[int] = []
    async with serving(world.application) as address:
        nowhere = InstanceAddresses(http_url=address, kafka_bootstrap_servers="127.0.0.1:1")
        with pytest.raises(NotAllowed, match="PALIMPSEST_API_KEY"):
            await publish_conversations.import_conversations(
                nowhere, read_event_lines(file), progress=published.append
            )
    assert published == []
