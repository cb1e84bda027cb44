"""A server in the place of a language model: it speaks the vendors' HTTP, and answers what it is told.

Tokens are counted as they come in: the instructions, what was said and the
shape of the answer, each as it was sent, by the vocabulary of today's models.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response

from palimpsest_server.models.token_counter import get_token_counter

ENDING_SECONDS = 1


@dataclass(frozen=True, kw_only=True)
class ModelServerRequest:
    """One request of any vendor's client."""

    instructions: str
    said: Sequence[str]
    schema: Mapping[str, Any]
    """Of the answer that is wanted; empty where none was sent."""

    @property
    def tokens(self) -> int:
        shape = json.dumps(self.schema, ensure_ascii=False) if self.schema else ""
        return sum(map(get_token_counter(), (self.instructions, *self.said, shape)))


AnswerRequest = Callable[[ModelServerRequest], Awaitable[str]]


class ScriptedModelServer:
    def __init__(self, answering: AnswerRequest) -> None:
        self.url = ""
        self.asked = 0
        self.at_once = 0
        self._answering = answering
        self._ending = asyncio.Event()

    async def handle(self, request: Request) -> Response:
        body = await request.json()
        asked = parse_model_request(body)
        self.asked += 1
        self.at_once += 1
        try:
            answer = await self._answered(asked)
        finally:
            self.at_once -= 1
        rendered = _RENDERED[request.url.path](answer, asked.tokens)
        return Response(json.dumps(rendered, ensure_ascii=False), media_type="application/json")

    async def _answered(self, asked: ModelServerRequest) -> str:
        """Return the scripted answer.

        None once this server ends, for some requests are never answered.
        """
        answering = asyncio.ensure_future(self._answering(asked))
        ending = asyncio.create_task(self._ending.wait())
        await asyncio.wait([answering, ending], return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if answering.done():
            return answering.result()
        answering.cancel()
        return ""

    def end(self) -> None:
        self._ending.set()


@asynccontextmanager
async def run_model_server(answering: AnswerRequest) -> AsyncIterator[ScriptedModelServer]:
    """The server, for as long as this is open; what it was still to answer is cut off."""
    server = ScriptedModelServer(answering)
    application = FastAPI()
    application.add_route("/v1/{path:path}", server.handle, methods=["POST"])
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(256)
        server.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        http = _Quiet(
            uvicorn.Config(
                application,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=ENDING_SECONDS,
            )
        )
        serving = asyncio.create_task(http.serve(sockets=[listening]))
        try:
            yield server
        finally:
            server.end()
            http.should_exit = True
            with suppress(asyncio.CancelledError):
                await serving


class _Quiet(uvicorn.Server):
    """Signals are for whoever measures."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def parse_model_request(body: Mapping[str, Any]) -> ModelServerRequest:
    """Parse the body of a request to any of the vendors."""
    said = body.get("messages") or body.get("input") or ()
    first = str(body.get("instructions") or body.get("system") or "")
    return ModelServerRequest(
        instructions=first,
        said=[str(each["content"]) for each in said if isinstance(each, Mapping)],
        schema=_schema_in(body) or {},
    )


def _schema_in(value: object) -> Mapping[str, Any] | None:
    """Wherever each vendor wants it: the outermost thing that has properties."""
    if isinstance(value, Mapping):
        if isinstance(value.get("properties"), Mapping):
            return value
        parts: Sequence[object] = list(value.values())
    else:
        parts = value if isinstance(value, list) else ()
    return next((found for part in parts if (found := _schema_in(part)) is not None), None)


def _openai_response(text: str, tokens: int) -> Mapping[str, Any]:
    answered = get_token_counter()(text)
    content = {"type": "output_text", "text": text, "annotations": []}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "m",
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [content],
            }
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": answered,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens + answered,
        },
    }


def _chat_completion(text: str, tokens: int) -> Mapping[str, Any]:
    answered = get_token_counter()(text)
    message = {"role": "assistant", "content": text}
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {
            "prompt_tokens": tokens,
            "completion_tokens": answered,
            "total_tokens": tokens + answered,
        },
    }


def _anthropic_message(text: str, tokens: int) -> Mapping[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": tokens, "output_tokens": get_token_counter()(text)},
    }


_RENDERED: Mapping[str, Callable[[str, int], Mapping[str, Any]]] = {
    "/v1/responses": _openai_response,
    "/v1/chat/completions": _chat_completion,
    "/v1/messages": _anthropic_message,
}
