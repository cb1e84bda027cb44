"""Messages as chat completions have them are taken as ours, or refused in words."""

from datetime import timedelta
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessage

from palimpsest.client import InvalidRequest, Message, PalimpsestClient
from palimpsest.client.content_parts import MAXIMUM_ENCLOSED_CHARACTERS
from palimpsest.model.turn import Role
from tests.support.palimpsest.client.answering_server import NOON, Server

SAID = [
    {"role": "user", "content": "我对花生过敏。"},
    {"role": "assistant", "content": "记住了。"},
]


async def saved(
    client: PalimpsestClient, server: Server, messages: list[Any], **fields: Any
) -> list[dict[str, Any]]:
    await client.save_conversation(messages, user_id="lin", session_id="s1", **fields)
    return server.bodies[-1]


async def test_a_dialogue_of_chat_completions_is_saved_as_it_is(
    client: PalimpsestClient, server: Server
) -> None:
    user, agent = await saved(client, server, SAID)
    assert (user["role"], user["text"]) == ("user", "我对花生过敏。")
    assert (agent["role"], agent["text"]) == ("agent", "记住了。")
    assert user["occurred_at"] == agent["occurred_at"] == "2026-03-02T12:00:00Z"
    assert user["message_id"] != agent["message_id"]


async def test_the_same_call_again_says_the_same_and_at_another_time_another(
    client: PalimpsestClient, server: Server
) -> None:
    first = await saved(client, server, SAID, occurred_at=NOON)
    assert await saved(client, server, SAID, occurred_at=NOON) == first
    later = await saved(client, server, SAID, occurred_at=NOON + timedelta(minutes=1))
    assert {each["message_id"] for each in later}.isdisjoint(each["message_id"] for each in first)


async def test_what_is_said_twice_in_one_call_is_said_twice(
    client: PalimpsestClient, server: Server
) -> None:
    first, second = await saved(client, server, [SAID[1], SAID[1]])
    assert first["message_id"] != second["message_id"]


async def test_our_own_fields_and_messages_may_stand_among_them(
    client: PalimpsestClient, server: Server
) -> None:
    first, second, third = await saved(
        client,
        server,
        [
            {"message_id": "7", "role": "user", "content": "hello", "name": "Ann"},
            {"role": "agent", "text": "hi", "occurred_at": NOON + timedelta(seconds=1)},
            Message(message_id="9", role=Role.TOOL, text="18 °C"),
        ],
    )
    assert (first["message_id"], first["speaker"]) == ("7", "Ann")
    assert (second["role"], second["occurred_at"]) == ("agent", "2026-03-02T12:00:01Z")
    assert (third["message_id"], third["role"]) == ("9", "tool")


async def test_parts_are_a_text_and_its_pictures(client: PalimpsestClient, server: Server) -> None:
    parts = [
        {"type": "text", "text": "my kitchen"},
        {"type": "image_url", "image_url": {"url": "https://example.org/kitchen.png"}},
        {"type": "text", "text": "as it was"},
    ]
    (said,) = await saved(client, server, [{"role": "user", "content": parts}])
    assert said["text"] == "my kitchen\nas it was"
    assert [image["url"] for image in said["images"]] == ["https://example.org/kitchen.png"]


DOT = "data:image/png;base64,iVBORw0KGgo="
LARGE = f"data:image/png;base64,{'A' * MAXIMUM_ENCLOSED_CHARACTERS}"


@pytest.mark.parametrize(
    ("part", "address"),
    [
        ({"type": "image_url", "image_url": {"url": DOT, "detail": "high"}}, DOT),
        ({"type": "image_url", "image_url": DOT}, DOT),
        ({"type": "input_image", "image_url": DOT}, DOT),
        ({"type": "image", "source": {"type": "url", "url": "https://e.org/a"}}, "https://e.org/a"),
        (
            {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": "image/png",
                    "data": DOT.partition(",")[2],
                },
            },
            DOT,
        ),
    ],
)
async def test_a_picture_is_taken_as_the_chat_apis_write_it(
    client: PalimpsestClient, server: Server, part: dict[str, Any], address: str
) -> None:
    parts = [{"type": "input_text", "text": "这是我的猫"}, part]
    (said,) = await saved(client, server, [{"role": "user", "content": parts}])
    assert said["text"] == "这是我的猫"
    assert [image["url"] for image in said["images"]] == [address]


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (
            {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
            "input_audio",
        ),
        ({"type": "file", "file": {"file_id": "f"}}, "file"),
        ({"type": "image_url", "image_url": {"url": LARGE}}, "image_url"),
        ({"type": "image_url"}, "image_url"),
        ({"type": "text"}, "text"),
    ],
)
async def test_of_what_cannot_be_kept_the_type_stands_in_the_text_and_the_words_are_kept(
    client: PalimpsestClient, server: Server, part: dict[str, Any], name: str
) -> None:
    parts = [{"type": "text", "text": "我对花生过敏"}, part, {"type": "text", "text": "and to soy"}]
    (said,) = await saved(client, server, [{"role": "user", "content": parts}])
    assert said["text"] == f"我对花生过敏\n[{name}]\nand to soy"
    assert not said.get("images")
    (span,) = said["injected"]
    assert said["text"][span["start"] : span["end"]] == f"[{name}]"


