"""The transport over HTTP: one connection pool, bodies as JSON, errors by status."""

import ssl
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlencode
from uuid import uuid4

import httpx
from pydantic import BaseModel

from palimpsest.api.command_requests import ReasonRequest
from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.api.resources import (
    CommandResult,
    EventResult,
    EventResults,
    MemoryDetail,
    MemoryList,
    MemoryQuery,
    Problem,
    SettingsUpdate,
    UsageQuery,
    UserUsage,
)
from palimpsest.client.errors import NotConnected
from palimpsest.client.event_encoding import split_into_bodies
from palimpsest.client.http_responses import (
    HttpResponse,
    build_refusal_error,
    build_unreachable_error,
    parse_http_answer,
)
from palimpsest.client.proxies_and_certificates import find_proxy, load_trusted_certificates
from palimpsest.client.request_validation import encode_path_id
from palimpsest.client.retries import retry_while_unavailable
from palimpsest.events.envelope import Event
from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings

AnswerT = TypeVar("AnswerT", bound=BaseModel)


SILENCE_TIMEOUT_SECONDS = 4.0
"""Seconds after which an idle connection is closed; the services close it after five."""

CONNECTIONS = 100
"""The most connections of one client; a further call waits for one."""

Parameters = Mapping[str, str | Sequence[str]]


def parse_http_address(url: str) -> httpx.URL:
    """Parse the address of the services.

    Raises:
        ValueError: it is not an HTTP address.
    """
    words = f"{url} is no address of HTTP, such as http://127.0.0.1:8000"
    try:
        address = httpx.URL(url.rstrip("/"))
    except httpx.InvalidURL as error:
        raise ValueError(words) from error
    if address.scheme not in {"http", "https"} or not address.host:
        raise ValueError(words)
    return address


