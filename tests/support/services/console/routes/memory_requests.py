"""Requests about memories over HTTP, as tests of the console make them."""

from typing import Any

import httpx

from palimpsest.api.command_requests import ChangeList
from palimpsest.api.resources import CommandResult, Problem
from palimpsest.model.memory import Memory

ANN = {"user_id": "ann"}


async def post(
    http: httpx.AsyncClient, path: str, body: Any = None, key: str | None = None, **scope: str
) -> CommandResult:
    answer = await http.post(
        path, params={**ANN, **scope}, json=body, headers={"Idempotency-Key": key} if key else {}
    )
    assert answer.status_code == 200, answer.text
    return CommandResult.model_validate_json(answer.content)


async def patch(http: httpx.AsyncClient, memory: Memory, **edits: Any) -> httpx.Response:
    return await http.patch(f"/v1/memories/{memory.id}", params=ANN, json=edits)


def problem(answer: httpx.Response, status: int) -> Problem:
    assert answer.status_code == status, answer.text
    return Problem.model_validate_json(answer.content)


async def added(http: httpx.AsyncClient, content: str, **fields: Any) -> Memory:
    done = await post(http, "/v1/memories", {"content": content, **fields})
    assert done.memory is not None
    return done.memory


async def list_changes(http: httpx.AsyncClient, **query: Any) -> ChangeList:
    asked = {name: value for name, value in query.items() if value is not None}
    answer = await http.get("/v1/changes", params={**ANN, **asked})
    return ChangeList.model_validate_json(answer.content)
