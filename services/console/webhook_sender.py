"""Sends one signed request to an endpoint, by Standard Webhooks; redirects are not followed."""

import asyncio
import ssl
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from importlib.metadata import version
from math import floor

import httpcore
from standardwebhooks import Webhook as Signer

from palimpsest.model.clock import Clock
from palimpsest_server.domain.webhook_schedule import Attempt
from services.console.public_addresses import AddressRefused, CheckedNetwork, is_public_address
from services.console.webhook_leases import REQUEST_SECONDS

CONNECT_SECONDS = 5.0
CONNECTIONS = 100

_AGENT = f"Palimpsest/{version('palimpsest-memory')}"


class WebhookSender:
    def __init__(
        self,
        *,
        allows_private: bool,
        clock: Clock,
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        """`allows_private` permits endpoints on this machine and in private networks."""
        self.allows_private = allows_private
        self._clock = clock
        allows = _allow_any if allows_private else is_public_address
        self._network = network or CheckedNetwork(allows=allows)
        self._pool: httpcore.AsyncConnectionPool | None = None

    async def send(self, url: str, secret: str, event_id: str, body: str) -> Attempt:
        """Send this body once, and return the result."""
        now = self._clock()
        headers: Mapping[bytes | str, bytes | str] = {
            "Content-Type": "application/json",
            "User-Agent": _AGENT,
            "webhook-id": event_id,
            "webhook-timestamp": str(floor(now.timestamp())),
            "webhook-signature": _sign(secret, event_id, now, body),
        }
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                status = await self._post(url, headers, body)
        except (TimeoutError, httpcore.TimeoutException):
            return Attempt(failure="timed_out")
        except AddressRefused:
            return Attempt(failure="private_address")
        except ssl.SSLError:
            return Attempt(failure="tls")
        except (httpcore.NetworkError, OSError) as error:
            return Attempt(failure="tls" if _is_about_tls(error) else "unreachable")
        except (httpcore.ProtocolError, httpcore.UnsupportedProtocol, ValueError):
            return Attempt(failure="no_http")
        return Attempt(status, _name_failure(status))

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.aclose()

    async def _post(self, url: str, headers: Mapping[bytes | str, bytes | str], body: str) -> int:
        if self._pool is None:
            # Loading certificates takes a moment: without webhooks they are never loaded.
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=httpcore.default_ssl_context(),
                max_connections=CONNECTIONS,
                keepalive_expiry=5.0,
                network_backend=self._network,
            )
        seconds = {"connect": CONNECT_SECONDS, "pool": REQUEST_SECONDS}
        async with self._pool.stream(
            "POST", url, headers=headers, content=body.encode(), extensions={"timeout": seconds}
        ) as response:
            # The body of the answer is ignored, and may be endless.
            return response.status


def _allow_any(_address: str) -> bool:
    return True


def _sign(secret: str, event_id: str, now: datetime, body: str) -> str:
    return Signer(secret).sign(event_id, now, body)


def _name_failure(status: int) -> str | None:
    if HTTPStatus(200) <= status < HTTPStatus.MULTIPLE_CHOICES:
        return None
    return "redirected" if status < HTTPStatus.BAD_REQUEST else "refused"


def _is_about_tls(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
