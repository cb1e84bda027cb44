"""A server that speaks both vendors' HTTP and answers what a test tells it to."""

import asyncio
import base64
import json
from array import array
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response

from tests.support.serving import serving

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request that came in, whichever vendor's."""

    path: str
    key: str | None
    body: Mapping[str, Any]
    text: str
    """All that the model is shown: instructions and messages."""

    @property
    def last(self) -> str:
        """What was said to the model last."""
        said = self.body.get("messages") or self.body["input"]
        return _words(said[-1]["content"])

    @property
    def pictures(self) -> list[str]:
        """The pictures that came with what was said last: addresses, or their base64."""
        said = self.body.get("messages") or self.body["input"]
        parts = said[-1]["content"]
        return [] if isinstance(parts, str) else [each for each in map(_picture, parts) if each]

    @property
    def times(self) -> int:
        """How often the model has answered in this exchange already."""
        said = self.body.get("messages") or self.body["input"]
        return sum(each["role"] == "assistant" for each in said)


@dataclass(frozen=True)
class Says:
    """An answer: text, and how it ended (complete, cut_short or refused)."""

    text: str
    ending: str = "complete"
    after_seconds: float = 0.0


@dataclass(frozen=True)
class Fails:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sends:
    """A body that is no answer of any vendor, with status 200."""

    body: bytes
    media_type: str = "application/json"


@dataclass(frozen=True)
class Stalls:
    """Answers once the event is set."""

    until: asyncio.Event
    then: Says


Act = Says | Fails | Sends | Stalls


def answers(value: object) -> Says:
    return Says(json.dumps(value, ensure_ascii=False))


class ModelServer:
    """Acts by its script first, then as `otherwise` says. Keeps all that it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.script: deque[Act] = deque()
        self.otherwise: Callable[[Asked], Act] = lambda _: Fails(500)
        self.asked: list[Asked] = []
        self.refused_formats: set[str] = set()
        """The format of chat completions: `json_schema`, `json_object`."""
        self.refuses_dimensions = False
        self.dimension = 8
        self.embedding_seconds = 0.0
        self.ending = asyncio.Event()
        self.at_once = 0
        self.most_at_once = 0

    def asks(self, path: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.path == path]

    async def act(self, asked: Asked) -> Says | Fails | Sends:
        self.asked.append(asked)
        act = self.script.popleft() if self.script else self.otherwise(asked)
        if isinstance(act, Stalls):
            await self._either(act.until)
            return act.then
        if isinstance(act, Says) and act.after_seconds:
            await asyncio.sleep(act.after_seconds)
        return act

    async def _either(self, until: asyncio.Event) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (until, self.ending)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in waits:
            task.cancel()

    async def handle(self, request: Request) -> Response:
        body = await request.json()
        asked = Asked(
            path=request.url.path,
            key=request.headers.get("authorization", request.headers.get("x-api-key")),
            body=body,
            text=_shown(body),
        )
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._respond(asked)
        finally:
            self.at_once -= 1

    async def _respond(self, asked: Asked) -> Response:
        wanted = asked.body.get("response_format", {}).get("type")
        if wanted in self.refused_formats:
            self.asked.append(asked)
            return _json({"error": {"message": f"{wanted} is not supported"}}, 400)
        if asked.path.endswith("/embeddings"):
            return await self._embeddings(asked)
        act = await self.act(asked)
        if isinstance(act, Fails):
            return _json(act.body, act.status, act.headers)
        if isinstance(act, Sends):
            return Response(act.body, media_type=act.media_type)
        render = {
            "/v1/responses": _openai_response,
            "/v1/chat/completions": _chat_completion,
            "/v1/messages": _anthropic_message,
        }[asked.path]
        return _json(render(act, tokens(asked.text)))

    async def _embeddings(self, asked: Asked) -> Response:
        self.asked.append(asked)
        if self.script:
            act = self.script.popleft()
            if isinstance(act, Fails):
                return _json(act.body, act.status, act.headers)
        if self.refuses_dimensions and "dimensions" in asked.body:
            return _json({"error": {"message": "dimensions are not supported"}}, 400)
        await asyncio.sleep(self.embedding_seconds)
        texts = asked.body["input"]
        dimension = asked.body.get("dimensions", self.dimension)
        vectors = [embedding(text, dimension) for text in texts]
        # In another order than asked: only the index tells which is whose.
        rows = [
            {"object": "embedding", "index": index, "embedding": _packed(vector)}
            for index, vector in reversed(list(enumerate(vectors)))
        ]
        usage = {"prompt_tokens": sum(map(tokens, texts)), "total_tokens": 0}
        return _json({"object": "list", "model": "e", "data": rows, "usage": usage})


@asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    server = ModelServer()
    application = FastAPI()
    application.add_route("/v1/{path:path}", server.handle, methods=["POST"])
    async with serving(application) as url:
        server.url = url
        try:
            yield server
        finally:
            server.ending.set()


def tokens(text: str) -> int:
    """What the server counts a text as."""
    return len(text) // CHARACTERS_PER_TOKEN


def embedding(text: str, dimension: int) -> list[float]:
    """Not of length 1, as some servers' are not."""
    return [1.0 + (sum(map(ord, text)) * (place + 1)) % 7 for place in range(dimension)]


