"""An endpoint that keeps what it is sent, and answers as a test says."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fastapi import FastAPI, Request, Response
from standardwebhooks import Webhook

from tests.support.serving import serving


class Received(NamedTuple):
    event_id: str
    event: dict[str, Any]
    answered: int


class WebhookReceiver:
    def __init__(self, secret: str) -> None:
        self.url = ""
        self.status = 200
        self.refuses: set[str] = set()
        """Ids of memories of which it wants to hear nothing."""
        self.received: list[Received] = []
        self.notes: list[dict[str, Any]] = []
        """What it was sent by Apprise, as JSON."""
        self.on_request: Callable[[], Awaitable[None]] | None = None
        """Called with each event before it is answered."""
        self._secret = secret

    @property
    def taken(self) -> list[dict[str, Any]]:
        """The events that it took, in their order."""
        return [each.event for each in self.received if each.answered < 300]

    async def receive(self, request: Request) -> Response:
        body = (await request.body()).decode()
        if "webhook-id" not in request.headers:
            self.notes.append(json.loads(body))
            return Response(status_code=self.status)
        event_id = request.headers["webhook-id"]
        sent_at = datetime.fromtimestamp(int(request.headers["webhook-timestamp"]), UTC)
        signed = Webhook(self._secret).sign(event_id, sent_at, body)
        assert request.headers["webhook-signature"] == signed
        event = json.loads(body)
        status = 500 if event["data"].get("id") in self.refuses else self.status
        if self.on_request is not None:
            await self.on_request()
        self.received.append(Received(event_id, event, status))
        return Response(status_code=status, headers={"Location": self.url})


@asynccontextmanager
async def receiving(secret: str) -> AsyncIterator[WebhookReceiver]:
    receiver, application = WebhookReceiver(secret), FastAPI()
    application.post("/hook")(receiver.receive)
    async with serving(application) as url:
        receiver.url = f"{url}/hook"
        yield receiver
