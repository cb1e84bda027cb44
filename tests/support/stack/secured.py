"""An Apache Kafka that trusts nobody: TLS and SCRAM, certificates made for the moment, ACLs."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from palimpsest.events.kafka_security import KafkaSecurity, SecurityProtocol
from tests.support.stack.kafka_script import SCRIPT

PASSWORDS = {
    name: f"{name}-password"
    for name in ("ingest", "extractor", "embedder", "consolidator", "recall", "console")
}
PASSWORDS |= {
    "chat-services": "chat-password",
    "stranger": "stranger-password",
    "half": "half-password",
}

PREFIX = "acl-"
"""Of the topics that rights are given to."""

# Who comes in without a password, by the plain listener, is the operator who gives out rights.
_PROPERTIES = """
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:operator
sasl.enabled.mechanisms=SCRAM-SHA-512
"""
_KEYS = """
listener.name.{name}.ssl.keystore.type=PEM
listener.name.{name}.ssl.keystore.location={file}
listener.name.{name}.scram-sha-512.sasl.jaas.config=\
  org.apache.kafka.common.security.scram.ScramLoginModule required;
"""
_DAY = timedelta(days=1)

# Whoever shows a certificate of ours is an operator.
_MUTUAL = """
listener.name.mutual.ssl.keystore.type=PEM
listener.name.mutual.ssl.keystore.location={file}
listener.name.mutual.ssl.truststore.type=PEM
listener.name.mutual.ssl.truststore.location={ca_file}
listener.name.mutual.ssl.client.auth=required
listener.name.mutual.ssl.principal.mapping.rules=RULE:^.*$/operator/
"""


@dataclass(frozen=True, kw_only=True)
class SecuredKafka:
    plain: str
    secured: str
    expired: str
    """The same broker behind a certificate whose time is over."""
    mutual: str
    """Without a password: by a certificate of the client's."""
    ca_file: Path
    certificate_file: Path
    """Of a client, with its key."""
    strange_ca_file: Path
    """Of an authority that has signed nothing here."""

    def security(
        self, user: str, password: str | None = None, ca_file: Path | None = None
    ) -> KafkaSecurity:
        return KafkaSecurity(
            protocol=SecurityProtocol.SASL_SSL,
            user=user,
            password=password or PASSWORDS[user],
            ca_file=ca_file or self.ca_file,
        )

    def allow(self, commands: Iterable[str]) -> None:
        """Run calls of `kafka-acls.sh`, two at a time: each is a Java of its own."""
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self._allow, commands))

    def _allow(self, command: str) -> None:
        script, *arguments = command.split()
        assert script == "kafka-acls.sh"
        java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", _tools()]
        told = subprocess.run(
            [
                *java,
                "org.apache.kafka.tools.AclCommand",
                "--bootstrap-server",
                self.plain,
                *arguments,
            ],
            check=False,
            capture_output=True,
            text=True,
        )
        assert told.returncode == 0, told.stderr + told.stdout


@contextmanager
def secured_kafka(directory: Path) -> Iterator[SecuredKafka]:
    """Started for the tests, gone with them. Skips where there is no Java and Maven."""
    directory.mkdir(parents=True)
    authority = trustme.CA()
    now = datetime.now(UTC)
    valid = authority.issue_cert("127.0.0.1")
    expired = authority.issue_cert("127.0.0.1", not_before=now - 2 * _DAY, not_after=now - _DAY)
    ca_file, strange = directory / "ca.pem", directory / "strange.pem"
    authority.cert_pem.write_to_path(ca_file)
    trustme.CA().cert_pem.write_to_path(strange)
    certificate = directory / "client.pem"
    authority.issue_cert("operator.example").private_key_and_cert_chain_pem.write_to_path(
        certificate
    )
    properties = directory / "more.properties"
    properties.write_text(
        _PROPERTIES
        + _KEYS.format(name="secured", file=_keystore(valid, directory / "valid.pem"))
        + _KEYS.format(name="expired", file=_keystore(expired, directory / "expired.pem"))
        + _MUTUAL.format(file=directory / "valid.pem", ca_file=ca_file)
    )
    broker = subprocess.Popen(
        [
            *(sys.executable, SCRIPT, "--directory", directory / "node", "--leashed"),
            *("--properties", properties),
            *("--listener", "SECURED=SASL_SSL", "--listener", "EXPIRED=SASL_SSL"),
            *("--listener", "MUTUAL=SSL"),
            *(part for user in PASSWORDS.items() for part in ("--scram", "=".join(user))),
            "run",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert broker.stdin
    assert broker.stdout
    assert broker.stderr
    plain = broker.stdout.readline().strip()
    if not plain:
        words = broker.stderr.read().strip()
        broker.wait(30)
        if "can't be started here" in words:
            pytest.skip(f"no secured Kafka: {words.splitlines()[-1]}")
        pytest.fail(f"the secured Kafka did not start: {words}")
    addresses = dict(broker.stdout.readline().split() for _ in range(3))
    try:
        yield SecuredKafka(
            plain=plain,
            secured=addresses["SECURED"],
            expired=addresses["EXPIRED"],
            mutual=addresses["MUTUAL"],
            ca_file=ca_file,
            certificate_file=certificate,
            strange_ca_file=strange,
        )
    finally:
        broker.stdin.close()
        broker.wait(30)


def _keystore(leaf: trustme.LeafCert, file: Path) -> Path:
    """Key and chain in one PEM. Kafka reads keys in PKCS#8 only."""
    key = load_pem_private_key(leaf.private_key_pem.bytes(), password=None)
    chain = b"".join(blob.bytes() for blob in leaf.cert_chain_pems)
    pkcs8 = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(pkcs8 + chain)
    return file


@cache
def _tools() -> str:
    """The class path of Kafka's own command line tools."""
    printed = subprocess.run(
        [sys.executable, SCRIPT, "tools"], check=True, capture_output=True, text=True
    )
    return printed.stdout.strip()
