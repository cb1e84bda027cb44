"""Connections to public Internet addresses only.

A name is resolved once for each connection, and the connection goes to an address that was checked.
A name that resolves to another address a moment later (DNS rebinding) changes nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Network, ip_address

import httpcore

_INTERNET = IPv6Network("2000::/3")
_TUNNELS = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo and 6to4: both hide an IPv4 address, which may be private."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class AddressRefused(httpcore.ConnectError):
    """The host name resolves to an address that must not be connected to."""


def is_public_address(address: str) -> bool:
    """Tell whether the address is public: the same machine from everywhere on the Internet."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv4Address):
        return found.is_global and not found.is_multicast
    if found.ipv4_mapped is not None:
        return is_public_address(str(found.ipv4_mapped))
    return found in _INTERNET and found.is_global and not any(found in each for each in _TUNNELS)


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, as the system names them."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Network of a connection pool that connects only to addresses that `allows` accepts."""

    def __init__(
        self,
        *,
        allows: Callable[[str], bool] = is_public_address,
        resolve: Resolve = resolve_name,
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._allows = allows
        self._resolve = resolve
        self._network = network or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the pool's
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the host's addresses; TLS still asks for the host's name.

        Raises:
            AddressRefused: one of them is no address to be connected to.
            ConnectError: there is no such host, or nobody answers there.
        """
        try:
            async with asyncio.timeout(timeout):
                addresses = await self._resolve(host, port)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise httpcore.ConnectError("there is no host of this name") from error
        if not addresses or not all(map(self._allows, addresses)):
            raise AddressRefused("the name points to an address that is not public")
        return await self._network.connect_tcp(
            addresses[0], port, timeout, local_address, socket_options
        )

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
