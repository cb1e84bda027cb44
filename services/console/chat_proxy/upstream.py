"""The vendor that chats are passed on to, at one address of the settings."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus

import httpx
from pydantic import SecretStr

from palimpsest.client.proxies_and_certificates import find_proxy, load_trusted_certificates
from palimpsest_server.runtime.http.scope_headers import KEY_HEADER
from services.console.chat_proxy.chat_dialects import ChatDialect

CONNECT_SECONDS = 10.0

RawHeaders = Sequence[tuple[bytes, bytes]]

_OF_ONE_CONNECTION = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer"),
        *(b"transfer-encoding", b"upgrade", b"proxy-authorization", b"proxy-authenticate"),
    }
)

_NOT_FOR_UPSTREAM = _OF_ONE_CONNECTION | {
    *(b"host", b"content-length", b"expect", b"accept-encoding"),
    # Headers of our own deployment, and of web pages at our address.
    *(b"cookie", b"forwarded", b"x-real-ip"),
}
_PREFIXES_NOT_FOR_UPSTREAM = (b"x-palimpsest-", b"x-forwarded-")

_NOT_FOR_CLIENT = _OF_ONE_CONNECTION | {
    # They are about the upstream's address, and would be taken to be about ours.
    *(b"date", b"server", b"set-cookie", b"alt-svc", b"strict-transport-security"),
}

_NO_HEADER = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
"""Characters that no header holds: a server refuses to send them on, and would break off the answer."""


class Upstream:
    """Sends requests to one vendor. Redirects are not followed, and `.netrc` is not used."""

    def __init__(self, dialect: ChatDialect, url: str, key: SecretStr | None) -> None:
        self._url = httpx.URL(f"{url}{dialect.upstream_path}")
        self._models_url = httpx.URL(f"{url}{dialect.models_path}")
        self._key = None if key is None else dialect.show_key(key.get_secret_value())
        self._opening = asyncio.Lock()
        self._http: httpx.AsyncClient | None = None

    async def send(
        self,
        body: bytes,
        headers: RawHeaders,
        *,
        query: str,
        accept_encoding: str,
        shows_ours: bool,
        asks_for_models: bool = False,
    ) -> httpx.Response:
        """Send a chat, or ask for the list of models; return the answer with its body unread.

        The caller closes it. `shows_ours` tells that `Authorization` holds a key of Palimpsest.

        Raises:
            httpx.RequestError: the upstream does not answer.
        """
        passed = list(_for_upstream(headers))
        if shows_ours:
            passed = [each for each in passed if each[0] != b"authorization"]
        if self._key is not None:
            shown = {b"authorization", b"x-api-key"}
            passed = [each for each in passed if each[0] not in shown] + [self._key]
        passed.append((b"accept-encoding", accept_encoding.encode()))
        url = self._models_url if asks_for_models else self._url
        http = await self._open()
        request = httpx.Request(
            "GET" if asks_for_models else "POST",
            url.copy_with(query=query.encode()) if query else url,
            headers=passed,
            content=None if asks_for_models else body,
            # A model may think for long: a client that waits no longer leaves.
            extensions={"timeout": {"connect": CONNECT_SECONDS, "read": None}},
        )
        return await http.send(request, stream=True, follow_redirects=False)

    async def close(self) -> None:
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _open(self) -> httpx.AsyncClient:
        async with self._opening:
            if self._http is None:
                # Loading certificates takes a moment: without chats they are never loaded.
                verify = await asyncio.to_thread(load_trusted_certificates)
                self._http = httpx.AsyncClient(
                    verify=verify,
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
                    proxy=find_proxy(self._url),
                    trust_env=False,
                )
            return self._http


def list_answer_headers(response: httpx.Response) -> RawHeaders:
    """List the headers of an answer to pass on."""
    named = _names_in_connection(response.headers.raw)
    return [
        (name.lower(), value)
        for name, value in response.headers.raw
        if name.lower() not in _NOT_FOR_CLIENT | named and not _NO_HEADER.search(value)
    ]


def has_status_of_http(response: httpx.Response) -> bool:
    """Return whether the status of an answer can be sent on."""
    return 100 <= response.status_code < 600


def is_success(response: httpx.Response) -> bool:
    return HTTPStatus.OK <= response.status_code < HTTPStatus.MULTIPLE_CHOICES


def choose_encoding(headers: Mapping[str, str]) -> str:
    """Return an encoding that the client accepts and that can be read on the way."""
    accepted = headers.get("accept-encoding", "").lower()
    return "gzip" if "gzip" in accepted else "identity"


def _for_upstream(headers: RawHeaders) -> Iterable[tuple[bytes, bytes]]:
    left_out = _NOT_FOR_UPSTREAM | _names_in_connection(headers)
    for name, value in headers:
        lower = name.lower()
        if lower not in left_out and not lower.startswith(_PREFIXES_NOT_FOR_UPSTREAM):
            yield lower, value


def _names_in_connection(headers: RawHeaders) -> frozenset[bytes]:
    return frozenset(
        named.strip().lower()
        for name, value in headers
        if name.lower() == b"connection"
        for named in value.split(b",")
    )


assert KEY_HEADER.encode().startswith(_PREFIXES_NOT_FOR_UPSTREAM)  # noqa: S101 - a key must not leave
