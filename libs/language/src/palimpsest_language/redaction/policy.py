"""The privacy policy: the action on each kind of secret, one setting for a deployment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class SecretKind(StrEnum):
    """A kind of secret; the word also stands in the mark that is left behind."""

    API_KEY = "api_key"
    TOKEN = "token"  # noqa: S105
    SECRET = "secret"  # noqa: S105
    """A key or token that is known by what is said of it alone."""
    PASSWORD = "password"  # noqa: S105
    """PINs and one-time codes are passwords too."""
    PRIVATE_KEY = "private_key"
    SEED_PHRASE = "seed_phrase"
    CARD = "card"
    """Payment cards, with the code on their back."""
    BANK_ACCOUNT = "bank_account"
    NATIONAL_ID = "national_id"
    PHONE = "phone"
    EMAIL = "email"


class SecretHandling(StrEnum):
    REDACT = "redact"
    """The event is kept with a mark in the place of what was found."""
    BLOCK = "block"
    """The event is refused, and nothing of what it says is kept."""
    ALLOW = "allow"
    """It is kept as it is."""


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
    """Kinds that are found and taken out, and those among them that an event is refused for."""

    redacted: frozenset[SecretKind]
    """Includes the blocked ones: what is refused shows nothing of them either."""
    blocked: frozenset[SecretKind] = frozenset()

    @classmethod
    def of(cls, handling: Mapping[SecretKind, SecretHandling]) -> "PrivacyPolicy":
        """The defaults, but for the kinds that are named here."""
        settled = {**_BY_DEFAULT, **handling}
        return cls(
            redacted=frozenset(
                kind for kind, how in settled.items() if how is not SecretHandling.ALLOW
            ),
            blocked=frozenset(kind for kind, how in settled.items() if how is SecretHandling.BLOCK),
        )

    @classmethod
    def only(cls, kinds: Iterable[SecretKind]) -> "PrivacyPolicy":
        """These are taken out, and nothing else is."""
        return cls(redacted=frozenset(kinds))


DEFAULT_POLICY = PrivacyPolicy.of({})
EVERYTHING = PrivacyPolicy(redacted=frozenset(SecretKind))
