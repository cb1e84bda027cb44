"""Secrets of keys."""

from itertools import pairwise

import pytest

from palimpsest_language.redaction.redactor import redact
from palimpsest_server.domain.access.key_secrets import KeySecret


def test_a_secret_is_read_as_it_was_made_and_matches_its_hash_alone() -> None:
    made = [KeySecret.generate() for _ in range(20)]
    for secret in made:
        assert KeySecret.parse(secret.reveal()) == secret
        assert secret.matches(secret.hash())
        assert secret.random not in secret.hash()
    for key_secret, other in pairwise(made):
        assert not key_secret.matches(other.hash())
        # The hash is of use for no other key.
        assert not KeySecret(other.key_id, key_secret.random).matches(key_secret.hash())


def test_another_secret_of_a_key_keeps_its_id() -> None:
    first = KeySecret.generate()
    second = KeySecret.generate(first.key_id)
    assert second.key_id == first.key_id
    assert not second.matches(first.hash())


@pytest.mark.parametrize(
    "shown",
    ["", "plm_", "plm_abc_def", "PLM_" + "a" * 12 + "_" + "b" * 48, "x" * 65, "plm_é_é"],
)
def test_what_has_not_the_form_of_a_key_is_none(shown: str) -> None:
    assert KeySecret.parse(shown) is None


def test_a_line_break_after_a_key_is_not_part_of_one() -> None:
    assert KeySecret.parse(KeySecret.generate().reveal() + "\n") is None


def test_a_key_that_somebody_tells_an_agent_is_not_remembered() -> None:
    secret = KeySecret.generate().reveal()
    for text in (f"use {secret} please", f"我的密钥是{secret}，别外传"):
        assert secret not in redact(text).text
