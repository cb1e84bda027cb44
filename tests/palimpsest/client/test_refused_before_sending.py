"""What a server would refuse, a client refuses before it is sent, in the server's words."""

from typing import Any

import httpx
import pytest

from palimpsest.api.resources import Problem
from palimpsest.client import InvalidRequest, PalimpsestClient, RequestTooLarge
from tests.support.palimpsest.client.answering_server import Server

BAD: list[tuple[str, dict[str, Any], str]] = [
    ("recall", {"query": "tea?", "user_id": "x" * 257}, "user_id"),
    ("recall", {"query": "tea?", "user_id": "a\nb"}, "user_id"),
    ("recall", {"query": "", "user_id": "ann"}, "query"),
    ("recall", {"query": "tea?", "user_id": "ann", "limit": 0}, "limit"),
    ("recall", {"query": "tea?", "user_id": "ann", "layers": ["galaxy"]}, "layers.0"),
]


@pytest.mark.parametrize(("method", "fields", "field"), BAD)
async def test_what_the_server_would_refuse_is_refused_before_sending_in_its_words(
    client: PalimpsestClient, server: Server, url: str, method: str, fields: Any, field: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await getattr(client, method)(**fields)
    assert server.requests == []
    assert [problem.field for problem in refused.value.fields] == [field]
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        answer = await http.post("/v1/recall", json=fields)
    assert Problem.model_validate_json(answer.content).fields == refused.value.fields


@pytest.mark.parametrize("content", ["", "   ", "x" * 65_537, "茶" * 21_846])
async def test_content_out_of_bounds_is_never_sent(
    client: PalimpsestClient, server: Server, content: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await client.remember(content, user_id="ann")
    assert [field.field for field in refused.value.fields] == ["content"]
    assert server.requests == []


async def test_a_body_of_ten_megabytes_is_never_sent_and_refused_in_the_servers_words(
    client: PalimpsestClient, server: Server, url: str
) -> None:
    with pytest.raises(RequestTooLarge) as refused:
        await client.remember("tea", user_id="ann", tags=("x" * 10_000_000,))
    assert server.requests == []
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        answer = await http.post(
            "/v1/events",
            content=b"x" * 10_000_000,
            headers={"Content-Type": "application/json"},
        )
    assert answer.status_code == 413
    assert Problem.model_validate_json(answer.content).message == str(refused.value)
