"""What is kept of a record that is set aside, and what is not."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.errors import InvalidEvent, NotStorable, PermanentError
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.dead_letter_queue import (
    UNFIXABLE_KEPT_CHARACTERS,
    FailedRecord,
    build_dead_letter,
    build_dead_letter_announcement,
    redact_everything,
)
from palimpsest_server.delivery.dead_letter_replay import explain_replay_refusal
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.stores.dead_letters import DeadLetter

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECRET = "ghp_" + "a1B2" * 9
FIELDS = {
    "type": "MessageAdded",
    "event_id": "e",
    "occurred_at": "2026-03-02T12:00:00Z",
    "user_id": "4111111111111111",
    "session_id": "s",
    "message_id": "m",
    "role": "user",
    "text": f"我的密钥是 {SECRET}",
}


@dataclass
class Bytes:
    value: bytes | None
    key: bytes | None = b"4111111111111111"
    partition: int = 3
    offset: int = 41
    timestamp: int = 0
    headers: list[tuple[str, bytes]] = field(
        default_factory=lambda: [("traceparent", b"00-1-2-01"), ("broken", b"\xff")]
    )


def letter(value: bytes | None, error: Exception | None = None, key: bytes = b"u") -> DeadLetter:
    """The letter of these bytes; with an error of the handler they are decoded first."""
    record = Bytes(value, key)
    event = None
    if error is None:
        with pytest.raises(InvalidEvent) as caught:
            decode_event(CONVERSATIONS, value)
        error = caught.value
    else:
        event = decode_event(CONVERSATIONS, value)
    return build_dead_letter(
        FailedRecord(record, event, error),
        stage="ingest",
        topic=CONVERSATIONS,
        redact=lambda text: redact(text).text,
        now=NOW,
    )


def test_secrets_are_redacted_and_ids_stay_so_that_a_replay_is_about_the_same_thing() -> None:
    kept = letter(json.dumps(FIELDS).encode(), PermanentError("no"))
    assert SECRET not in kept.model_dump_json()
    assert json.loads(kept.body)["user_id"] == "4111111111111111"
    assert (kept.event_id, kept.event_type, kept.reason) == ("e", "MessageAdded", "permanent")
    assert (kept.partition, kept.offset, kept.trace) == (3, 41, "00-1-2-01")
    assert explain_replay_refusal(kept) is None
    replayed = decode_event(CONVERSATIONS, kept.body.encode())
    assert replayed.event_id == "e"


def test_secrets_do_not_hide_under_the_names_of_ids() -> None:
    free = {"data": {"session_id": SECRET, SECRET: [{"vectors": SECRET}]}, "trace": SECRET}
    remember = {**FIELDS, **free, "type": "RememberRequested", "content": "x"}
    assert SECRET not in letter(json.dumps(remember).encode(), PermanentError("no")).body
    assert SECRET not in letter(json.dumps(FIELDS | {"type": f"a {SECRET}"}).encode()).body


def test_a_body_without_secrets_is_kept_byte_for_byte() -> None:
    value = json.dumps(FIELDS | {"text": "早"}, indent=1).encode()
    assert letter(value, PermanentError("no")).body.encode() == value


def test_the_same_poison_is_the_same_letter_wherever_it_lies() -> None:
    first, second = letter(b"no json"), letter(b"no json", key=b"other")
    assert first.id == second.id
    assert first.id != letter(b"no json either").id


def test_what_is_too_large_is_cut_short_with_a_hash_of_the_whole() -> None:
    value = (f'{{"key": "{SECRET}", "text": "' + "x" * 10_000_000).encode()
    kept = letter(value)
    assert kept.reason == "too_large"
    assert len(kept.body) <= UNFIXABLE_KEPT_CHARACTERS
    assert kept.body_bytes == len(value)
    assert len(kept.body_sha256) == 64
    assert SECRET not in kept.body
    assert "only" in (explain_replay_refusal(kept) or "")


def test_no_secret_is_cut_in_half_and_missed() -> None:
    value = b'{"text": "' + b"x " * 2_038 + SECRET.encode() + b"y" * 2_000_000
    assert SECRET[:12] not in letter(value).body


def test_a_newer_major_is_kept_whole_for_the_version_that_will_read_it() -> None:
    kept = letter(json.dumps(FIELDS | {"schema_version": 2, "text": "早" * 9_000}).encode())
    assert kept.reason == "unknown_major"
    assert explain_replay_refusal(kept) is None
    assert kept.event_type == "MessageAdded"


def test_who_is_not_known_by_the_event_may_be_known_by_the_key() -> None:
    assert letter(b"no json", key="小明".encode()).user_id == "小明"
    assert letter(b"no json", key=b"\xff").user_id is None
    assert letter(b"no json", key=b"a\x00b").user_id is None


def test_the_announcement_has_no_content() -> None:
    kept = letter(json.dumps(FIELDS | {"text": "what was said"}).encode(), PermanentError("no"))
    announced = build_dead_letter_announcement(kept)
    assert "what was said" not in announced.model_dump_json()
    assert announced.dead_letter_id == kept.id
    assert build_dead_letter_announcement(letter(b"no json", key=b"")).user_id == "unknown"


def test_nothing_is_kept_of_what_may_not_be_stored() -> None:
    kept = letter(json.dumps(FIELDS | {"text": "what was said"}).encode(), NotStorable("card"))
    assert (kept.reason, kept.body) == ("not_storable", "[withheld]")
    assert explain_replay_refusal(kept) is not None


def test_who_was_given_no_redaction_keeps_nothing() -> None:
    kept = build_dead_letter(
        FailedRecord(Bytes(b"no json"), None, InvalidEvent("x")),
        stage="ingest",
        topic=CONVERSATIONS,
        redact=redact_everything,
        now=NOW,
    )
    assert "json" not in kept.body
