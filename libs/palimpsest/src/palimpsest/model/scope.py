"""Scopes, layers and namespaces of memories, and their physical names."""

import base64
import hashlib
import re
from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache
from typing import Self

from palimpsest.model.identifiers import encode_length_prefixed
from palimpsest.model.value_types import Identifier, Value

_PLAIN = re.compile(r"[a-z0-9-]{1,40}")


class Layer(StrEnum):
    """Layers of a memory: user, agent or project."""

    USER = "user"
    AGENT = "agent"
    PROJECT = "project"


class Layout(StrEnum):
    """Layouts of namespaces in MongoDB and Qdrant."""

    POOLED = "pooled"
    """One collection holds all namespaces."""
    PER_AGENT = "per_agent"
    """A collection for each namespace."""


class Namespace(Value):
    """One user with one agent or none: the unit in which memories are stored."""

    user_id: Identifier
    agent_id: Identifier | None = None

    @property
    def physical_name(self) -> str:
        """A name that is legal in MongoDB and Qdrant, and unique to the namespace.

        Plain ids stay readable. `_` is not among the plain characters, so `user_a_b` can only be
        user a with agent b.
        """
        return _physical_name(self.user_id, self.agent_id)

    @classmethod
    def of_plain_name(cls, physical_name: str) -> Self | None:
        """Return the namespace of a readable name; None for any other name."""
        marker, *ids = physical_name.split("_")
        if marker != "user" or len(ids) not in (1, 2) or not all(map(_PLAIN.fullmatch, ids)):
            return None
        return cls(user_id=ids[0], agent_id=ids[1] if len(ids) == 2 else None)


class Scope(Value):
    """The place of a memory, or the place from which a reader sees memories."""

    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None

    @property
    def namespace(self) -> Namespace:
        return _namespace(self.user_id, self.agent_id)

    @property
    def layer(self) -> Layer:
        if self.project_id is not None:
            return Layer.PROJECT
        return Layer.USER if self.agent_id is None else Layer.AGENT

    def visible(self, layers: Collection[Layer] | None = None) -> tuple["Scope", ...]:
        """The exact scopes whose memories a reader in this scope sees.

        Every agent of the user sees the user layer, an agent its own layer, and a reader in a
        project the project's layer.
        """
        agents = (None,) if self.agent_id is None else (None, self.agent_id)
        projects = (None,) if self.project_id is None else (None, self.project_id)
        # Not validated again: a stored id may be older than the rules for new ones.
        scopes = (
            Scope.model_construct(user_id=self.user_id, agent_id=agent, project_id=project)
            for project in projects
            for agent in agents
        )
        return tuple(scope for scope in scopes if layers is None or scope.layer in layers)


# Needed for every find and every document, so equal namespaces share one object.
@lru_cache(maxsize=1_024)
def _namespace(user_id: str, agent_id: str | None) -> Namespace:
    return Namespace.model_construct(user_id=user_id, agent_id=agent_id)


@lru_cache(maxsize=1_024)
def _physical_name(user_id: str, agent_id: str | None) -> str:
    parts = [user_id] if agent_id is None else [user_id, agent_id]
    if all(_PLAIN.fullmatch(part) for part in parts):
        return "_".join(["user", *parts])
    digest = hashlib.sha256(encode_length_prefixed(user_id, agent_id)).digest()
    return "h_" + base64.b32encode(digest).decode().rstrip("=").lower()