def _shown(body: Mapping[str, Any]) -> str:
    said: Sequence[Any] = body.get("messages") or body.get("input") or ()
    texts = [_words(each["content"]) for each in said if isinstance(each, dict)]
    return "\n".join([body.get("instructions") or body.get("system") or "", *texts])


def _words(content: str | Sequence[Mapping[str, Any]]) -> str:
    """What is said of a message's content, whichever vendor's form it has."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if "text" in part)


def _picture(part: Mapping[str, Any]) -> str | None:
    match part:
        case {"type": "input_image", "image_url": str(url)}:
            return url
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return url
        case {"type": "image", "source": {"type": "url", "url": str(url)}}:
            return url
        case {"type": "image", "source": {"type": "base64", "media_type": str(kind), "data": data}}:
            return f"data:{kind};base64,{data}"
        case _:
            return None


def _packed(vector: Sequence[float]) -> str:
    return base64.b64encode(array("f", vector).tobytes()).decode()


def _json(
    value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    return Response(
        json.dumps(value), status, headers=dict(headers or {}), media_type="application/json"
    )


def _openai_response(says: Says, input_tokens: int) -> Mapping[str, Any]:
    refused, cut = says.ending == "refused", says.ending == "cut_short"
    content = (
        {"type": "refusal", "refusal": "I can't help with that."}
        if refused
        else {"type": "output_text", "text": says.text, "annotations": []}
    )
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
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
            "input_tokens": input_tokens,
            "input_tokens_details": {"cached_tokens": input_tokens // 2},
            "output_tokens": tokens(says.text),
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input_tokens + tokens(says.text),
        },
    }


def _chat_completion(says: Says, input_tokens: int) -> Mapping[str, Any]:
    finish = {"complete": "stop", "cut_short": "length", "refused": "content_filter"}
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish[says.ending],
                "message": {"role": "assistant", "content": says.text},
            }
        ],
        "usage": {
            "prompt_tokens": input_tokens,
            "completion_tokens": tokens(says.text),
            "total_tokens": input_tokens + tokens(says.text),
        },
    }


def _anthropic_message(says: Says, input_tokens: int) -> Mapping[str, Any]:
    stop = {"complete": "end_turn", "cut_short": "max_tokens", "refused": "refusal"}
    cached = input_tokens // 2
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": says.text}],
        "stop_reason": stop[says.ending],
        "stop_sequence": None,
        "usage": {
            "input_tokens": input_tokens - cached,
            "cache_read_input_tokens": cached,
            "output_tokens": tokens(says.text),
        },
    }
