"""A context is handed to the SDKs of both vendors as it is."""

from datetime import UTC, datetime
from typing import Any

from palimpsest.api.context import ContextResponse, LastMessage
from palimpsest.model.turn import Role

ASKED = {"role": "user", "content": "What can I eat?"}


def context(*said: tuple[Role, str], **fields: Any) -> ContextResponse:
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    messages = tuple(
        LastMessage(message_id=str(place), role=role, text=text, occurred_at=moment)
        for place, (role, text) in enumerate(said)
    )
    known: dict[str, Any] = {"system_prompt": "You are a cook.", "text": "", "block": ""}
    return ContextResponse(**{**known, **fields}, messages=messages, tokens=1, took_ms=1.0)


DIALOGUE = ((Role.AGENT, "Hello!"), (Role.USER, "Hello"), (Role.TOOL, "18"), (Role.AGENT, "Yes?"))


def test_the_prompt_the_last_messages_and_what_is_asked_follow_one_another() -> None:
    assert context(*DIALOGUE).to_openai(ASKED) == [
        {"role": "system", "content": "You are a cook."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Yes?"},
        ASKED,
    ]
    assert context(*DIALOGUE).to_anthropic(ASKED) == {
        "system": "You are a cook.",
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Yes?"},
            ASKED,
        ],
    }


def test_a_running_summary_is_told_once_and_between_marks() -> None:
    told = context(running_summary="They spoke of soup.")
    prompt = "You are a cook.\n\n<palimpsest>\nThey spoke of soup.\n</palimpsest>"
    assert told.to_anthropic(ASKED)["system"] == prompt
    known = context(running_summary="They spoke of soup.", text="So far: They spoke of soup.")
    assert known.to_openai() == [{"role": "system", "content": "You are a cook."}]
    prompt = "You are a cook. So far: They spoke of soup."
    known = context(running_summary="They spoke of soup.", system_prompt=prompt)
    assert known.to_openai() == [{"role": "system", "content": prompt}]


def test_without_a_prompt_there_are_no_instructions() -> None:
    assert context(system_prompt="").to_openai(ASKED) == [ASKED]
    assert context(system_prompt="").to_anthropic(ASKED) == {"messages": [ASKED]}
