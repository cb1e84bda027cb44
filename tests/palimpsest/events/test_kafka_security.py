"""What the settings of a secured Kafka must be, before any broker is asked."""

from pathlib import Path

import pytest
import trustme

from palimpsest.events.kafka_security import (
    KafkaSecurity,
    SaslMechanism,
    SecurityProtocol,
    WrongSecuritySettings,
)

SASL_SSL = SecurityProtocol.SASL_SSL


def test_without_settings_nothing_is_secured() -> None:
    options = KafkaSecurity().options()
    assert options == {"security_protocol": "PLAINTEXT", "ssl_context": None}


def test_a_password_is_never_shown() -> None:
    security = KafkaSecurity(protocol=SASL_SSL, user="recall", password="hush-hush")
    assert "hush-hush" not in repr(security)
    options = security.options()
    assert options["sasl_plain_password"] == "hush-hush"
    assert options["sasl_mechanism"] == SaslMechanism.SCRAM_SHA_512
    assert options["ssl_context"].check_hostname


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"protocol": SASL_SSL}, "needs a user and a password"),
        ({"protocol": SASL_SSL, "user": "recall", "password": ""}, "needs a user and a password"),
        ({"user": "recall", "password": "hush"}, "of no use with PLAINTEXT"),
        ({"ca_file": Path("ca.pem")}, "of no use with PLAINTEXT"),
        (
            {"protocol": SecurityProtocol.SSL, "key_file": Path("key.pem")},
            "without its certificate",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_in_words(
    given: dict[str, object], words: str
) -> None:
    with pytest.raises(WrongSecuritySettings, match=words):
        KafkaSecurity(**given)  # type: ignore[arg-type]


def test_files_that_are_missing_or_hold_something_else_are_named(tmp_path: Path) -> None:
    missing = KafkaSecurity(protocol=SecurityProtocol.SSL, ca_file=tmp_path / "none.pem")
    with pytest.raises(WrongSecuritySettings, match=r"none\.pem|No such file"):
        missing.options()
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("not a certificate")
    with pytest.raises(WrongSecuritySettings, match=r"wrong\.pem"):
        KafkaSecurity(protocol=SecurityProtocol.SSL, ca_file=wrong).options()


def test_a_certificate_of_our_own_is_read_with_its_key(tmp_path: Path) -> None:
    authority = trustme.CA()
    ours = authority.issue_cert("recall.example")
    ca, both = tmp_path / "ca.pem", tmp_path / "ours.pem"
    authority.cert_pem.write_to_path(ca)
    ours.private_key_and_cert_chain_pem.write_to_path(both)
    security = KafkaSecurity(protocol=SecurityProtocol.SSL, ca_file=ca, certificate_file=both)
    assert len(security.options()["ssl_context"].get_ca_certs()) == 1
