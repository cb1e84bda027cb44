"""The scope of a request: the user, the agent and the project from which memories are seen."""

from typing import TypeVar

from palimpsest.model.scope import Layer, Scope
from palimpsest.model.value_types import Identifier, Value


class ScopedRequest(Value):
    """A request about a user's memories, as one agent sees them from one project."""

    user_id: Identifier
    agent_id: Identifier | None = None
    project_id: Identifier | None = None

    @property
    def scope(self) -> Scope:
        return Scope(user_id=self.user_id, agent_id=self.agent_id, project_id=self.project_id)


ScopedRequestT = TypeVar("ScopedRequestT", bound=ScopedRequest)


def refuse_project_if_everywhere(request: ScopedRequestT, *, everywhere: bool) -> ScopedRequestT:
    """Return the request, unless it asks for every project and names one.

    Raises:
        ValueError: it does.
    """
    if everywhere and request.project_id:
        raise ValueError("everywhere is of all projects: name none")
    return request


class LayeredScopedRequest(ScopedRequest):
    layers: frozenset[Layer] | None = None
    """The layers to show: any of user, agent, project; left out, all visible layers."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return self.scope.visible(self.layers)
