"""What was asked on behalf of a user, what was returned, and what of it was used."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.contracts.traces import TraceList, TraceQuery
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.traces import RecallTraces
from palimpsest.stores.users import UserStates
from services.console.answering import NOT_FOUND


def routes(traces: RecallTraces, users: UserStates) -> APIRouter:
    router = APIRouter(prefix="/v1/traces", tags=["traces"])

    @router.get("", openapi_extra=needs(Permission.READ), responses={404: NOT_FOUND})
    async def page(query: Annotated[TraceQuery, Query()]) -> TraceList:
        """The recalls of the last thirty days, the newest first; of an older epoch nothing is shown."""
        epoch = (await users.of([query.user_id]))[query.user_id].epoch
        found = await traces.page(
            query.user_id, limit=query.limit + 1, after=query.cursor, epoch=epoch
        )
        shown = found[: query.limit]
        return TraceList(
            traces=tuple(shown),
            next_cursor=shown[-1].recall_id if len(found) > len(shown) else None,
        )

    return router
