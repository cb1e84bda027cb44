"""Permissions of keys and tokens, and the kinds of keys."""

from enum import StrEnum


class Permission(StrEnum):
    """The four permissions of a key. None of them includes another."""

    READ = "read"
    """See memories, messages, profiles and history; recall."""
    WRITE = "write"
    """Save conversations; add, edit, forget and restore memories."""
    ERASE = "erase"
    """Erase for good."""
    ADMIN = "admin"
    """Manage keys, tiers, maintenance and reports."""


class KeyKind(StrEnum):
    """The reach of a key."""

    SERVICE = "service"
    """Every user and agent of the deployment."""
    USER = "user"
    """One user with all of their agents."""
    AGENT = "agent"
    """One agent of one user, which also reads what all agents of that user see."""


EVERY_PERMISSION = frozenset(Permission)
EVERYDAY_PERMISSIONS = frozenset({Permission.READ, Permission.WRITE})
"""The permissions of a key that was made without naming any."""
