"""Reasons why Kafka refuses a connection, in words. Kafka's clients only report a failed bootstrap."""

import asyncio
import ssl
from contextlib import suppress

from aiokafka.conn import create_conn
from aiokafka.errors import (
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    KafkaConnectionError,
    KafkaError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedSaslMechanismError,
)

from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest.model.errors import PermanentError

_SECONDS = 5.0
_ALERT_SECONDS = 1.0
_EXPIRED = 10
"""OpenSSL's X509_V_ERR_CERT_HAS_EXPIRED."""


_MISSING_ACL = (
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    TopicAuthorizationFailedError,
)


class KafkaRefused(PermanentError):
    """The broker and the client do not trust each other; waiting does not help, an operator does."""

    reason = "kafka_refused"


async def diagnose_refusal(bootstrap_servers: str, security: KafkaSecurity) -> KafkaRefused | None:
    """Return why the first broker that refuses us does so; None if no broker does.

    Connects once to each address. Takes at most 5 s for each.
    """
    for address in bootstrap_servers.split(","):
        host, _, port = address.strip().rpartition(":")
        try:
            await _try(host.strip("[]"), int(port), security)
        except (TimeoutError, KafkaError, OSError, ValueError) as error:
            words = _words(error, address.strip(), security)
            if words:
                return KafkaRefused(words)
    return None


async def _try(host: str, port: int, security: KafkaSecurity) -> None:
    patience = int(_SECONDS * 1000)
    try:
        connection = await create_conn(
            host, port, request_timeout_ms=patience, **security.options()
        )
    except KafkaConnectionError:
        if security.uses_tls:
            await _hear_alert(host, port, security)
        raise
    connection.close()


async def _hear_alert(host: str, port: int, security: KafkaSecurity) -> None:
    """Listen after the handshake for the broker's objection to our certificate.

    Raises:
        ssl.SSLError: the broker objects.
    """
    reader, writer = await asyncio.open_connection(host, port, ssl=security.tls())
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(_ALERT_SECONDS):
                await reader.read(1)
    finally:
        writer.transport.abort()


def describe_missing_acl(error: BaseException, what: str, security: KafkaSecurity) -> str | None:
    """Describe a missing ACL, such as for "write to changes"; None if the error is another one."""
    if not isinstance(error, _MISSING_ACL):
        return None
    return (
        f"Kafka does not let {security.who} {what}:"
        " an ACL is missing, `palimpsest acls` prints those that are needed"
    )


def _words(error: BaseException, address: str, security: KafkaSecurity) -> str | None:
    if isinstance(error, SaslAuthenticationFailed):
        return (
            f"Kafka at {address} refused {security.who}: the name or the password is wrong"
            f" for {security.mechanism}."
        )
    if isinstance(error, UnsupportedSaslMechanismError):
        return f"Kafka at {address} does not offer {security.mechanism}."
    if isinstance(error, ssl.SSLError):
        return _words_of_tls(error, address, security)
    return None


def _words_of_tls(error: ssl.SSLError, address: str, security: KafkaSecurity) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code == _EXPIRED:
            return f"The certificate of Kafka at {address} has expired; it must be renewed there."
        return f"The certificate of Kafka at {address} is not trusted: {error.verify_message}."
    reason = error.reason or "it broke off"
    if "ALERT" in reason and security.certificate_file is None:
        return f"Kafka at {address} asks for a certificate of ours, and was shown none: {reason}."
    if "ALERT" in reason:
        return f"Kafka at {address} does not accept our certificate: {reason}."
    return f"Kafka at {address} and we found no way to speak TLS: {reason}."
