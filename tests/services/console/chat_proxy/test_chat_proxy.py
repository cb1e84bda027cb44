"""Chats through both vendors' SDKs: passed on byte by byte, with memory, whatever breaks on the way."""

import asyncio
from typing import Any

import httpx
import pytest
from openai import APIStatusError

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import ServerFailed
from tests.support.eventually import eventually
from tests.support.models.chat_streams import ANTHROPIC_CHUNKS, COMPLETION, OPENAI_CHUNKS
from tests.support.models.chat_upstream import (
    ChatUpstream,
    Chunk,
    UpstreamAnswer,
)
from tests.support.server.desk_application import KEY
from tests.support.services.console.proxied_chats import (
    ASKED,
    BLOCK,
    EXCHANGE,
    USER,
    ProxiedChats,
    anthropic,
    openai,
    proxied_chats,
)


async def read_raw(url: str, body: Any, headers: dict[str, str]) -> list[bytes]:
    """Every chunk as it comes over the wire, still compressed."""
    async with (
        httpx.AsyncClient(trust_env=False, timeout=60) as http,
        http.stream("POST", url, json=body, headers=headers) as answer,
    ):
        return [chunk async for chunk in answer.aiter_raw()]


@pytest.mark.parametrize("headers", [{}, USER], ids=["transparent", "with memory"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("path", "chunks"),
    [("/v1/chat/completions", OPENAI_CHUNKS), ("/v1/messages", ANTHROPIC_CHUNKS)],
)
async def test_a_stream_comes_byte_by_byte_as_the_upstream_sent_it(
    upstream: ChatUpstream,
    chats: ProxiedChats,
    path: str,
    chunks: list[Chunk],
    packed: bool,
    headers: dict[str, str],
) -> None:
    answer = UpstreamAnswer(chunks=chunks)
    upstream.script = [answer.gzipped() if packed else answer]
    accepted = {"accept-encoding": "gzip, br" if packed else "identity"}
    body = {"messages": ASKED, "stream": True}
    direct = await read_raw(f"{upstream.url}{path}", body, accepted)
    through = await read_raw(f"{chats.url}{path}", body, accepted | headers)
    assert b"".join(through) == b"".join(direct)
    if headers:
        assert chats.dialogue[0] == ("user", "What can I eat?")
        assert chats.dialogue[1][1].startswith("Have an apple")
    else:
        assert (chats.contexts, chats.told) == ([], [])
        assert upstream.asked[0].body == upstream.asked[1].body


async def test_each_event_of_openais_sdk_is_that_of_the_upstream_and_memory_is_in_the_prompt(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    tools: list[Any] = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    asked: dict[str, Any] = {"model": "m", "messages": ASKED, "tools": tools, "stream": True}
    through = [each async for each in await openai(chats, **USER).chat.completions.create(**asked)]
    direct_client = openai(chats).with_options(base_url=f"{upstream.url}/v1")
    direct = [each async for each in await direct_client.chat.completions.create(**asked)]
    assert through == direct

    shown, as_it_was = upstream.asked
    assert shown.path == "/v1/chat/completions"
    assert shown.json["messages"] == [{"role": "system", "content": BLOCK}, *ASKED]
    assert {**shown.json, "messages": ASKED} == as_it_was.json
    assert shown.headers["authorization"] == "Bearer of the vendor"
    assert not [name for name in shown.headers if "palimpsest" in name]
    (context,) = chats.contexts
    assert (context.user_id, context.session_id) == ("ann", "lunch")
    assert context.query == "What can I eat?"
    assert chats.dialogue == [EXCHANGE[0], ("agent", "Have an apple 🍎.")]
    assert chats.count("chats", kind="openai", outcome="recalled") == 1


async def test_each_event_of_anthropics_sdk_is_that_of_the_upstream_and_images_are_untouched(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [UpstreamAnswer(chunks=ANTHROPIC_CHUNKS)]
    picture = {"type": "base64", "media_type": "image/png", "data": "QUJD" * 1_000}
    asked: dict[str, Any] = {
        "model": "m",
        "max_tokens": 10,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello!"},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": "42"},
                    {"type": "image", "source": picture},
                    {"type": "text", "text": "Can I eat this?"},
                ],
            },
        ],
        "stream": True,
    }
    through = [each async for each in await anthropic(chats, **USER).messages.create(**asked)]
    direct_client = anthropic(chats).with_options(base_url=upstream.url)
    direct = [each async for each in await direct_client.messages.create(**asked)]
    assert through == direct

    shown, as_it_was = upstream.asked
    assert shown.json["system"] == [*asked["system"], {"type": "text", "text": BLOCK}]
    assert {**shown.json, "system": asked["system"]} == as_it_was.json
    assert shown.headers["authorization"] == "Bearer of the vendor"
    assert chats.contexts[0].context == ("Hello", "Hello!")
    assert chats.dialogue == [("user", "Can I eat this?"), ("agent", "Have an apple.")]
    assert len(chats.told[0]["images"]) == 1


