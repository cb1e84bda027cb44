"""`/mcp/{user_id}` and `/mcp/{user_id}/{agent_id}`: memories as tools, over streamable HTTP."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from palimpsest.api.resources import Problem
from palimpsest.model.permissions import Permission
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier
from palimpsest_server.runtime.http import declare_permission
from services.console.mcp_endpoint import McpEndpoint

_DESCRIPTION = """
The Model Context Protocol over streamable HTTP, without sessions: the address says whose memories
these are, and a key or token goes in `Authorization: Bearer`. The tools are `remember`, `recall`,
`context`, `list_memories`, `get_memory`, `update_memory`, `forget`, `history`, `undo` and `todos`;
those that change something need the permission to write. **409**: the extra `mcp` is not installed.
"""

UserId = Annotated[Identifier, Path(description="The user whose memories these are.")]
AgentId = Annotated[Identifier, Path(description="The agent whose memories are seen as well.")]

_BODY = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}


def build_router(tools: McpEndpoint) -> APIRouter:
    router = APIRouter(prefix="/mcp", tags=["mcp"])
    described: dict[str, Any] = {
        "description": _DESCRIPTION,
        "response_class": Response,
        "responses": {
            200: {"content": {"application/json": {"schema": {"type": "object"}}}},
            202: {"description": "A notification was taken."},
            400: {"description": "No message of the protocol."},
            406: {"description": "The client accepts no JSON."},
            409: {"model": Problem, "description": "The extra `mcp` is not installed."},
            415: {"description": "The message is not called JSON."},
        },
        "openapi_extra": {**declare_permission(Permission.READ), "requestBody": _BODY},
    }

    @router.post("/{user_id}", summary="Memories of a user as tools", **described)
    async def of_user(request: Request, user_id: UserId) -> Response:
        return await tools.answer(request, Scope(user_id=user_id))

    @router.post("/{user_id}/{agent_id}", summary="Memories of an agent as tools", **described)
    async def of_agent(request: Request, user_id: UserId, agent_id: AgentId) -> Response:
        return await tools.answer(request, Scope(user_id=user_id, agent_id=agent_id))

    return router
