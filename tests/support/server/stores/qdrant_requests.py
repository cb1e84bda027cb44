"""A transport that records what a Qdrant client sends, and answers as a server would."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx
from qdrant_client import AsyncQdrantClient

MISSING = 404


class SentRequest(NamedTuple):
    method: str
    path: str
    body: Any
    api_key: str | None


class RecordingServer:
    """Answers by method and path; whatever has no answer of its own is done."""

    def __init__(self, answers: Mapping[tuple[str, str], Any] | None = None) -> None:
        self.answers = dict(answers or {})
        self.requests: list[SentRequest] = []
        self.key: str | None = None
        """The only key that is let in; `GET /` is answered without, as by a real server."""

    def client(self, api_key: str | None = None) -> AsyncQdrantClient:
        return AsyncQdrantClient(
            url="https://qdrant:6333",
            api_key=api_key,
            check_compatibility=False,
            transport=httpx.MockTransport(self._answer),
        )

    def sent(self, method: str, part: str = "") -> list[SentRequest]:
        """Return what was sent by this method to paths that hold this part."""
        return [
            request
            for request in self.requests
            if request.method == method and part in request.path
        ]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else None
        sent = SentRequest(request.method, request.url.path, body, request.headers.get("api-key"))
        self.requests.append(sent)
        if self.key not in (None, sent.api_key) and sent.path != "/":
            return httpx.Response(401, text="Must provide an API key")
        if sent.path == "/":
            return httpx.Response(200, json={"title": "qdrant", "version": "1.20.0"})
        done = _WRITTEN if sent.path.endswith(("/points", "/index")) else True
        answer = self.answers.get((sent.method, sent.path), done)
        if callable(answer):
            answer = answer(sent)
        if answer == MISSING:
            return httpx.Response(404, json={"status": {"error": "Not found"}, "time": 0.0})
        return httpx.Response(200, json={"result": answer, "status": "ok", "time": 0.0})


_WRITTEN = {"operation_id": 1, "status": "completed"}