async def test_pictures_are_kept_as_long_as_there_is_room(
    client: PalimpsestClient, server: Server
) -> None:
    half = f"data:image/png;base64,{'A' * (MAXIMUM_ENCLOSED_CHARACTERS // 2)}"
    parts = [{"type": "image_url", "image_url": {"url": url}} for url in (half, half, DOT)]
    (said,) = await saved(client, server, [{"role": "user", "content": parts}])
    assert [image["url"] for image in said["images"]] == [half, DOT]
    assert said["text"] == "[image_url]"


async def test_what_only_the_model_is_told_goes_no_further(
    client: PalimpsestClient, server: Server
) -> None:
    told = {"role": "tool", "content": "18 °C", "tool_call_id": "call_1"}
    (said,) = await saved(client, server, [told])
    assert "tool_call_id" not in said


CALL = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
OF_OPENAI: list[Any] = [
    {"role": "system", "content": "Be kind."},
    {"role": "developer", "content": "Be brief."},
    {"role": "user", "content": "How warm is it?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    ChatCompletionMessage.model_validate({"role": "assistant", "content": "It is warm."}),
]
OF_ANTHROPIC: list[Any] = [
    {"role": "user", "content": "How warm is it?"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "I should look.", "signature": "s"},
            {"type": "tool_use", "id": "t", "name": "f", "input": {}},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "18"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "It is warm."}]},
]


@pytest.mark.parametrize("messages", [OF_OPENAI, OF_ANTHROPIC], ids=["openai", "anthropic"])
async def test_a_dialogue_is_taken_as_the_sdks_hold_it_and_only_what_was_said_is_saved(
    client: PalimpsestClient, server: Server, messages: list[Any]
) -> None:
    said = await saved(client, server, messages)
    assert [(each["role"], each["text"]) for each in said] == [
        ("user", "How warm is it?"),
        ("agent", "It is warm."),
    ]


async def test_a_part_is_taken_as_anthropics_sdk_holds_it(
    client: PalimpsestClient, server: Server
) -> None:
    from anthropic.types import TextBlock  # noqa: PLC0415 - each worker would load it

    answer = {"role": "assistant", "content": [TextBlock(type="text", text="It is warm.")]}
    (said,) = await saved(client, server, [answer])
    assert (said["role"], said["text"]) == ("agent", "It is warm.")


async def test_where_nobody_says_anything_nothing_is_sent(
    client: PalimpsestClient, server: Server
) -> None:
    messages = [OF_OPENAI[0], OF_OPENAI[3]]
    assert await client.save_conversation(messages, user_id="lin", session_id="s1") == ()
    assert server.requests == []


@pytest.mark.parametrize(
    ("message", "field", "words"),
    [
        ({"role": "user", "content": None}, "messages.0.content", "says nothing"),
        ({"role": "user", "content": 7}, "messages.0.content", "text and image_url"),
        ({"role": "user", "content": ["hi"]}, "messages.0.content", "image_url"),
        ({"role": "user", "content": [{"text": "hi"}]}, "messages.0.content", "image_url"),
        ({"role": "user", "content": []}, "messages.0.text", "must not be empty"),
        (
            {"role": "nurse", "content": "hi"},
            "messages.0.role",
            "'user', 'agent', 'assistant' or 'tool'",
        ),
        ({"role": "user", "content": "  "}, "messages.0.text", "must not be empty"),
        ({"role": "user"}, "messages.0.text", "required"),
        ({"content": "hi"}, "messages.0.role", "required"),
        ({"role": "user", "content": "hi", "mood": "gay"}, "messages.0.mood", "unknown field"),
        ("hello", "messages.0", "must be a Message, or a dict"),
        (None, "messages.0", "must be a Message, or a dict"),
    ],
)
async def test_what_is_no_message_is_refused_in_words_before_it_is_sent(
    client: PalimpsestClient, server: Server, message: Any, field: str, words: str
) -> None:
    with pytest.raises(InvalidRequest, match=words) as refused:
        await saved(client, server, [message])
    assert [problem.field for problem in refused.value.fields] == [field]
    assert server.requests == []


@pytest.mark.parametrize("messages", ["hello", {"role": "user", "content": "hi"}])
async def test_one_message_is_no_list_of_them(
    client: PalimpsestClient, server: Server, messages: Any
) -> None:
    with pytest.raises(InvalidRequest, match="must be a list of messages"):
        await client.save_conversation(messages, user_id="lin", session_id="s1")
    assert server.requests == []


def test_a_message_is_refused_as_everything_else_is() -> None:
    fields: dict[str, Any] = {"message_id": "1", "role": "nurse", "text": "hi"}
    with pytest.raises(InvalidRequest) as refused:
        Message(**fields)
    assert [field.field for field in refused.value.fields] == ["role"]


def test_an_assistant_is_an_agent() -> None:
    fields: dict[str, Any] = {"message_id": "1", "role": "assistant", "text": "hi"}
    assert Message(**fields).role is Role.AGENT
