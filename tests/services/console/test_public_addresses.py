"""Webhooks reach the Internet alone, whatever a name points to and whenever."""

from collections.abc import Sequence

import httpcore
import pytest

from services.console.public_addresses import AddressRefused, CheckedNetwork, is_public_address


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "198.18.0.1"),
        *("::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1"),
        *("64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::1", "::127.0.0.1", "2001:db8::1"),
    ],
)
def test_other_addresses_are_not(address: str) -> None:
    assert not is_public_address(address)


class Network(httpcore.AsyncNetworkBackend):
    """Remembers where a connection was made to."""

    def __init__(self) -> None:
        self.connected: list[str] = []

    async def connect_tcp(self, host: str, *_: object, **__: object) -> httpcore.AsyncMockStream:
        self.connected.append(host)
        return httpcore.AsyncMockStream([])


def network_of(*answers: Sequence[str]) -> tuple[CheckedNetwork, Network]:
    """A network whose one name points to these addresses in turn."""
    left, beneath = list(answers), Network()

    async def resolve(host: str, port: int) -> Sequence[str]:
        return left.pop(0)

    return CheckedNetwork(resolve=resolve, network=beneath), beneath


async def test_a_connection_goes_to_the_address_that_was_checked() -> None:
    network, beneath = network_of(["93.184.216.34"], ["127.0.0.1"])
    await network.connect_tcp("hooks.example", 443)
    # The name was asked for once: that it points elsewhere by now changes nothing.
    assert beneath.connected == ["93.184.216.34"]
    with pytest.raises(AddressRefused):
        await network.connect_tcp("hooks.example", 443)
    assert beneath.connected == ["93.184.216.34"]


async def test_a_name_with_one_private_address_among_its_addresses_is_refused() -> None:
    network, beneath = network_of(["93.184.216.34", "10.0.0.1"], [])
    for _ in range(2):
        with pytest.raises(AddressRefused):
            await network.connect_tcp("hooks.example", 443)
    assert beneath.connected == []