class HttpTransport:
    """HTTP transport for all calls. `timeout_seconds` covers a call with all its attempts."""

    def __init__(self, url: str, *, timeout_seconds: float, api_key: str | None = None) -> None:
        address = parse_http_address(url)
        self._url = str(address)
        self._whom = str(address.copy_with(userinfo=b""))
        key = (api_key or "").strip()
        if key and address.userinfo:
            raise ValueError("give an api_key or a name and password in the address, not both")
        if any(character < " " for character in key):
            raise ValueError("the api_key holds a line break or another control character")
        self._authorization = {b"Authorization": f"Bearer {key}".encode()} if key else {}
        self._timeout_seconds = timeout_seconds
        self._http: httpx.AsyncClient | None = None

    async def open(self) -> None:
        is_secure = httpx.URL(self._url).scheme == "https"
        self._http = httpx.AsyncClient(
            verify=_share_certificates() if is_secure else False,
            limits=httpx.Limits(
                max_connections=CONNECTIONS,
                max_keepalive_connections=CONNECTIONS,
                keepalive_expiry=SILENCE_TIMEOUT_SECONDS,
            ),
            proxy=find_proxy(httpx.URL(self._url)),
            # The proxy is looked up once, and credentials from `.netrc` are not sent.
            trust_env=False,
            # `retrying` holds the time limit of a call with all its attempts.
            timeout=None,  # noqa: S113 - see above
            headers={b"Content-Type": b"application/json", **self._authorization},
        )

    async def close(self) -> None:
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def publish(self, events: Sequence[Event]) -> EventResults:
        results: list[EventResult] = []
        for body in list(split_into_bodies(events)):
            answer = await self._call("POST", "/v1/events", EventResults, content=body)
            results += answer.results
        return EventResults(results=tuple(results))

    async def recall(self, request: RecallRequest) -> RecallResponse:
        return await self._call("POST", "/v1/recall", RecallResponse, content=_json(request))

    async def context(self, request: ContextRequest) -> ContextResponse:
        return await self._call("POST", "/v1/context", ContextResponse, content=_json(request))

    async def list(self, query: MemoryQuery) -> MemoryList:
        parameters = _parameters(query)
        return await self._call("GET", "/v1/memories", MemoryList, parameters=parameters)

    async def get(self, scope: Scope, memory_id: str) -> MemoryDetail:
        path = f"/v1/memories/{encode_path_id(memory_id)}"
        return await self._call("GET", path, MemoryDetail, parameters=_parameters(scope))

    async def forget(
        self,
        scope: Scope,
        memory_id: str,
        reason: str | None,
        *,
        idempotency_key: str | None = None,
    ) -> CommandResult:
        return await self._call(
            "POST",
            f"/v1/memories/{encode_path_id(memory_id)}/forget",
            CommandResult,
            parameters=_parameters(scope),
            content=_json(ReasonRequest(reason=reason)),
            headers=_idempotent(idempotency_key),
        )

    async def command(
        self,
        method: str,
        path: str,
        whose: BaseModel,
        body: BaseModel | None,
        answer: type[AnswerT],
        *,
        idempotency_key: str | None = None,
    ) -> AnswerT:
        return await self._call(
            method,
            path,
            answer,
            parameters=_parameters(whose),
            content=None if body is None else _said(body),
            headers=_idempotent(idempotency_key),
        )

    async def send_once(
        self,
        method: str,
        path: str,
        answer: type[AnswerT],
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float,
    ) -> AnswerT:
        try:
            response = await self._entered.request(
                method,
                f"{self._url}{path}",
                content=content,
                headers=_encode(headers),
                timeout=timeout_seconds,
            )
        except httpx.RequestError as error:
            raise build_unreachable_error(error, self._whom) from error
        return parse_http_answer(
            HttpResponse(response.status_code, response.headers, response.content), answer
        )

    async def lines(
        self,
        path: str,
        whose: BaseModel | None,
        *,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        silence_seconds: float | None = None,
    ) -> AsyncGenerator[bytes, None]:
        url = f"{self._url}{path}{_query(_parameters(whose) if whose else None)}"
        method = "GET" if content is None else "POST"
        silence = httpx.Timeout(None, read=silence_seconds)
        try:
            async with self._entered.stream(
                method, url, content=content, headers=_encode(headers), timeout=silence
            ) as response:
                if response.status_code != HTTPStatus.OK:
                    body = await response.aread()
                    raise build_refusal_error(
                        HttpResponse(response.status_code, response.headers, body)
                    )
                rest = b""
                async for part in response.aiter_bytes():
                    *whole, rest = (rest + part).split(b"\n")
                    for line in whole:
                        yield line
        except httpx.RequestError as error:
            raise build_unreachable_error(error, self._whom) from error

    async def settings(self, user_id: str) -> UserSettings:
        parameters = _parameters(Scope(user_id=user_id))
        return await self._call("GET", "/v1/settings", UserSettings, parameters=parameters)

    async def set_settings(self, user_id: str, update: SettingsUpdate) -> CommandResult:
        return await self._call(
            "PUT",
            "/v1/settings",
            CommandResult,
            parameters=_parameters(Scope(user_id=user_id)),
            content=_said(update),
            headers=_idempotent(),
        )

    async def usage(self, query: UsageQuery) -> UserUsage:
        return await self._call("GET", "/v1/usage", UserUsage, parameters=_parameters(query))

    @property
    def _entered(self) -> httpx.AsyncClient:
        if self._http is None:
            raise NotConnected(_NOT_ENTERED)
        return self._http

    async def _call(
        self,
        method: str,
        path: str,
        answer: type[AnswerT],
        *,
        parameters: Parameters | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AnswerT:
        http, url = self._entered, f"{self._url}{path}{_query(parameters)}"

        async def attempt() -> AnswerT:
            try:
                response = await http.request(method, url, content=content, headers=headers)
            except httpx.RequestError as error:
                raise build_unreachable_error(error, self._whom) from error
            return parse_http_answer(
                HttpResponse(response.status_code, response.headers, response.content), answer
            )

        return await retry_while_unavailable(
            attempt, whom=self._whom, within_seconds=self._timeout_seconds
        )


@cache
def _share_certificates() -> ssl.SSLContext:
    """Load certificates once for all clients of a process: it takes longer than many calls."""
    return load_trusted_certificates()


_NOT_ENTERED = Problem(
    reason="not_connected", message="use the client as a context manager: `async with`"
)


def _json(value: BaseModel) -> bytes:
    return value.model_dump_json(exclude_none=True).encode()


def _encode(headers: Mapping[str, str] | None) -> dict[bytes, bytes]:
    """Encode headers, whose values are ids of any signs."""
    return {name.encode(): value.encode() for name, value in (headers or {}).items()}


def _said(value: BaseModel) -> bytes:
    """Encode the set fields, with those set to null, which clears them; leave out unset fields."""
    return value.model_dump_json(exclude_unset=True).encode()


def _query(parameters: Parameters | None) -> str:
    """Percent-encode parameters; a list repeats its name for each value."""
    return f"?{urlencode(parameters, doseq=True)}" if parameters else ""


def _parameters(value: BaseModel) -> Parameters:
    fields = value.model_dump(mode="json", exclude_none=True)
    return {
        name: field if isinstance(field, list) else str(field) for name, field in fields.items()
    }


def _idempotent(key: str | None = None) -> dict[str, str]:
    """Return the key of one call, a new one unless it is given: all its attempts are one command.

    A header holds ASCII alone: a key in other letters is sent as an id that is derived from it.
    """
    key = key or str(uuid4())
    fits_header = key.isascii() and key.isprintable() and key == key.strip()
    return {"Idempotency-Key": key if fits_header else derive_id("idempotency key", key)}
