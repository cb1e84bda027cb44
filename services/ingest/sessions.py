"""`/v1/sessions`: what conversations were about."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.contracts.http import Problem, SummaryList, SummaryQuery
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import NotFound
from palimpsest.domain.model import Identifier
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import SessionSummary, summary_id
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.summaries import SummaryReader

_NOT_FOUND = {"model": Problem, "description": "This session was not summed up."}


def routes(summaries: SummaryReader, clock: Clock) -> APIRouter:
    router = APIRouter(prefix="/v1/sessions", tags=["sessions"])

    @router.get("/summaries", openapi_extra=needs(Permission.READ))
    async def latest(query: Annotated[SummaryQuery, Query()]) -> SummaryList:
        """What the last conversations were about that can be seen from a scope, the latest first."""
        found = await summaries.latest(
            query.scopes, now=clock(), limit=query.limit, before=query.before
        )
        return SummaryList(summaries=tuple(found))

    @router.get(
        "/{session_id}/summary",
        openapi_extra=needs(Permission.READ),
        responses={404: _NOT_FOUND},
    )
    async def one(session_id: Identifier, scope: Annotated[Scope, Query()]) -> SessionSummary:
        """What one conversation was about."""
        own = summary_id(scope.user_id, session_id)
        found = await summaries.by_ids(scope.visible(), [own])
        if not found or not found[0].counts(clock()):
            raise NotFound("no summary of this session can be seen from here")
        return found[0]

    return router
