"""Keys and short-lived tokens over HTTP: `/v1/keys` and `/v1/tokens`."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from palimpsest.model.permissions import EVERYDAY_PERMISSIONS, KeyKind, Permission
from palimpsest.model.value_types import Identifier, Instant, Value

KeyName = Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True)]
Permissions = Annotated[frozenset[Permission], Field(min_length=1)]

MAXIMUM_TOKEN_SECONDS = 24 * 60 * 60
MAXIMUM_GRACE_SECONDS = 24 * 60 * 60


class KeyRequest(Value):
    """`POST /v1/keys`: a new key. With a user it is a user key; with an agent too, an agent key."""

    name: KeyName
    """A name for people, such as the program that will hold the key."""
    user_id: Identifier | None = None
    """The only user that the key opens; null for a service key, which opens all."""
    agent_id: Identifier | None = None
    """The only agent that the key opens; null for all agents of the user."""
    permissions: Permissions = EVERYDAY_PERMISSIONS
    """The permissions of the key: any of read, write, erase and admin."""
    expires_at: Instant | None = None
    """The moment from which the key opens nothing; null for none."""

    @model_validator(mode="after")
    def _agent_of_a_user(self) -> Self:
        if self.agent_id is not None and self.user_id is None:
            raise ValueError("agent_id: the key of an agent needs the user_id as well")
        return self

    @property
    def kind(self) -> KeyKind:
        if self.user_id is None:
            return KeyKind.SERVICE
        return KeyKind.USER if self.agent_id is None else KeyKind.AGENT


class AccessKey(Value):
    """A key without its secret, of which only a hash is kept."""

    id: str
    """The id of the key, which is the readable part of its secret."""
    kind: KeyKind
    """The reach of the key: service, user or agent."""
    name: str
    """The name of the key, for people."""
    user_id: Identifier | None = None
    """The only user that the key opens; null for a service key."""
    agent_id: Identifier | None = None
    """The only agent that the key opens; null for all agents of the user."""
    permissions: frozenset[Permission]
    """The permissions of the key: read, write, erase, admin."""
    created_at: Instant
    """The moment at which the key was made."""
    expires_at: Instant | None = None
    """The moment from which the key opens nothing; null for none."""
    revoked_at: Instant | None = None
    """The moment at which the key was revoked; null if it was not."""
    last_used_at: Instant | None = None
    """The last use, exact to some minutes; null if the key was never used."""

    def opens(self, at: Instant) -> bool:
        """Return whether the key is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


class AccessKeyList(Value):
    """All keys, the newest first."""

    keys: tuple[AccessKey, ...]
    """Every key, revoked and expired ones too."""


class IssuedKey(Value):
    """A new key with its secret, which is shown only once."""

    key: AccessKey
    """The key as it is listed."""
    secret: str
    """The secret, to send as `Authorization: Bearer …`; it cannot be read again."""


class RotationRequest(Value):
    """`POST /v1/keys/{id}/rotate`: the time for which the former secret keeps working."""

    grace_seconds: Annotated[int, Field(ge=0, le=MAXIMUM_GRACE_SECONDS)] = 0
    """The seconds for which the former secret still works, at most a day."""


class TokenRequest(Value):
    """`POST /v1/tokens`: a short-lived token for one user, or for one agent of a user."""

    user_id: Identifier
    """The only user that the token opens."""
    agent_id: Identifier | None = None
    """The only agent that the token opens; null for all agents of the user."""
    permissions: Permissions = EVERYDAY_PERMISSIONS
    """The permissions of the token; the key must have all of them."""
    expires_in_seconds: Annotated[int, Field(ge=1, le=MAXIMUM_TOKEN_SECONDS)] = 900
    """The seconds for which the token opens, at most a day."""


class IssuedToken(Value):
    """A token to send as `Authorization: Bearer …`."""

    token: str
    """The signed token; whoever holds it has its permissions."""
    user_id: Identifier
    """The only user that the token opens."""
    agent_id: Identifier | None = None
    """The only agent that the token opens; null for all agents of the user."""
    permissions: frozenset[Permission]
    """The permissions of the token."""
    expires_at: Instant
    """The moment from which the token opens nothing."""
