"""Traces of recalls: the question, the results, and what of them was used."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.recall import TraceList, TraceQuery
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.recall_traces import RecallTraces
from palimpsest_server.stores.user_states import UserStates
from services.console.command_responses import NOT_FOUND_RESPONSE


def build_router(traces: RecallTraces, users: UserStates) -> APIRouter:
    router = APIRouter(prefix="/v1/traces", tags=["traces"])

    @router.get(
        "", openapi_extra=declare_permission(Permission.READ), responses={404: NOT_FOUND_RESPONSE}
    )
    async def page(query: Annotated[TraceQuery, Query()]) -> TraceList:
        """The recalls of the last thirty days, the newest first; of an older epoch nothing is shown.

        The key of an agent reads those of its agent.
        """
        epoch = (await users.of([query.user_id]))[query.user_id].epoch
        recall_traces = await traces.page(
            query.user_id,
            agent_id=query.agent_id,
            limit=query.limit + 1,
            after=query.cursor,
            epoch=epoch,
        )
        shown = recall_traces[: query.limit]
        return TraceList(
            traces=tuple(shown),
            next_cursor=shown[-1].recall_id if len(recall_traces) > len(shown) else None,
        )

    return router