async def test_a_whole_answer_is_kept_before_its_last_byte_is_sent(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    chats.events_may_be_taken.clear()
    call = openai(chats, **USER).chat.completions.create(model="m", messages=ASKED)
    asking = asyncio.create_task(call)
    await eventually(lambda: upstream.client_left.is_set() or asking.done())
    assert not asking.done()
    chats.events_may_be_taken.set()
    answer = await asking
    assert answer.choices[0].message.content == "Have an apple."
    assert chats.dialogue == EXCHANGE


async def test_tokens_come_while_the_upstream_still_speaks_and_the_end_once_the_exchange_is_kept(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    goes_on = asyncio.Event()
    upstream.script = [UpstreamAnswer(chunks=[OPENAI_CHUNKS[0], goes_on, *OPENAI_CHUNKS[1:]])]
    stream = await openai(chats, **USER).chat.completions.create(
        model="m", messages=ASKED, stream=True
    )
    first = await anext(aiter(stream))
    assert first.choices[0].delta.content == "Have an "
    assert chats.told == []
    goes_on.set()
    async for _ in stream:
        pass
    assert len(chats.told) == 2


async def test_the_same_chat_sent_again_is_the_same_messages_and_the_next_one_tells_what_is_new(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    client = openai(chats, **{"X-Palimpsest-User": "ann"})
    for _ in range(2):
        await client.chat.completions.create(model="m", messages=ASKED)
    again = [(each["session_id"], each["message_id"]) for each in chats.told]
    assert again[:2] == again[2:]
    answered: list[Any] = [
        *ASKED,
        {"role": "assistant", "content": "Have an apple."},
        {"role": "user", "content": "And a nut?"},
    ]
    await client.chat.completions.create(model="m", messages=answered)
    assert chats.dialogue[4] == ("user", "And a nut?")
    assert chats.told[4]["session_id"] == again[0][0]


async def test_a_result_of_a_tool_is_nothing_that_was_said(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    call = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages: list[Any] = [
        *ASKED,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "t", "content": "42"},
    ]
    await openai(chats, **USER).chat.completions.create(model="m", messages=messages)
    assert chats.dialogue == [EXCHANGE[1]]
    assert chats.contexts[0].query == "What can I eat?"


async def test_instructions_stay_and_the_block_stands_behind_them(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    for content, expected in (
        ("Be brief.", f"Be brief.\n\n{BLOCK}"),
        ([{"type": "text", "text": "Be brief."}],
         [{"type": "text", "text": "Be brief."}, {"type": "text", "text": BLOCK}]),
    ):  # fmt: skip
        messages: list[Any] = [{"role": "developer", "content": content}, *ASKED]
        await openai(chats, **USER).chat.completions.create(model="m", messages=messages)
        assert upstream.asked[-1].json["messages"][0] == {"role": "developer", "content": expected}


async def test_an_incognito_chat_is_passed_on_without_reading_or_keeping_anything(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    for incognito in ("true", "TRUE"):
        named = {**USER, "X-Palimpsest-Incognito": incognito}
        await openai(chats, **named).chat.completions.create(model="m", messages=ASKED)
        assert upstream.asked[-1].json["messages"] == ASKED
    assert (chats.contexts, chats.told) == ([], [])
    assert not [name for name in upstream.asked[-1].headers if "palimpsest" in name]


async def test_our_own_client_chats_as_a_user_and_is_told_of_refusals(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    async with PalimpsestClient(http_url=chats.url) as client:
        reply = await client.chats.answer(ASKED, model="m", user_id="小安", session_id="lunch")
        assert reply == EXCHANGE[1][1]
        assert (chats.contexts[0].user_id, chats.dialogue) == ("小安", EXCHANGE)
        upstream.script = [
            UpstreamAnswer(chunks=[b"{}"], status=500, media_type="application/json")
        ]
        with pytest.raises(ServerFailed):
            await client.chats.answer(ASKED, model="m", user_id="ann")
        assert len(upstream.asked) == 2


async def test_our_own_client_reads_the_words_of_a_model_as_they_come(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    going_on = asyncio.Event()
    first, *others = [
        b'data: {"choices": [{"delta": {"content": "Have ", "role": "assistant"}}]}\n\n',
        b'data: {"choices": [{"delta": {"content": "an \xe8\x8b\xb9"}}]}\n\n',
        b'data: {"choices": []}\n\ndata: [DONE]\n\n',
    ]
    upstream.script = [UpstreamAnswer(chunks=[first, going_on, *others])]
    async with PalimpsestClient(http_url=chats.url) as client:
        words = client.chats.stream(ASKED, model="m", user_id="小安")
        assert await anext(words) == "Have "
        going_on.set()
        assert [each async for each in words] == ["an 苹"]
        assert chats.contexts[0].user_id == "小安"
        for broken in (
            UpstreamAnswer(chunks=[b"{}"], status=500, media_type="application/json"),
            UpstreamAnswer(chunks=[b"data: what?\n\n"]),
        ):
            upstream.script = [broken]
            with pytest.raises(ServerFailed):
                await anext(client.chats.stream(ASKED, model="m", user_id="ann"))


async def test_with_keys_the_deployments_key_of_the_vendor_is_shown_and_ours_stays_here(
    upstream: ChatUpstream,
) -> None:
    upstream.script = [COMPLETION]
    async with proxied_chats(
        upstream.url, api_key=KEY, proxy_openai_api_key="the deployment's"
    ) as chats:
        for client in (
            openai(chats, **USER).with_options(api_key=KEY),
            openai(chats, **USER, **{"X-Palimpsest-Key": KEY}),
        ):
            await client.chat.completions.create(model="m", messages=ASKED)
            shown = upstream.asked[-1].headers
            assert shown["authorization"] == "Bearer the deployment's"
            assert KEY not in str(shown)
        assert set(chats.keys) == {f"Bearer {KEY}"}
        assert chats.dialogue == EXCHANGE * 2
        with pytest.raises(APIStatusError) as refused:
            await openai(chats, **USER).chat.completions.create(model="m", messages=ASKED)
        assert refused.value.status_code == 401

    async with proxied_chats(upstream.url, api_key=KEY) as chats:
        client = openai(chats, **USER, **{"X-Palimpsest-Key": KEY})
        await client.chat.completions.create(model="m", messages=ASKED)
        assert upstream.asked[-1].headers["authorization"] == "Bearer of the vendor"
        await (
            openai(chats, **USER)
            .with_options(api_key=KEY)
            .chat.completions.create(model="m", messages=ASKED)
        )
        assert "authorization" not in upstream.asked[-1].headers


async def test_each_vendors_list_of_models_is_passed_on_as_it_is(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    listed = b'{"object": "list", "data": [{"id": "m", "object": "model"}]}'
    upstream.script = [UpstreamAnswer(chunks=[listed], media_type="application/json")]
    assert [model.id async for model in await openai(chats, **USER).models.list()] == ["m"]
    assert [model.id async for model in await anthropic(chats).models.list()] == ["m"]
    assert [request.path.partition("?")[0] for request in upstream.asked] == ["/v1/models"] * 2
    assert upstream.asked[0].headers["authorization"] == "Bearer of the vendor"
    assert "anthropic-version" in upstream.asked[1].headers
    assert not [name for name in upstream.asked[0].headers if "palimpsest" in name]
    assert (upstream.asked[0].body, chats.contexts, chats.told) == (b"", [], [])
    refused = UpstreamAnswer(chunks=[b"{}"], status=401, media_type="application/json")
    upstream.script = [refused]
    with pytest.raises(APIStatusError):
        await openai(chats).models.list()


async def test_models_of_no_upstream_are_refused() -> None:
    async with (
        proxied_chats("http://127.0.0.1:9", proxy_anthropic_url=None) as chats,
        httpx.AsyncClient(trust_env=False, timeout=60) as http,
    ):
        headers = {"anthropic-version": "2023-06-01"}
        answer = await http.get(f"{chats.url}/v1/models", headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (409, "upstream_not_set")
