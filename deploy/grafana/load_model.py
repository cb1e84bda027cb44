"""A language model for the load: it notes what was said, sometimes what was not, and refuses half."""

import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response

from services.host.http_server import HttpServer, bind_http_port

NAME = "compatible/load"
_BUSY = 5


def build_load_model_settings(url: str) -> dict[str, str]:
    """The environment of an instance that asks it; the rules stand in where it refuses."""
    return {
        "PALIMPSEST_EXTRACTION_MODEL": NAME,
        "PALIMPSEST_EXTRACTION_FALLBACK": "local",
        "PALIMPSEST_COMPATIBLE_BASE_URL": f"{url}/v1",
        "PALIMPSEST_MODEL_PRICES": json.dumps({NAME: {"input": 1, "output": 4}}),
    }


@asynccontextmanager
async def run_load_model() -> AsyncIterator[str]:
    """Its address, for as long as this is open."""
    application = FastAPI()
    numbers = itertools.count()

    @application.post("/v1/chat/completions")
    async def complete(request: Request) -> Response:
        asked = await request.json()
        number = next(numbers)
        if number % 8 == _BUSY:
            return _json({"error": {"message": "too many"}}, 429, {"retry-after": "1"})
        if number % 2:
            return _json({"error": {"message": "not this one"}}, 400)
        said = "\n".join(str(each["content"]) for each in asked["messages"])
        return _json(_completion(said, json.dumps({"memories": list(_memories(said))})))

    listening = bind_http_port("127.0.0.1", 0)
    listening.listen()
    server = HttpServer(application, listening)
    server.start()
    try:
        yield server.url
    finally:
        await server.stop()


def _memories(said: str) -> Iterator[dict[str, Any]]:
    lines = (line for line in said.splitlines() if line.startswith('{"n"'))
    for message in map(json.loads, lines):
        if message.get("new"):
            # Passes for a statement in either language, whatever was spoken.
            noted = f"The user said 用户说: {message['text']}"
            yield _memory(message["n"], noted, quote=message["text"])
            yield _memory(message["n"], noted, quote="what nobody said")


def _memory(n: int, content: str, *, quote: str) -> dict[str, Any]:
    empty = dict.fromkeys(("summary", "attribute", "value", "replaces", "importance"))
    return {
        **empty,
        "kind": "fact",
        "content": content,
        "subject": "user",
        "confidence": 0.9,
        "tags": [],
        "entities": [],
        "evidence": [{"n": n, "quote": quote}],
    }


def _completion(said: str, text: str) -> dict[str, Any]:
    usage = {"prompt_tokens": len(said) // 4, "completion_tokens": len(text) // 4}
    return {
        "id": "load",
        "object": "chat.completion",
        "created": 0,
        "model": "load",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


def _json(
    value: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    return Response(json.dumps(value), status, headers, media_type="application/json")
