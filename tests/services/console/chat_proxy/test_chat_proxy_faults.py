"""Whatever breaks around a proxied chat: the chat goes on, and what was said is kept."""

import asyncio

import httpx
import pytest
from openai import APIConnectionError, APIStatusError, RateLimitError

from tests.support.eventually import eventually
from tests.support.models.chat_streams import COMPLETION, OPENAI_CHUNKS
from tests.support.models.chat_upstream import (
    DIES,
    ChatUpstream,
    UpstreamAnswer,
)
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


async def test_a_chat_goes_on_without_memory_where_recall_is_late_or_fails(
    upstream: ChatUpstream,
) -> None:
    async with proxied_chats(upstream.url, proxy_recall_seconds=0.05) as chats:
        chats.context_may_answer.clear()
        for _ in range(2):
            stream = await openai(chats, **USER).chat.completions.create(
                model="m", messages=ASKED, stream=True
            )
            assert [chat_completion_chunk async for chat_completion_chunk in stream]
            chats.context_fails = True
            chats.context_may_answer.set()
        assert [upstream_request.json["messages"] for upstream_request in upstream.asked] == [
            ASKED,
            ASKED,
        ]
        late = chats.count("chats", kind="openai", outcome="recall_late")
        failed = chats.count("chats", kind="openai", outcome="recall_failed")
        assert late + failed == 2
        assert late >= 1


async def test_an_error_of_the_upstream_comes_as_it_is_and_nothing_is_kept(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    error = b'{"error":{"message":"too many","type":"rate","param":null,"code":null}}'
    headers = {"retry-after": "7", "x-request-id": "r9", "set-cookie": "a=b"}
    upstream.script = [
        UpstreamAnswer(chunks=[error], status=429, headers=headers, media_type="application/json")
    ]
    with pytest.raises(RateLimitError) as raised:
        await openai(chats, **USER).chat.completions.create(model="m", messages=ASKED)
    answer = raised.value.response
    assert answer.content == error
    assert (answer.headers["retry-after"], answer.headers["x-request-id"]) == ("7", "r9")
    assert "set-cookie" not in answer.headers
    assert chats.told == []


async def test_an_upstream_that_dies_in_the_middle_is_missed_by_the_client_and_what_was_said_is_kept(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [UpstreamAnswer(chunks=[OPENAI_CHUNKS[0], DIES])]
    stream = await openai(chats, **USER).chat.completions.create(
        model="m", messages=ASKED, stream=True
    )
    with pytest.raises(APIConnectionError):
        async for _ in stream:
            pass
    await eventually(lambda: chats.told)
    assert chats.dialogue == [EXCHANGE[0], ("agent", "Have an ")]


async def test_a_client_that_goes_ends_the_call_and_what_it_was_told_is_kept(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [UpstreamAnswer(chunks=[OPENAI_CHUNKS[0], asyncio.Event()])]
    stream = await openai(chats, **USER).chat.completions.create(
        model="m", messages=ASKED, stream=True
    )
    await anext(aiter(stream))
    await stream.close()
    await asyncio.wait_for(upstream.client_left.wait(), 60)
    await eventually(lambda: chats.told)
    assert chats.dialogue == [EXCHANGE[0], ("agent", "Have an ")]


async def test_a_client_that_goes_before_the_first_token_ends_the_call(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [UpstreamAnswer(chunks=[asyncio.Event()])]
    chats.context_may_answer.clear()
    asking = asyncio.create_task(
        openai(chats, **USER).chat.completions.create(model="m", messages=ASKED)
    )
    await eventually(lambda: chats.contexts)
    chats.context_may_answer.set()
    await eventually(lambda: upstream.asked)
    asking.cancel()
    await asyncio.wait_for(upstream.client_left.wait(), 60)


async def test_a_body_that_cannot_be_read_or_is_large_is_passed_on(
    upstream: ChatUpstream, chats: ProxiedChats
) -> None:
    upstream.script = [COMPLETION]
    url = f"{chats.url}/v1/chat/completions"
    large = b'{"messages":[{"role":"user","content":"' + b"x" * 6_000_000 + b'"}], "big": 1e400}'
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        for body in (b"{", b'{"messages": 3}', b'{"messages":[3]}', b"\xff", b"[]", large):
            answer = await http.post(url, content=body, headers=USER)
            assert answer.status_code == 200, body[:40]
            expected = body if len(body) < 100 else body.replace(b"[", b"[" + _instructed(), 1)
            assert upstream.asked[-1].body == expected
    assert len(chats.dialogue[0][1]) == 64 * 1024


def _instructed() -> bytes:
    return b'{"role":"system","content":"%b"},' % BLOCK.replace("\n", "\\n").encode()


async def test_without_an_upstream_and_where_it_is_away_it_says_so(upstream: ChatUpstream) -> None:
    async with proxied_chats("http://127.0.0.1:9", proxy_anthropic_url=None) as chats:
        with pytest.raises(APIStatusError, match="does not answer") as away:
            await openai(chats, **USER).chat.completions.create(model="m", messages=ASKED)
        assert away.value.status_code == 503
        with pytest.raises(Exception, match="PALIMPSEST_PROXY_ANTHROPIC_URL"):
            await anthropic(chats).messages.create(model="m", max_tokens=1, messages=ASKED)
        assert chats.told == []


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Palimpsest-Agent": "cook"},
        {"X-Palimpsest-Session": "s"},
        {"X-Palimpsest-User": "a" * 300},
        # What may have been meant to be incognito is not kept.
        {**USER, "X-Palimpsest-Incognito": "1"},
        {**USER, "X-Palimpsest-Incognito": "yes"},
    ],
)
async def test_headers_that_name_nobody_or_are_unclear_are_refused(
    upstream: ChatUpstream, chats: ProxiedChats, headers: dict[str, str]
) -> None:
    with pytest.raises(APIStatusError) as refused:
        await openai(chats, **headers).chat.completions.create(model="m", messages=ASKED)
    assert refused.value.status_code == 422
    assert (upstream.asked, chats.told) == ([], [])


async def test_an_answer_that_no_server_can_send_on_is_an_error_of_the_upstream() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        status = b"999 Odd" if b"odd-status" in asked else b"200 OK"
        writer.write(b"HTTP/1.1 " + status + b"\r\nx-odd: a\x01b\r\ncontent-length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    vendor = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = vendor.sockets[0].getsockname()[1]
    async with (
        vendor,
        proxied_chats(f"http://127.0.0.1:{port}") as chats,
        httpx.AsyncClient(base_url=chats.url, trust_env=False, timeout=60) as http,
    ):
        odd = await http.post(
            "/v1/chat/completions", content=b"{}", headers={"x-ask": "odd-status"}
        )
        assert (odd.status_code, odd.json()["reason"]) == (503, "unavailable")
        plain = await http.post("/v1/chat/completions", content=b"{}")
        assert (plain.status_code, plain.text, "x-odd" in plain.headers) == (200, "{}", False)
