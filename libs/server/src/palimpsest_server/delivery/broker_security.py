"""The security of a Kafka in FastStream's terms."""

from faststream.security import BaseSecurity, SASLPlaintext, SASLScram256, SASLScram512

from palimpsest.events.kafka_security import KafkaSecurity, SaslMechanism

_SASL: dict[SaslMechanism, type[SASLPlaintext | SASLScram256 | SASLScram512]] = {
    SaslMechanism.PLAIN: SASLPlaintext,
    SaslMechanism.SCRAM_SHA_256: SASLScram256,
    SaslMechanism.SCRAM_SHA_512: SASLScram512,
}


def build_broker_security(security: KafkaSecurity) -> BaseSecurity | None:
    """Return the security options; None if neither TLS nor a password is configured.

    Raises:
        WrongSecuritySettings: a file of certificates cannot be read.
    """
    if security.uses_sasl:
        return _SASL[security.mechanism](
            username=security.user or "",
            password=security.password or "",
            ssl_context=security.tls(),
        )
    return BaseSecurity(ssl_context=security.tls()) if security.uses_tls else None
