"""What is told of a broker that does not let us in, by listeners that are none."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from aiokafka.errors import GroupAuthorizationFailedError, NotLeaderForPartitionError

from palimpsest.events.kafka_refusals import KafkaRefused, describe_missing_acl, diagnose_refusal
from palimpsest.events.kafka_security import KafkaSecurity, SecurityProtocol

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


@asynccontextmanager
async def listening(tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Somebody who takes every connection and closes it."""

    async def close(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(close, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def security(authority: trustme.CA, tmp_path: Path) -> KafkaSecurity:
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(file)
    return KafkaSecurity(protocol=SecurityProtocol.SSL, ca_file=file)


def context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(made)
    return made


async def refused(address: str, security: KafkaSecurity) -> str | None:
    why = await diagnose_refusal(address, security)
    assert why is None or isinstance(why, KafkaRefused)
    return None if why is None else str(why)


async def test_an_expired_certificate(authority: trustme.CA, security: KafkaSecurity) -> None:
    old = authority.issue_cert("127.0.0.1", not_before=NOW - 2 * DAY, not_after=NOW - DAY)
    async with listening(context(old)) as address:
        assert await refused(address, security) == (
            f"The certificate of Kafka at {address} has expired; it must be renewed there."
        )


async def test_a_certificate_for_another_name(
    authority: trustme.CA, security: KafkaSecurity
) -> None:
    async with listening(context(authority.issue_cert("kafka.example"))) as address:
        words = await refused(address, security)
    assert words is not None
    assert "is not trusted" in words


async def test_a_certificate_of_an_unknown_authority(security: KafkaSecurity) -> None:
    async with listening(context(trustme.CA().issue_cert("127.0.0.1"))) as address:
        words = await refused(address, security)
    assert words is not None
    assert "is not trusted" in words


async def test_the_second_address_is_asked_where_the_first_is_only_away(
    authority: trustme.CA, security: KafkaSecurity
) -> None:
    old = authority.issue_cert("127.0.0.1", not_before=NOW - 2 * DAY, not_after=NOW - DAY)
    async with listening(context(old)) as address:
        words = await refused(f"127.0.0.1:1, {address}", security)
    assert words is not None
    assert address in words


async def test_who_is_away_or_hangs_up_has_refused_nothing(
    authority: trustme.CA, security: KafkaSecurity
) -> None:
    assert await refused("127.0.0.1:1", security) is None
    assert await refused("not an address", KafkaSecurity()) is None
    async with listening() as address:
        assert await refused(address, KafkaSecurity()) is None
    async with listening(context(authority.issue_cert("127.0.0.1"))) as address:
        assert await refused(address, security) is None


def test_only_a_missing_right_is_called_one() -> None:
    security = KafkaSecurity()
    assert describe_missing_acl(NotLeaderForPartitionError(), "write to x", security) is None
    words = describe_missing_acl(GroupAuthorizationFailedError(), "read in the group x", security)
    assert words is not None
    assert words.startswith("Kafka does not let this client read in the group x: an ACL is missing")
