"""Messages that are too long, in parts that are not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.content_limits import MAXIMUM_CONTENT_BYTES
from services.host.imports.split_messages import split_long_message
from services.ingest.receive_events import parse_event

FIELDS = {
    "type": "MessageAdded",
    "occurred_at": "2026-03-02T09:00:00Z",
    "user_id": "ann",
    "session_id": "s",
    "message_id": "m",
    "role": "user",
}


def texts(text: str, maximum_bytes: int, **fields: Any) -> list[str]:
    parts = split_long_message({**FIELDS, "text": text, **fields}, maximum_bytes)
    return [str(part["text"]) for part in parts]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One.\n\nTwo.\nThree.", ["One.\n\n", "Two.\nThree."]),
        ("One line\nanother one", ["One line\n", "another one"]),
        ("One. Two. Three. Four.", ["One. Two.", " Three. Four."]),
        ("我对花生过敏。我住在杭州", ["我对花生过敏。", "我住在杭州"]),
        ("many words without end", ["many words ", "without end"]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghijklmn", "opqrstuvwxyz"]),
        ("花生花生花生花生", ["花生花生", "花生花生"]),
        ("exactly 14 by\n", ["exactly 14 by\n"]),
    ],
)
def test_a_text_is_cut_at_the_best_place_that_fits(text: str, parts: list[str]) -> None:
    assert texts(text, 24 if "花" in text and "。" in text else 14) == parts


@given(st.text(min_size=1, max_size=200), st.integers(min_value=4, max_value=40))
def test_parts_fit_and_say_the_same_together(text: str, room: int) -> None:
    parts = texts(text, room)
    if len(parts) > 1:
        assert all(len(part.encode()) <= room for part in parts)
    assert "".join(parts).rstrip() == text.rstrip() or len(parts) == 1


def test_parts_are_linked_and_the_first_keeps_what_is_the_messages() -> None:
    image = {"url": "https://example.org/a.png", "caption": "tea"}
    fields = {**FIELDS, "event_id": "e", "reply_to": "q", "images": [image]}
    first, second, third = split_long_message({**fields, "text": "a" * 30}, 14)
    assert (first["message_id"], first["reply_to"], first["images"]) == ("m", "q", [image])
    assert len(first["text"]) == 10, "captions count beside the text"
    assert (second["message_id"], second["reply_to"], second["event_id"]) == ("m/2", "m", "e/2")
    assert (third["message_id"], third["reply_to"], third["images"]) == ("m/3", "m/2", ())


def test_what_came_out_of_memory_stays_known_as_that() -> None:
    fields = {**FIELDS, "text": "0123456789", "injected": [{"start": 3, "end": 8}]}
    spans = [part["injected"] for part in split_long_message(fields, 5)]
    assert spans == [[{"start": 3, "end": 5}], [{"start": 0, "end": 3}]]


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "SessionEnded"},
        {"text": 7},
        {"text": None},
        {"message_id": None},
        {"text": "\ud800" * 30},
        {"images": [{"url": "u", "caption": "long enough for all of it"}]},
    ],
)
def test_anything_else_is_left_to_whoever_reads_it(changed: dict[str, Any]) -> None:
    fields = {**FIELDS, "text": "a" * 30, **changed}
    assert split_long_message(fields, 14) == [fields]


@pytest.mark.parametrize("spans", [7, "ab", [7], [{"start": 1}], [{"start": "a", "end": 2}]])
def test_malformed_spans_are_refused_later_and_in_words(spans: Any) -> None:
    fields = {**FIELDS, "text": "a" * 30, "injected": spans}
    assert [part["injected"] for part in split_long_message(fields, 20)] == [spans, spans]


def test_parts_of_a_message_over_the_limit_are_events() -> None:
    text = "用户喜欢喝茶。\n\n" * 5_000
    parts = split_long_message({**FIELDS, "text": text})
    assert len(parts) == 2
    events = [parse_event(part) for part in parts]
    assert [len(str(part["text"]).encode()) <= MAXIMUM_CONTENT_BYTES for part in parts] == [
        True
    ] * 2
    assert len({event.event_id for event in events if event.event_id}) in {0, 2}
