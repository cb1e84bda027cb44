from palimpsest_language.redaction.policy import (
    DEFAULT_POLICY,
    PrivacyPolicy,
    SecretHandling,
    SecretKind,
)
from palimpsest_language.redaction.redactor import find_redacted_kinds, redact

SAID = "call 13812345678 or ana@example.org, password: hunter2"


def test_by_default_numbers_to_call_and_addresses_stay() -> None:
    assert redact(SAID).text == "call 13812345678 or ana@example.org, password: [redacted:password]"


def test_a_setting_adds_to_the_defaults() -> None:
    policy = PrivacyPolicy.of({SecretKind.EMAIL: SecretHandling.REDACT})
    assert redact(SAID, policy).text == (
        "call 13812345678 or [redacted:email], password: [redacted:password]"
    )


def test_what_is_blocked_is_taken_out_too() -> None:
    policy = PrivacyPolicy.of({SecretKind.PHONE: SecretHandling.BLOCK})
    assert policy.blocked == {SecretKind.PHONE}
    assert "13812345678" not in redact(SAID, policy).text
    assert DEFAULT_POLICY.blocked == frozenset()


def test_what_is_allowed_is_not_looked_for() -> None:
    policy = PrivacyPolicy.of(dict.fromkeys(SecretKind, SecretHandling.ALLOW))
    assert redact(SAID, policy).findings == ()


def test_marks_tell_what_was_taken_out() -> None:
    text = redact(SAID).text + " [redacted:nothing_known]"
    assert find_redacted_kinds(text) == {SecretKind.PASSWORD}
    assert find_redacted_kinds(SAID) == frozenset()
