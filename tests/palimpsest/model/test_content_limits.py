from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from palimpsest.api.problems import list_invalid_fields
from palimpsest.api.resources import SettingsUpdate
from palimpsest.events.commands import SetSettings
from palimpsest.events.conversations import MessageAdded, RememberRequested
from palimpsest.model.content_limits import CONTENT_TOO_LARGE, MAXIMUM_CONTENT_BYTES

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def message(text: str) -> MessageAdded:
    return MessageAdded.model_validate(
        {
            "occurred_at": NOW,
            "user_id": "ann",
            "session_id": "s1",
            "message_id": "m1",
            "role": "user",
            "text": text,
        }
    )


def remember(**fields: object) -> RememberRequested:
    return RememberRequested.model_validate(
        {"occurred_at": NOW, "user_id": "ann", "content": "likes tea", **fields}
    )


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "　"])
def test_content_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="must not be empty"):
        message(text)
    with pytest.raises(ValidationError, match="must not be empty"):
        remember(content=text)


@pytest.mark.parametrize("character", ["x", "é", "茶", "🍵"])
def test_the_limit_is_in_bytes_whatever_the_language(character: str) -> None:
    fitting = character * (MAXIMUM_CONTENT_BYTES // len(character.encode()))
    assert message(fitting).text == fitting
    with pytest.raises(ValidationError) as refused:
        message(fitting + character)
    (problem,) = refused.value.errors()
    assert problem["type"] == CONTENT_TOO_LARGE
    assert problem["loc"] == ("text",)
    assert problem["msg"] == "must be at most 65536 bytes of UTF-8"


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ValidationError) as refused:
        message("tea \ud83c")
    (field,) = list_invalid_fields(refused.value.errors())
    assert (field.field, field.problem) == ("text", "must be valid Unicode")


def test_what_people_write_is_kept_as_it_is() -> None:
    text = "  喝茶\n\tor coffee? ☕️ \x00"
    assert message(text).text == text


def test_free_data_is_json_of_a_sensible_size() -> None:
    steps = {"steps": ["boil", {"minutes": 3.5, "done": None}], "茶": True}
    assert remember(data=steps).data == steps
    with pytest.raises(ValidationError, match="at most 16384 bytes"):
        remember(data={"steps": "x" * 16_384})
    with pytest.raises(ValidationError, match="finite numbers"):
        remember(data={"minutes": float("nan")})
    with pytest.raises(ValidationError, match="unicode"):
        remember(data={"minutes": "\ud83c"})


def nested(levels: int) -> dict[str, Any]:
    return {"in": nested(levels - 1)} if levels > 1 else {"in": 1}


def test_free_data_that_no_store_could_keep_is_refused_before_it_is_accepted() -> None:
    kept = {"low": -(2**63), "high": [2**63 - 1], "$set": {"a.b": True}, **nested(32)}
    assert remember(data=kept).data == kept
    for number in (2**63, -(2**63) - 1):
        with pytest.raises(ValidationError, match="at most 64 bits"):
            remember(data={"numbers": [{"n": number}]})
    with pytest.raises(ValidationError, match="null characters in names"):
        remember(data={"steps": [{"a\x00b": 1}]})
    with pytest.raises(ValidationError, match="at most 32 levels"):
        remember(data=nested(33))


def test_a_time_zone_must_be_one() -> None:
    assert SettingsUpdate(time_zone="Asia/Shanghai").time_zone == "Asia/Shanghai"
    for name in ["Atlantis/Centre", "../../etc/passwd", ""]:
        with pytest.raises(ValidationError, match="not an IANA time zone"):
            SettingsUpdate(time_zone=name)
        with pytest.raises(ValidationError, match="not an IANA time zone"):
            SetSettings(occurred_at=NOW, user_id="ann", time_zone=name)
