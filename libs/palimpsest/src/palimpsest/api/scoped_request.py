"""The scope of a request: the user, the agent and the project from which memories are seen."""

from typing import Self

from pydantic import model_validator

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


class WidenedRequest(ScopedRequest):
    """A request about one place, or about all places of a user or of one agent."""

    everywhere: bool = False
    """True for all projects, and where no agent is named for all agents; then no project is named."""

    @model_validator(mode="after")
    def _names_no_project_if_everywhere(self) -> Self:
        if self.everywhere and self.project_id:
            raise ValueError("everywhere is of all projects: name none")
        return self


class LayeredScopedRequest(ScopedRequest):
    layers: frozenset[Layer] | None = None
    """The layers to show: any of user, agent, project; left out, all visible layers."""

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return self.scope.visible(self.layers)


class WidenedLayeredRequest(WidenedRequest, LayeredScopedRequest):
    """A request about some layers of one place, or of all places."""
