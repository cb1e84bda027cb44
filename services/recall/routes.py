"""`POST /v1/recall` and `POST /v1/context`."""

from fastapi import APIRouter, Response

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest_server.runtime.http import Permission, declare_permission
from services.recall.context.build_context import ContextBuilder
from services.recall.recall import RecallHandler

_RECALL = """
Memories and raw turns of a user, as they are seen by `agent_id` in `project_id`, with the evidence
that they rest on. What is not near enough to the question is not returned: then `results` are empty
and `gated` is true.

`score` ranks within this one answer. It is no probability: it must neither be held against a
threshold nor compared between questions. What was just said is recalled after a moment; `min_revision`
waits for one's own write.
"""

_CONTEXT = """
The same, written down as a block of a prompt within `token_budget`, with who the user is. Without a
`query` it is what a conversation starts with. With a `session_id` the last messages of that
conversation come along. `block` stands between marks, by which nothing of it is remembered a second
time: leave them in.
"""


def routes(recall_handler: RecallHandler, contexts: ContextBuilder) -> APIRouter:
    router = APIRouter(tags=["recall"])

    @router.post(
        "/v1/recall",
        summary="What matters to a question, best first",
        description=_RECALL,
        response_model=RecallResponse,
        openapi_extra=declare_permission(Permission.READ),
    )
    async def recall(request: RecallRequest) -> Response:
        answer = await recall_handler.recall(request)
        # The answer is valid as built here; the framework would validate every result again.
        return Response(answer.model_dump_json(), media_type="application/json")

    @router.post(
        "/v1/context",
        summary="What is known and matters now, written down for a prompt",
        description=_CONTEXT,
        response_model=ContextResponse,
        openapi_extra=declare_permission(Permission.READ),
    )
    async def context(request: ContextRequest) -> Response:
        answer = await contexts.context(request)
        return Response(answer.model_dump_json(), media_type="application/json")

    return router
