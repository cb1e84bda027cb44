"""The privacy policy: the action on each kind of secret, one setting for a deployment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class SecretKind(StrEnum):
    """A kind of secret; the word also stands in the mark that replaces a secret."""

    API_KEY = "api_key"
    TOKEN = "token"  # noqa: S105
    SECRET = "secret"  # noqa: S105
    """A key or token known only by the words around it."""
    PASSWORD = "password"  # noqa: S105
    """A password, a PIN or a one-time code."""
    PRIVATE_KEY = "private_key"
    SEED_PHRASE = "seed_phrase"
    CARD = "card"
    """A payment card number, or the code on its back."""
    BANK_ACCOUNT = "bank_account"
    NATIONAL_ID = "national_id"
    PHONE = "phone"
    EMAIL = "email"


class SecretHandling(StrEnum):
    REDACT = "redact"
    """The event is kept, with a mark in place of the secret."""
    BLOCK = "block"
    """The event is refused, and none of its content is kept."""
    ALLOW = "allow"
    """The text is kept unchanged."""


_BY_DEFAULT: Mapping[SecretKind, SecretHandling] = MappingProxyType(
    {
        kind: SecretHandling.ALLOW
        if kind in {SecretKind.PHONE, SecretKind.EMAIL}
        else SecretHandling.REDACT
        for kind in SecretKind
    }
)


@dataclass(frozen=True)
class PrivacyPolicy:
    """The kinds of secrets that are redacted, and those for which an event is refused."""

    redacted: frozenset[SecretKind]
    """The redacted kinds, blocked ones included, so that a refusal does not show them."""
    blocked: frozenset[SecretKind] = frozenset()

    @classmethod
    def of(cls, handling: Mapping[SecretKind, SecretHandling]) -> "PrivacyPolicy":
        """Build a policy from the defaults, except for the kinds named here."""
        settled = {**_BY_DEFAULT, **handling}
        return cls(
            redacted=frozenset(
                kind for kind, how in settled.items() if how is not SecretHandling.ALLOW
            ),
            blocked=frozenset(kind for kind, how in settled.items() if how is SecretHandling.BLOCK),
        )

    @classmethod
    def only(cls, kinds: Iterable[SecretKind]) -> "PrivacyPolicy":
        """Build a policy that redacts exactly these kinds."""
        return cls(redacted=frozenset(kinds))


DEFAULT_POLICY = PrivacyPolicy.of({})
EVERYTHING = PrivacyPolicy(redacted=frozenset(SecretKind))
