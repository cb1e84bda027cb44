"""Bytes in, events or typed reasons out, for every way in which bytes can be wrong."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.events.commands import SetSettings
from palimpsest.events.conversations import MessageAdded, RememberRequested
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS, TOPICS
from palimpsest.model.errors import (
    EventTooLarge,
    InvalidEvent,
    UnknownEventType,
    UnknownMajorVersion,
)
from palimpsest.model.turn import Role
from palimpsest_server.delivery.event_decoder import UndecodableEvent, decode_event

MESSAGE: dict[str, Any] = {
    "type": "MessageAdded",
    "occurred_at": "2026-03-02T12:00:00+08:00",
    "user_id": "小明",
    "session_id": "s",
    "message_id": "m",
    "role": "user",
    "text": "我喜欢喝咖啡 and tea",
}
REMEMBER: dict[str, Any] = {
    "type": "RememberRequested",
    "occurred_at": "2026-03-02T12:00:00Z",
    "user_id": "u",
    "content": "tea",
}
SECRET = "what-the-user-said"


def record(fields: object) -> bytes:
    return json.dumps(fields).encode()


def test_a_message_is_read() -> None:
    event = decode_event(CONVERSATIONS, record(MESSAGE))
    assert isinstance(event, MessageAdded)
    assert event.text == MESSAGE["text"]
    assert event.occurred_at.isoformat() == "2026-03-02T04:00:00+00:00"


def test_an_assistant_is_an_agent() -> None:
    event = decode_event(CONVERSATIONS, record(MESSAGE | {"role": "assistant"}))
    assert isinstance(event, MessageAdded)
    assert event.role is Role.AGENT


def test_what_a_newer_minor_added_is_ignored_at_every_depth() -> None:
    image = {"url": "https://example.org/cat.png", "width": 640}
    event = decode_event(CONVERSATIONS, record(MESSAGE | {"mood": "fine", "images": [image]}))
    assert isinstance(event, MessageAdded)
    assert event.images[0].url == image["url"]


@pytest.mark.parametrize(
    ("changed", "error", "field"),
    [
        ({"type": "Nonsense"}, UnknownEventType, ""),
        ({"type": "SetSettings"}, UnknownEventType, ""),
        ({"type": None}, UnknownEventType, ""),
        ({"type": 7}, UnknownEventType, ""),
        ({"schema_version": 2}, UnknownMajorVersion, "schema_version"),
        ({"schema_version": 10**400}, UnknownMajorVersion, "schema_version"),
        ({"schema_version": 0}, InvalidEvent, "schema_version"),
        ({"schema_version": "1"}, InvalidEvent, "schema_version"),
        ({"schema_version": True}, InvalidEvent, "schema_version"),
        ({"user_id": ""}, InvalidEvent, "user_id"),
        ({"user_id": "x" * 257}, InvalidEvent, "user_id"),
        ({"user_id": None}, InvalidEvent, "user_id"),
        ({"session_id": "a\x00b"}, InvalidEvent, "session_id"),
        ({"message_id": "a\x85b"}, InvalidEvent, "message_id"),
        ({"event_id": "x" * 257}, InvalidEvent, "event_id"),
        ({"role": SECRET}, InvalidEvent, "role"),
        ({"text": ""}, InvalidEvent, "text"),
        ({"text": " \n\t　"}, InvalidEvent, "text"),
        ({"text": "好" * 21_846}, EventTooLarge, "text"),
        ({"text": "x" * 65_537}, EventTooLarge, "text"),
        ({"occurred_at": "2026-03-02T12:00:00"}, InvalidEvent, "occurred_at"),
        ({"occurred_at": SECRET}, InvalidEvent, "occurred_at"),
        ({"images": [{SECRET: 1}]}, InvalidEvent, "images.0.url"),
    ],
)
def test_a_broken_contract_names_the_field_and_never_what_stood_in_it(
    changed: dict[str, Any], error: type[InvalidEvent], field: str
) -> None:
    with pytest.raises(error) as caught:
        decode_event(CONVERSATIONS, record(MESSAGE | changed))
    assert type(caught.value) is error
    assert field in str(caught.value)
    assert SECRET not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text", ["x" * 65_536, "好" * 21_845, "x"], ids=["64 KiB", "64 KiB of Chinese", "one"]
)
def test_content_up_to_the_limit_is_taken(text: str) -> None:
    assert isinstance(decode_event(CONVERSATIONS, record(MESSAGE | {"text": text})), MessageAdded)


def picture(caption: str | None) -> dict[str, Any]:
    return {"images": [{"url": "https://example.org/cat.png", "caption": caption}]}


@pytest.mark.parametrize("caption", ["一只猫", None])
def test_beside_a_picture_no_words_are_needed(caption: str | None) -> None:
    shown = decode_event(CONVERSATIONS, record(MESSAGE | {"text": ""} | picture(caption)))
    assert isinstance(shown, MessageAdded)
    with pytest.raises(InvalidEvent, match="text: must not be empty"):
        decode_event(CONVERSATIONS, record(MESSAGE | {"text": "", "images": []}))
    with pytest.raises(EventTooLarge):
        decode_event(CONVERSATIONS, record(MESSAGE | picture("x" * 65_536)))


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"content": "  "}, InvalidEvent),
        ({"content": "x" * 65_537}, EventTooLarge),
        ({"kind": SECRET}, InvalidEvent),
        ({"importance": 1.5}, InvalidEvent),
    ],
)
def test_what_is_to_be_remembered_has_the_same_limits(
    changed: dict[str, Any], error: type[InvalidEvent]
) -> None:
    assert isinstance(decode_event(CONVERSATIONS, record(REMEMBER)), RememberRequested)
    with pytest.raises(error) as caught:
        decode_event(CONVERSATIONS, record(REMEMBER | changed))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        b"",
        b"{",
        b"no json",
        b"[]",
        b'"text"',
        b"7",
        b"\xff\xfe",
        b'{"type": "MessageAdded", "n": NaN}',
        b'{"type": "MessageAdded", "text": "\\ud800"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_json_object_is_undecodable(value: bytes | None) -> None:
    with pytest.raises(UndecodableEvent):
        decode_event(CONVERSATIONS, value)


def test_a_record_beyond_its_topic_is_too_large_whatever_is_in_it() -> None:
    with pytest.raises(EventTooLarge):
        decode_event(CONVERSATIONS, b"x" * (CONVERSATIONS.maximum_record_bytes + 1))


def test_a_type_travels_only_on_its_topics() -> None:
    command = record({k: MESSAGE[k] for k in ("occurred_at", "user_id")} | {"type": "SetSettings"})
    assert isinstance(decode_event(CANDIDATES, command), SetSettings)
    with pytest.raises(UnknownEventType, match="SetSettings does not travel on conversations"):
        decode_event(CONVERSATIONS, command)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(TOPICS), st.data())
def test_whatever_the_fields_the_answer_is_an_event_or_a_typed_reason(
    topic: Any, data: st.DataObject
) -> None:
    model = data.draw(st.sampled_from(topic.models))
    fields = data.draw(
        st.dictionaries(st.sampled_from(sorted(model.model_fields)), json_values, max_size=8)
    )
    fields["type"] = model.model_fields["type"].default
    with suppress(InvalidEvent):
        assert isinstance(decode_event(topic, record(fields)), model)
