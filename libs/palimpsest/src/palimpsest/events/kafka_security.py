"""Security of Kafka connections: TLS and SASL, for every client that is opened."""

import ssl
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from palimpsest.model.errors import PermanentError


class SecurityProtocol(StrEnum):
    PLAINTEXT = "PLAINTEXT"
    SSL = "SSL"
    SASL_PLAINTEXT = "SASL_PLAINTEXT"
    SASL_SSL = "SASL_SSL"


class SaslMechanism(StrEnum):
    PLAIN = "PLAIN"
    SCRAM_SHA_256 = "SCRAM-SHA-256"
    SCRAM_SHA_512 = "SCRAM-SHA-512"


class WrongSecuritySettings(PermanentError):
    """Settings by which no Kafka can be reached: a part is missing or cannot be read."""

    reason = "wrong_security_settings"


@dataclass(frozen=True, kw_only=True)
class KafkaSecurity:
    """TLS and SASL of a broker's listener. The default has neither."""

    protocol: SecurityProtocol = SecurityProtocol.PLAINTEXT
    mechanism: SaslMechanism = SaslMechanism.SCRAM_SHA_512
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    """PEM of the authorities that sign the broker's certificate; None for those of the system."""
    certificate_file: Path | None = None
    """PEM of our own certificate and its chain, if the broker requires one."""
    key_file: Path | None = None
    """PEM of the certificate's key, unless it is in the same file."""

    def __post_init__(self) -> None:
        """Raises WrongSecuritySettings where parts are missing or of no use."""
        if self.uses_sasl and (not self.user or not self.password):
            raise WrongSecuritySettings(f"{self.protocol} needs a user and a password for Kafka.")
        if self.user and not self.uses_sasl:
            raise WrongSecuritySettings(
                f"A user for Kafka is of no use with {self.protocol}: it wants SASL_SSL."
            )
        if (self.ca_file or self.certificate_file) and not self.uses_tls:
            raise WrongSecuritySettings(
                f"Certificates for Kafka are of no use with {self.protocol}: they want SASL_SSL or SSL."
            )
        if self.key_file and not self.certificate_file:
            raise WrongSecuritySettings("A key for Kafka is of no use without its certificate.")

    @property
    def uses_tls(self) -> bool:
        return self.protocol in (SecurityProtocol.SSL, SecurityProtocol.SASL_SSL)

    @property
    def uses_sasl(self) -> bool:
        return self.protocol in (SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL)

    @property
    def who(self) -> str:
        """Our identity at the broker, in words for people."""
        return f"the user {self.user!r}" if self.user else "this client"

    def tls(self) -> ssl.SSLContext | None:
        """Build the TLS context from the files as they are now; None without TLS.

        Raises:
            WrongSecuritySettings: a file is missing or invalid.
        """
        if not self.uses_tls:
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
            if self.certificate_file:
                context.load_cert_chain(self.certificate_file, self.key_file)
        except ssl.SSLError:
            raise WrongSecuritySettings(
                f"Not a certificate, or not its key: one of {self._files()}."
            ) from None
        except OSError as error:
            raise WrongSecuritySettings(
                f"{error.filename or self._files()} for Kafka cannot be read: {error.strerror}."
            ) from None
        return context

    def _files(self) -> str:
        given = (self.ca_file, self.certificate_file, self.key_file)
        return ", ".join(str(path) for path in given if path)

    def options(self) -> dict[str, Any]:
        """Return the arguments for any client of aiokafka.

        Raises:
            WrongSecuritySettings: as in `tls`.
        """
        options: dict[str, Any] = {
            "security_protocol": str(self.protocol),
            "ssl_context": self.tls(),
        }
        if self.uses_sasl:
            options |= {
                "sasl_mechanism": str(self.mechanism),
                "sasl_plain_username": self.user,
                "sasl_plain_password": self.password,
            }
        return options
