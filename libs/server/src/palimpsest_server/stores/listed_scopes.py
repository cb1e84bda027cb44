"""The scopes whose records a list shows: named ones, or those of some agents in every project."""

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.model.scope import Layer, Namespace, Scope


@dataclass(frozen=True, kw_only=True)
class EveryProject:
    """All scopes of some agents of one user, whatever their project.

    Nobody has to list the projects for it, which means to read all memories.
    """

    user_id: str
    agent_ids: frozenset[str | None]
    """None is the agent of what belongs to no agent."""
    layers: frozenset[Layer] | None = None
    """None for all layers."""

    def __contains__(self, scope: object) -> bool:
        return (
            isinstance(scope, Scope)
            and scope.user_id == self.user_id
            and scope.agent_id in self.agent_ids
            and (self.layers is None or scope.layer in self.layers)
        )

    def __bool__(self) -> bool:
        """Return whether any scope is among them."""
        return bool(self.agent_ids)


ListedScopes = Sequence[Scope] | EveryProject


def list_namespaces(scopes: ListedScopes) -> list[Namespace]:
    """Return the namespaces of these scopes, each once."""
    if isinstance(scopes, EveryProject):
        # Not validated again: a stored id may be older than the rules for new ones.
        agent_ids = sort_ids(scopes.agent_ids)
        wanted = [Scope.model_construct(user_id=scopes.user_id, agent_id=one) for one in agent_ids]
        return [scope.namespace for scope in wanted]
    return list(dict.fromkeys(scope.namespace for scope in scopes))


def sort_ids(ids: frozenset[str | None]) -> list[str | None]:
    """Return ids in their order, None first."""
    return sorted(ids, key=lambda one: (one is not None, one or ""))
