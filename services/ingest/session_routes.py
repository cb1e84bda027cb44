"""`/v1/sessions`: summaries of conversations, and extraction on request."""

from typing import Annotated

from fastapi import APIRouter, Query

from palimpsest.api.resources import ExtractionStarted, HttpProblem, SummaryList, SummaryQuery
from palimpsest.model.clock import Clock
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.summaries import SummaryReader, find_latest_matching
from palimpsest_server.stores.user_states import UserStates
from services.ingest.extract_on_request import OnDemandExtraction

_NOT_FOUND = {"model": HttpProblem, "description": "This session was not summed up."}


_EXTRACT = """
Has what waits in this session's open window understood now, without waiting for more to be said,
and the session summed up; for users without automatic extraction this is the only way, and what is
found waits for a yes (`status=pending`).

The answer names the windows that hold those turns. What follows from one is the change set of its
`change_set_id`: `GET /v1/changes/{change_set_id}`, 404 until then; null where there was nothing in
it but chit-chat. Asked for again when nothing was said since, the last window answers once more.
"""


def build_session_router(
    summaries: SummaryReader, states: UserStates, clock: Clock, extracting: OnDemandExtraction
) -> APIRouter:
    router = APIRouter(prefix="/v1/sessions", tags=["sessions"])

    @router.get("/summaries", openapi_extra=declare_permission(Permission.READ))
    async def latest(query: Annotated[SummaryQuery, Query()]) -> SummaryList:
        """Return what the last conversations were about that can be seen from a scope, the latest first."""
        state = (await states.of([query.user_id]))[query.user_id]
        found = await find_latest_matching(
            summaries,
            query.scopes,
            lambda summary: is_summary_visible(summary, state),
            now=clock(),
            limit=query.limit,
            before=query.before,
        )
        return SummaryList(summaries=tuple(found))

    @router.get(
        "/{session_id}/summary",
        openapi_extra=declare_permission(Permission.READ),
        responses={404: _NOT_FOUND},
    )
    async def one(session_id: Identifier, scope: Annotated[Scope, Query()]) -> SessionSummary:
        """Return what one conversation was about."""
        own = summary_id(scope.user_id, session_id)
        found = await summaries.by_ids(scope.visible(), [own])
        state = (await states.of([scope.user_id]))[scope.user_id]
        told = [
            summary
            for summary in found
            if summary.counts(clock()) and is_summary_visible(summary, state)
        ]
        if not told:
            raise RecordNotFound("no summary of this session can be seen from here")
        return told[0]

    @router.post(
        "/{session_id}/extract",
        status_code=202,
        summary="Extract what was said so far",
        description=_EXTRACT,
        openapi_extra=declare_permission(Permission.WRITE),
    )
    async def extract(
        session_id: Identifier, user_id: Annotated[Identifier, Query()]
    ) -> ExtractionStarted:
        return await extracting.extract(SessionKey(user_id, session_id))

    return router
